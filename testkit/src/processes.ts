import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepLog } from './recent-log.ts';

/** A running process of the product and its output. */
export interface RunningProcess {
  readonly pid: number;
  readonly output: () => string;
  /** Resolves with the exit code, or with the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  signal(signal: NodeJS.Signals): void;
  /** Closes the channel to the parent, as if the parent had ended. */
  disconnect(): void;
  /** Sends SIGTERM and waits for the end. @returns the exit code or signal */
  stop(): Promise<number | NodeJS.Signals | null>;
}

/** The folder of this checkout. */
const thisCheckout = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts a process and waits for its message that it is ready.
 * @param module - a built module of the product, e.g. `@dune-tide/worker/main`, or the file URL of a test's module
 * @param environment - the whole environment: only PATH is inherited
 * @param executable - the path of Node.js; the default is the one that runs the tests
 * @param checkout - the folder of a built checkout whose module runs; the default is this one
 * @throws with the output if the process ends before it is ready
 */
export async function startProcess(
  module: string,
  environment: Record<string, string>,
  executable: string = process.execPath,
  checkout: string = thisCheckout,
): Promise<RunningProcess> {
  const options: ForkOptions = {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execPath: executable,
  };
  const child: ChildProcess = module.startsWith('file:')
    ? fork(fileURLToPath(module), options)
    : fork(join(checkout, 'testkit/src/run-built.mjs'), [module], { ...options, execArgv: [] });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
    keepLog(chunk.toString());
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    void ended.then((how) => reject(new Error(`${module} ended (${how}) before it was ready:\n${output}`)));
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    signal: (signal) => void child.kill(signal),
    disconnect: () => child.disconnect(),
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
