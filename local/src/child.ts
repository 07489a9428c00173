import { fork, type ChildProcess } from 'node:child_process';
import type { WriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import pTimeout from 'p-timeout';

export interface ChildOptions {
  readonly name: string;
  /** The module to run, as imported from here, e.g. `@dune-tide/api/main`. */
  readonly module: string;
  /** What Node is told besides what this process was. */
  readonly nodeFlags?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly log: WriteStream;
  /** Plain words for the operator. */
  readonly say: (line: string) => void;
  /** Called when restarts no longer help. */
  readonly onGivenUp: (reason: string) => void;
  /** How long it may take until it is ready. */
  readonly startTimeoutMs?: number;
}

/** A process of ours that is started again when it dies. */
export interface Child {
  /**
   * Waits until it is ready. One that is given up may still run until `stop`.
   * @param givenUp - ends the waiting
   * @throws {ChildError} with what it said on its way out, or when it is not ready in time; the reason it is given up for
   */
  start(givenUp?: AbortSignal): Promise<void>;
  /** Ends it, by force when it does not end by itself. */
  stop(): Promise<void>;
  readonly pid: () => number | undefined;
}

/** A process that ended before it was ready, or never was. */
export class ChildError extends Error {
  override readonly name = 'ChildError';
}

const stopTimeoutMs = 25_000;
const restartDelayMs = 500;
/** More deaths than this within the window, and something is wrong that a restart does not mend. */
const deathsAllowed = 5;
const deathWindowMs = 60_000;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/**
 * Prepares a process that is started again when it dies, until it has died too often.
 * @returns the process, not yet started
 * @throws the system's error when there is no such module
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
      // A group of its own: Ctrl-C in the terminal reaches us only, and we stop the parts in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = started;
    let lastWords = '';
    // Not piped: a log that fails would leave it unread, and the process waiting.
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
    say(`${name} died (${how}); starting it again.`);
    await new Promise((resolve) => setTimeout(resolve, restartDelayMs));
    if (isStopping) return;
    try {
      await start();
      say(`${name} is back.`);
    } catch (error) {
      // One that ended while it started is one more death; one that hangs would only hang again.
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
