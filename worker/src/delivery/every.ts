import { setTimeout as pause } from 'node:timers/promises';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { settleRetryMs } from './deliver.ts';

/** A task that a worker repeats until it closes. */
export interface RepeatedTask {
  /**
   * Runs the task once.
   * @returns the pause before the next run, in milliseconds
   */
  readonly task: () => Promise<number>;
  /** The message of the log when a run throws. */
  readonly failure: string;
  /** The pause after a run that threw, in milliseconds. */
  readonly retryMs: number;
  /** The pause before the first run, in milliseconds; none by default. */
  readonly firstMs?: number;
  /**
   * Throws while the database is unavailable. With it, the first run after a failure waits until workers have had the
   * time to write their outcomes, so that a task which claims rows does not find those that were sent.
   */
  readonly check?: () => Promise<void>;
  readonly logger: Logger;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
  /** Waits between two runs; {@link rest} by default. */
  readonly wait?: typeof rest;
}

/** The time for workers to write their outcomes after an outage of the database. */
export const afterOutageMs = 3 * settleRetryMs;

/**
 * Repeats a task until `closing` is aborted. A failure is logged and does not stop the next run.
 * @returns a promise that resolves after the last run
 */
export async function every(repeated: RepeatedTask): Promise<void> {
  const { task, failure, retryMs, firstMs = 0, check, logger, closing, wait = rest } = repeated;
  let hasFailed = false;
  let pauseMs = firstMs;
  for (;;) {
    if (pauseMs > 0) await wait(pauseMs, closing);
    if (closing.aborted) return;
    try {
      if (hasFailed && check) {
        await check();
        hasFailed = false;
        // The time for outcomes starts when the database is available again.
        pauseMs = afterOutageMs;
        continue;
      }
      pauseMs = await task();
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      pauseMs = retryMs;
      logger.warn({ error: describeError(error) }, failure);
    }
  }
}

/** Waits until the time has passed or the signal is aborted. */
export async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
