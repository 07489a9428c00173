import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import {
  leadNotificationStore,
  reminderStore,
  webhookStore,
  followUpClaims,
  type EmailLimits,
  type LeasedRow,
} from '@dune-tide/db/follow-ups';
import { auditHead, type AuditHead } from '@dune-tide/db/audit-log';
import { leadSearchIndex } from '@dune-tide/db/leads';
import { erasureNotices, retentionStore, type RetentionPeriods } from '@dune-tide/db/personal-data';
import { brand } from '@dune-tide/domain/brand';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { QueueSettings } from '@dune-tide/platform/queue/connections';
import { startConsumer } from '@dune-tide/platform/queue/consumer';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import type { Outage } from '@dune-tide/platform/outage';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import { startNotingHead } from './audit/note-head.ts';
import { deliver, settleNotes } from './delivery/deliver.ts';
import { openGate } from './delivery/gate.ts';
import { openRetryLane } from './delivery/retry-lane.ts';
import type { SentNotes } from './delivery/sent-notes.ts';
import { startSweeping } from './delivery/sweep.ts';
import { startRetaining } from './retention/retain.ts';
import { startFillingSearch } from './search/fill-search.ts';
import type { Transport, Transports } from './delivery/transport.ts';
import { startWriting } from './staff-emails/write-due.ts';
import { startSendingWebhooks } from './webhooks/send-webhooks.ts';

export interface WorkerDependencies {
  readonly database: Knex;
  readonly producer: FollowUpProducer;
  readonly queue: QueueSettings;
  readonly transports: Transports;
  readonly sentNotes: SentNotes;
  /** The state of the database; undefined if it is always tried. */
  readonly databaseOutage?: Outage | undefined;
  /** The largest number of follow-ups that are sent concurrently. */
  readonly concurrency: number;
  /** The email limits; null for none. */
  readonly limits: EmailLimits | null;
  readonly logger: Logger;
  /** Receives the reminders of leads whose owner has no address; undefined if none does. */
  readonly staffEmail?: string | undefined;
  /** When leads and entries of the audit log are erased; never by default. */
  readonly retention?: { readonly periods: RetentionPeriods; readonly auditMonths: number } | undefined;
  /** Puts the last entry of the audit log on /metrics. */
  readonly showAuditHead?: ((head: AuditHead) => void) | undefined;
  /** Sends webhooks; without it they wait. */
  readonly webhookTransport?: Transport | undefined;
}

export interface RunningWorker {
  /** Stops taking follow-ups and waits for the sends in progress. */
  close(): Promise<void>;
}

/** Starts to deliver follow-ups. */
export async function startWorker(dependencies: WorkerDependencies): Promise<RunningWorker> {
  const { database, producer, queue, transports, concurrency, limits, logger, staffEmail } = dependencies;
  const { webhookTransport, sentNotes, retention, databaseOutage } = dependencies;
  const followUps = followUpClaims(database, limits);
  const orphanedClaims = new Set<LeasedRow>();
  const closing = new AbortController();
  const delivery = {
    ...dependencies,
    followUps,
    orphanedClaims,
    inProgress: new Set<string>(),
    claims: openGate(concurrency),
    sends: pLimit(concurrency),
    // With more than one connection, one is reserved for first attempts.
    retries: openRetryLane(Math.max(1, concurrency - 1)),
    closing: closing.signal,
  };
  // Runs before the first claim, because a follow-up with a note would be sent again.
  await settleNotes(delivery);
  // One third of the jobs is being sent, one third is claimed, and one third waits to be claimed.
  const atOnce = 3 * concurrency;
  const kinds = Object.keys(transports);
  /** Delivers a follow-up, again after an outage of the database in which it could not be claimed. */
  const handle = async (wakeUp: WakeUp): Promise<void> => {
    for (let isAgain = false; ; isAgain = true) {
      try {
        return await deliver(wakeUp, delivery);
      } catch (error) {
        const isOut = databaseOutage?.isOut ?? false;
        const mayWork = databaseOutage && error instanceof DatabaseUnavailableError && !isAgain;
        if (!isOut && !mayWork) throw error;
        const { id: followUpId, kind } = wakeUp;
        logger.debug({ followUpId, kind, error: describeError(error) }, 'follow-up not handled');
      }
    }
  };
  const consumer = await startConsumer(queue, handle, atOnce, logger, kinds);
  const loop = { logger, databaseOutage, closing: closing.signal };
  const writing = { ...loop, producer, intervalMs: 30_000 };
  const reminders = reminderStore(database, brand.mailDomain);
  const erasures = erasureNotices(database, brand.mailDomain);
  const notifications = leadNotificationStore(database, brand.mailDomain);
  const loops = [
    startSweeping({ ...loop, followUps, producer, transports, orphanedClaims }),
    startWriting({ ...writing, name: 'reminders', write: () => reminders.write(staffEmail) }),
    startWriting({ ...writing, name: 'erasure notices', write: () => erasures.write(staffEmail) }),
    startWriting({ ...writing, name: 'notifications', write: () => notifications.write(), intervalMs: 10_000 }),
    startFillingSearch({ ...loop, index: leadSearchIndex(database) }),
    startNotingHead({ ...loop, head: () => auditHead(database), show: dependencies.showAuditHead }),
    retention && startRetaining({ ...loop, ...retention, retention: retentionStore(database) }),
    webhookTransport &&
      startSendingWebhooks({
        ...loop,
        webhooks: webhookStore(database),
        followUps,
        transport: webhookTransport,
        sentNotes,
      }),
  ];
  return {
    async close() {
      closing.abort();
      const outages = [
        databaseOutage,
        webhookTransport?.outage,
        ...Object.values(transports).map(({ outage }) => outage),
      ];
      for (const outage of outages) outage?.stopWaiting();
      await Promise.all([...loops, consumer.close()]);
    },
  };
}
