import { fork, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import pTimeout from 'p-timeout';
import type { LogFile } from './log-file.ts';

export interface ChildOptions {
  readonly name: string;
  /** The specifier of the module to run, e.g. `@dune-tide/api/main`. */
  readonly module: string;
  /** Node flags in addition to those of this process. */
  readonly nodeFlags?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Pick<LogFile, 'write'>;
  /** Prints a message for the operator. */
  readonly say: (line: string) => void;
  /** Called after the process has died too often or did not restart. */
  readonly onGivenUp: (reason: string) => void;
  /** Milliseconds within which the process must become ready. */
  readonly startTimeoutMs?: number;
}

/** A supervised process that is restarted when it dies. */
export interface Child {
  /**
   * Starts the process and waits until it is ready. After `givenUp` is aborted, the process may still run until `stop`.
   * @param givenUp - aborts the wait
   * @throws {ChildError} with the last error output if the process ends early, or if it is not ready in time; the
   *   reason of the signal if it is aborted
   */
  start(givenUp?: AbortSignal): Promise<void>;
  /** Sends SIGTERM, and SIGKILL if the process does not end in time. */
  stop(): Promise<void>;
  readonly pid: () => number | undefined;
}

/** Thrown if a process ends before it is ready or is not ready in time. */
export class ChildError extends Error {
  override readonly name = 'ChildError';
}

const stopTimeoutMs = 25_000;
const restartDelayMs = 500;
/** After more deaths than this within the window, a restart is unlikely to help. */
const deathsAllowed = 5;
const deathWindowMs = 60_000;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/**
 * Creates a process that is restarted when it dies, until it has died too often.
 * @returns the process, not yet started
 * @throws the system's error if the module does not exist
 */
export function supervise(options: ChildOptions): Child {
  const { name, module, nodeFlags = [], environment, log, say, onGivenUp, startTimeoutMs = 60_000 } = options;
  const path = createRequire(import.meta.url).resolve(module);
  let child: ChildProcess | undefined;
  let isStopping = false;
  let deaths: number[] = [];

  async function start(givenUp?: AbortSignal): Promise<void> {
    const started = fork(path, [], {
      execArgv: [...process.execArgv, ...nodeFlags],
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...environment },
      // In its own process group, so that Ctrl-C reaches only this process, which stops the parts in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = started;
    let lastWords = '';
    // Not piped: if the log failed, the output would stay unread and block the process.
    started.stdout?.on('data', (chunk: Buffer) => log.write(chunk));
    started.stderr?.on('data', (chunk: Buffer) => {
      log.write(chunk);
      lastWords = (lastWords + chunk.toString()).slice(-2_000);
    });
    const ready = new Promise<void>((resolve, reject) => {
      started.once('message', () => resolve());
      started.once('error', reject);
      started.once('exit', (code, signal) => {
        reject(new ChildError(`${name} did not start (${signal ?? `exit ${code}`}). ${lastWords.trim()}`));
      });
    });
    await pTimeout(ready, {
      milliseconds: startTimeoutMs,
      message: new ChildError(`${name} was not ready within ${startTimeoutMs / 1000} s.`),
      ...(givenUp && { signal: givenUp }),
    });
    started.once('exit', (code, signal) => void onDeath(signal ?? `exit ${code}`));
  }

  async function onDeath(how: string): Promise<void> {
    if (isStopping) return;
    const now = Date.now();
    deaths = [...deaths.filter((time) => now - time < deathWindowMs), now];
    if (deaths.length > deathsAllowed) {
      onGivenUp(`${name} died ${deaths.length} times within a minute`);
      return;
    }
    say(`${name} died (${how}); restarting it.`);
    await new Promise((resolve) => setTimeout(resolve, restartDelayMs));
    if (isStopping) return;
    try {
      await start();
      say(`${name} is running again.`);
    } catch (error) {
      // An end during the start counts as another death. A process that hangs would hang again, so it is not restarted.
      if (child && hasEnded(child)) void onDeath(child.signalCode ?? `exit ${child.exitCode}`);
      else if (!isStopping) onGivenUp(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    start,
    pid: () => child?.pid,
    async stop() {
      isStopping = true;
      const running = child;
      if (!running || hasEnded(running)) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      const timer = setTimeout(() => running.kill('SIGKILL'), stopTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
