import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A process that was started for a measurement. */
export interface Program {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGTERM, and SIGKILL when that does not end it. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  /** Under the root of the project, e.g. `api/dist/src/main.js`; TypeScript runs from source. */
  readonly file: string;
  /** What Node itself is told. */
  readonly nodeFlags?: readonly string[];
  /** All of it: nothing is inherited but PATH. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What it writes goes there, as the product's log does in production. */
  readonly logFile: string;
}

const stopLimitMs = 25_000;

/**
 * Starts a process and waits for its first message, which says that it is ready. It ends with this process.
 * @throws when it ends before
 */
export async function startProgram({
  file,
  nodeFlags = [],
  environment = {},
  logFile,
}: ProgramOptions): Promise<Program> {
  const log = openSync(logFile, 'a');
  const child = fork(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), [], {
    // The product runs as it was built; what is in TypeScript runs as this process does.
    execArgv: file.endsWith('.ts') ? process.execArgv : [...nodeFlags],
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...environment },
    // A group of its own: Ctrl-C in the terminal reaches us only, and we stop the parts in order.
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    void ended.then(() => reject(new Error(`${file} ended before it was ready; see ${logFile}`)));
  });
  return {
    pid: child.pid ?? 0,
    child,
    ended,
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
