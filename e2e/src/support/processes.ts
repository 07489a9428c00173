import { fork, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';

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

/**
 * Starts a process and waits until it says that it is ready.
 * @param module - e.g. `@dune-tide/worker/main`
 * @param environment - all of it: nothing is inherited but PATH
 * @throws with its output when it ends before
 */
export async function startProcess(module: string, environment: Record<string, string>): Promise<RunningProcess> {
  const child: ChildProcess = fork(createRequire(import.meta.url).resolve(module), [], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
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
