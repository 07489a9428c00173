import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A process of a measurement. */
export interface Program {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  /** Sends SIGTERM, and SIGKILL if the process does not end. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  /** The path from the root of the project, e.g. `api/dist/src/main.js`. TypeScript files run from source. */
  readonly file: string;
  /** Flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** The whole environment: only PATH is inherited. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The file for the output, like the product's log in production. */
  readonly logFile: string;
}

const stopLimitMs = 25_000;

/**
 * Starts a process and waits for its first message, which means that it is ready. It ends together with this process.
 * @throws if it ends before it is ready
 */
export async function startProgram({
  file,
  nodeFlags = [],
  environment = {},
  logFile,
}: ProgramOptions): Promise<Program> {
  const log = openSync(logFile, 'a');
  const child = fork(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), [], {
    // The product runs from its build. TypeScript files run with the flags of this process.
    execArgv: file.endsWith('.ts') ? process.execArgv : [...nodeFlags],
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...environment },
    // In its own process group, so that Ctrl-C reaches only this process, which stops the parts in order.
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
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
