import { setTimeout as pause } from 'node:timers/promises';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring } from '@dune-tide/platform/outage';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';

/** Maximum number of rows that wait to be queued. The sweep finds all further rows. */
const maxWaiting = 5_000;
/** Minimum time between two batches. A batch of many jobs costs the queue about as much as one job. */
const betweenAddsMs = 100;
/** A queue that accepts no jobs fails for each batch. */
const warningEveryMs = 60_000;

export interface WakeUps {
  /** Schedules jobs for committed rows. Returns immediately and never throws. */
  add(wakeUps: readonly WakeUp[]): void;
  /** Waits until the scheduled jobs are queued. */
  close(): Promise<void>;
}

/**
 * Queues jobs for committed follow-ups without delaying the response to the visitor. Rows that arrive while a batch is
 * being queued form the next batch. If queueing fails, the worker's sweep finds the rows later.
 */
export function wakeUps(producer: FollowUpProducer, logger: Logger): WakeUps {
  let waiting: WakeUp[] = [];
  let isFlushing = false;
  let warnedAt = -Infinity;
  let flushed = Promise.resolve();

  const flush = async (): Promise<void> => {
    isFlushing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const next = pause(betweenAddsMs);
      try {
        await producer.enqueue(batch);
      } catch (error) {
        const isNews = performance.now() >= warnedAt + warningEveryMs;
        if (isNews) warnedAt = performance.now();
        logger[isNews ? levelDuring(producer.outage) : 'debug'](
          { followUps: batch.length, error: describeError(error) },
          'follow-ups not queued; the sweep will find them',
        );
      }
      await next;
    }
    isFlushing = false;
  };

  return {
    add(added) {
      if (waiting.length + added.length > maxWaiting) {
        logger.warn({ followUps: added.length }, 'too many wake-ups waiting; the sweep will find these');
        return;
      }
      waiting.push(...added);
      if (!isFlushing) flushed = flush();
    },
    async close() {
      await flushed;
    },
  };
}
