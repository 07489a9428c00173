import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring } from '@dune-tide/platform/outage';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';

/** Removes the jobs of erased follow-ups. Never throws. */
export type JobRemoval = (followUpIds: readonly string[]) => Promise<void>;

/**
 * Returns a function that removes the jobs of erased follow-ups. If the queue is unavailable, the jobs stay: they hold
 * ids only, and the worker drops them because their rows are gone.
 */
export function jobRemoval(producer: FollowUpProducer, logger: Logger): JobRemoval {
  return async (followUpIds) => {
    try {
      await producer.remove(followUpIds);
    } catch (error) {
      logger[levelDuring(producer.outage)](
        { error: describeError(error) },
        'jobs of erased follow-ups not removed; the worker will drop them',
      );
    }
  };
}
