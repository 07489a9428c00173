import type { StoredFollowUp } from '@dune-tide/db/follow-ups';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring, type Outage } from '@dune-tide/platform/outage';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { every } from '../delivery/every.ts';

export interface RemindDependencies {
  /** The emails to staff that are due: reminders, or notices of erasures. */
  readonly reminders: { write(staffEmail: string | undefined): Promise<readonly StoredFollowUp[]> };
  /** The address for leads whose owner has none, and for notices of erasures. */
  readonly staffEmail: string | undefined;
  readonly producer: Pick<FollowUpProducer, 'enqueue' | 'outage'>;
  readonly logger: Logger;
  /** The state of the database. */
  readonly databaseOutage?: Outage | undefined;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
}

const intervalMs = 30_000;

/**
 * Writes the reminders or notices that are due, and adds jobs for them. If the queue is unavailable, the sweep finds the rows.
 * @returns the number of emails written
 * @throws {DatabaseUnavailableError} nothing was written, or everything
 */
export async function remind({ reminders, staffEmail, producer, logger }: RemindDependencies): Promise<number> {
  const written = await reminders.write(staffEmail);
  if (written.length === 0) return 0;
  logger.info({ reminders: written.map(({ id }) => id) }, 'reminders written');
  try {
    await producer.enqueue(written);
  } catch (error) {
    logger[levelDuring(producer.outage)](
      { error: describeError(error) },
      'reminders not queued; the sweep will find them',
    );
  }
  return written.length;
}

/** Reminds regularly until `closing` is aborted. */
export function startReminding(dependencies: RemindDependencies): Promise<void> {
  return every({
    async task() {
      await remind(dependencies);
      return intervalMs;
    },
    failure: 'reminders not written',
    retryMs: intervalMs,
    outage: dependencies.databaseOutage,
    logger: dependencies.logger,
    closing: dependencies.closing,
  });
}
