import type { leadNotificationStore } from '@dune-tide/db/follow-ups';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring, type Outage } from '@dune-tide/platform/outage';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { every } from '../delivery/every.ts';

export interface NotifyDependencies {
  readonly notifications: Pick<ReturnType<typeof leadNotificationStore>, 'write'>;
  readonly producer: Pick<FollowUpProducer, 'enqueue' | 'outage'>;
  readonly logger: Logger;
  /** The state of the database. */
  readonly databaseOutage?: Outage | undefined;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
}

const intervalMs = 10_000;

/**
 * Writes the emails about assigned leads and mentions that are due, and adds jobs for them. If the queue is unavailable,
 * the sweep finds the rows.
 * @returns the number of emails written
 * @throws {DatabaseUnavailableError} nothing was written, or everything
 */
export async function notify({ notifications, producer, logger }: NotifyDependencies): Promise<number> {
  const written = await notifications.write();
  if (written.length === 0) return 0;
  logger.info({ notifications: written.map(({ id }) => id) }, 'notifications written');
  try {
    await producer.enqueue(written);
  } catch (error) {
    logger[levelDuring(producer.outage)](
      { error: describeError(error) },
      'notifications not queued; the sweep will find them',
    );
  }
  return written.length;
}

/** Notifies regularly until `closing` is aborted. */
export function startNotifying(dependencies: NotifyDependencies): Promise<void> {
  return every({
    async task() {
      await notify(dependencies);
      return intervalMs;
    },
    failure: 'notifications not written',
    retryMs: intervalMs,
    outage: dependencies.databaseOutage,
    logger: dependencies.logger,
    closing: dependencies.closing,
  });
}
