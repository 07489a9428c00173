import { setTimeout as pause } from 'node:timers/promises';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';

/** Most rows that wait for an add; those past it are left to the sweep. */
const maxWaiting = 5_000;
/** Least time between two adds: one costs the queue about the same for many jobs as for one. */
const betweenAddsMs = 100;

export interface WakeUps {
  /** Adds jobs for committed rows soon. Returns at once and never throws. */
  add(wakeUps: readonly WakeUp[]): void;
  /** Waits for what was added. */
  close(): Promise<void>;
}

/**
 * Hands committed follow-ups to the queue without making the visitor wait. What arrives while an add is under way goes out
 * together in the next one. Whatever fails here, the sweep finds.
 */
export function wakeUps(producer: FollowUpProducer, logger: Logger): WakeUps {
  let waiting: WakeUp[] = [];
  let isFlushing = false;
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
        logger.warn({ followUps: batch.length, error: describeError(error) }, 'not enqueued, left to the sweep');
      }
      await next;
    }
    isFlushing = false;
  };

  return {
    add(added) {
      if (waiting.length + added.length > maxWaiting) {
        logger.warn({ followUps: added.length }, 'the queue is slow, left to the sweep');
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
