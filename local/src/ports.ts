import { createServer } from 'node:net';

/** @returns whether a server listens on the port */
async function isTaken(port: number, host: string): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(true));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}

/** Thrown if a configured port is taken. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';

  constructor(port: number, setting: string, free: number) {
    super(`Port ${port} is taken. Set another one with ${setting}, e.g. make run ${setting}=${free}`);
  }
}

/**
 * @param given - the ports of all parts, which the error does not suggest
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
 * The range is below the ports that Linux assigns to outgoing connections (32768 to 60999). A free port in that range
 * could be assigned to a connection before the server listens on it.
 */
const lowest = 20_000;
const count = 12_000;

/** Concurrent processes start at different ports, and each one returns a port again only after all others. */
let next = (process.pid * 100) % count;

/**
 * @returns the wanted port, or another free one if it is taken or 0
 * @throws if no port is free
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
