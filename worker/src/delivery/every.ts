import { setTimeout as pause } from 'node:timers/promises';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring, type Outage } from '@dune-tide/platform/outage';

/** A task that a worker repeats until it closes. */
export interface RepeatedTask {
  /**
   * Runs the task once.
   * @param isAfterOutage - whether a run has failed or an outage has ended within the last `afterOutageMs`. Other workers may still have to
   *   write outcomes, so a task that claims rows leaves out those whose leases have expired: they may have been sent
   * @returns the pause before the next run, in milliseconds
   */
  readonly task: (isAfterOutage: boolean) => Promise<number>;
  /** The message of the log when a run throws. */
  readonly failure: string;
  /** The pause after a run that threw, in milliseconds. */
  readonly retryMs: number;
  /** The pause before the first run, in milliseconds; none by default. */
  readonly firstMs?: number;
  /** The state of the database, for whose end the task waits; undefined if it is always tried. */
  readonly outage?: Outage | undefined;
  readonly logger: Logger;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
  /** Waits between two runs; {@link rest} by default. */
  readonly wait?: typeof rest;
}

/**
 * The time for all workers to write their outcomes after an outage of the database: the pause between two tries of a
 * worker (platform/src/outage.ts), and the time of a connection and a statement.
 */
const afterOutageMs = 10_000;

/**
 * Repeats a task until `closing` is aborted. A failure is logged and does not stop the next run.
 * @returns a promise that resolves after the last run
 */
export async function every(repeated: RepeatedTask): Promise<void> {
  const { task, failure, retryMs, firstMs = 0, outage, logger, closing, wait = rest } = repeated;
  let failedAt = -Infinity;
  let pauseMs = firstMs;
  for (;;) {
    if (pauseMs > 0) await wait(pauseMs, closing);
    if (outage?.isOut) {
      await outage.enter();
      failedAt = performance.now();
    }
    if (closing.aborted) return;
    try {
      pauseMs = await task(performance.now() < failedAt + afterOutageMs);
    } catch (error) {
      failedAt = performance.now();
      pauseMs = retryMs;
      logger[levelDuring(outage)]({ error: describeError(error) }, failure);
    }
  }
}

/** Waits until the time has passed or the signal is aborted. */
export async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
