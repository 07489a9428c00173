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

  constructor(port: number, setting: string) {
    super(`Port ${port} is taken. Set another one with ${setting}, e.g. make run ${setting}=${port + 1}`);
  }
}

/** @throws {PortTakenError} */
export async function requirePort(port: number, host: string, setting: string): Promise<void> {
  if (await isTaken(port, host)) throw new PortTakenError(port, setting);
}

/** @returns the wanted port, or a free one when it is taken */
export async function freePort(wanted: number, host: string): Promise<number> {
  if (wanted !== 0 && !(await isTaken(wanted, host))) return wanted;
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port was given')),
      );
    });
  });
}
