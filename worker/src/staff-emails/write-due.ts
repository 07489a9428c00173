import type { StoredFollowUp } from '@dune-tide/db/follow-ups';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring, type Outage } from '@dune-tide/platform/outage';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { every } from '../delivery/every.ts';

/** A kind of emails to staff that a worker writes when they are due. */
export interface DueEmails {
  /** The name in the log, e.g. `reminders`. */
  readonly name: string;
  readonly write: () => Promise<readonly StoredFollowUp[]>;
  readonly producer: Pick<FollowUpProducer, 'enqueue' | 'outage'>;
  readonly logger: Logger;
}

interface RepeatedEmails extends DueEmails {
  readonly intervalMs: number;
  /** The state of the database. */
  readonly databaseOutage?: Outage | undefined;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
}

/**
 * Writes the emails that are due, and adds jobs for them. If the queue is unavailable, the sweep finds the rows.
 * @returns the number of emails written
 * @throws {DatabaseUnavailableError} nothing was written, or everything
 */
export async function writeDue({ name, write, producer, logger }: DueEmails): Promise<number> {
  const written = await write();
  if (written.length === 0) return 0;
  logger.info({ followUpIds: written.map(({ id }) => id) }, `${name} written`);
  try {
    await producer.enqueue(written);
  } catch (error) {
    logger[levelDuring(producer.outage)](
      { error: describeError(error) },
      `${name} not queued; the sweep will find them`,
    );
  }
  return written.length;
}

/** Writes emails regularly until `closing` is aborted. */
export function startWriting(emails: RepeatedEmails): Promise<void> {
  const { name, intervalMs, databaseOutage, logger, closing } = emails;
  return every({
    async task() {
      await writeDue(emails);
      return intervalMs;
    },
    failure: `${name} not written`,
    retryMs: intervalMs,
    outage: databaseOutage,
    logger,
    closing,
  });
}
