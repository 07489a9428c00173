import { followUpLedger, type Hold } from '@dune-tide/db/follow-ups';
import type { Logger } from '@dune-tide/platform/log';
import { startConsumer, type FollowUpProducer, type QueueSettings } from '@dune-tide/platform/queue';
import type { Knex } from 'knex';
import { deliver } from './deliver.ts';
import type { ComposeDependencies } from './jobs/compose.ts';
import { startSweeping } from './jobs/sweep.ts';
import type { Mailer } from './mail/mailer.ts';

export interface WorkerDependencies extends ComposeDependencies {
  readonly database: Knex;
  readonly producer: FollowUpProducer;
  readonly queue: QueueSettings;
  readonly mailer: Mailer;
  readonly concurrency: number;
  readonly logger: Logger;
}

/**
 * Starts to pay follow-ups. Reads no environment.
 * @returns a function that finishes the sends under way and takes no new ones
 */
export async function startWorker(dependencies: WorkerDependencies): Promise<{ close(): Promise<void> }> {
  const { database, producer, queue, concurrency, logger } = dependencies;
  const ledger = followUpLedger(database);
  const lostClaims = new Set<Hold>();
  const consumer = await startConsumer(
    queue,
    (wakeUp) => deliver(wakeUp, { ...dependencies, ledger, lostClaims }),
    concurrency,
    logger,
  );
  const sweeping = startSweeping({ ledger, producer, logger, lostClaims });
  return {
    async close() {
      await sweeping.close();
      await consumer.close();
    },
  };
}
