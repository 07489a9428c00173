import { createServer } from 'node:net';

/** @returns whether something else listens there */
async function isTaken(port: number, host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(true));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}

/** Thrown for a port that was asked for and cannot be had. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';

  constructor(port: number, setting: string, free: number) {
    super(`Port ${port} is taken. Set another one with ${setting}, e.g. make run ${setting}=${free}`);
  }
}

/**
 * @param given - the ports of all parts, none of which is to be suggested for another
 * @throws {PortTakenError}
 */
export async function requirePort(
  port: number,
  host: string,
  setting: string,
  given: readonly number[],
): Promise<void> {
  if (await isTaken(port, host)) throw new PortTakenError(port, setting, await freePortAbove(port, host, given));
}

async function freePortAbove(port: number, host: string, given: readonly number[]): Promise<number> {
  for (let above = port + 1; above <= highest; above += 1) {
    if (!given.includes(above) && !(await isTaken(above, host))) return above;
  }
  return freePort(0, host);
}

const highest = 65_535;

/*
 * Below the ports that Linux gives to connections (32768 to 60999): one of those that is free now may be the near end of
 * anybody's connection before its server listens there.
 */
const lowest = 20_000;
const count = 12_000;

/** Processes that start together look in places of their own, and none gives a port out twice in a row. */
let next = (process.pid * 100) % count;

/**
 * @returns the wanted port, or a free one when it is taken or 0
 * @throws when no port is free
 */
export async function freePort(wanted: number, host: string): Promise<number> {
  if (wanted !== 0 && !(await isTaken(wanted, host))) return wanted;
  for (let tries = 0; tries < count; tries += 1) {
    const port = lowest + next;
    next = (next + 1) % count;
    if (!(await isTaken(port, host))) return port;
  }
  throw new Error(`No port of ${host} is free`);
}
