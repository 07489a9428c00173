import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** One real process of the product, with everything it wrote. */
export interface RunningProcess {
  readonly pid: number;
  readonly output: () => string;
  /** Resolves with the exit code, or the signal it died of. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  signal(signal: NodeJS.Signals): void;
  /** Closes the channel to its parent, as the parent's own end would. */
  disconnect(): void;
  /** SIGTERM, and waits. @returns how it ended */
  stop(): Promise<number | NodeJS.Signals | null>;
}

const runBuilt = fileURLToPath(new URL('run-built.mjs', import.meta.url));

/**
 * Starts a process and waits until it says that it is ready.
 * @param module - one of the product as it was built, e.g. `@dune-tide/worker/main`, or the address of a test's file
 * @param environment - all of it: nothing is inherited but PATH
 * @param executable - the Node.js that runs it; the one that runs the tests unless given
 * @throws with its output when it ends before
 */
export async function startProcess(
  module: string,
  environment: Record<string, string>,
  executable: string = process.execPath,
): Promise<RunningProcess> {
  const options: ForkOptions = {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execPath: executable,
  };
  const child: ChildProcess = module.startsWith('file:')
    ? fork(fileURLToPath(module), options)
    : fork(runBuilt, [module], { ...options, execArgv: [] });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
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
