import type { followUpClaims, LeasedRow } from '@dune-tide/db/follow-ups';
import type { Logger } from '@dune-tide/platform/log';
import type { Outage } from '@dune-tide/platform/outage';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { every, type RepeatedTask } from './every.ts';
import type { Transports } from './transport.ts';

export interface SweepDependencies {
  readonly followUps: ReturnType<typeof followUpClaims>;
  readonly producer: FollowUpProducer;
  readonly transports: Transports;
  readonly logger: Logger;
  /** Claims of this worker whose response was lost or whose release failed. The sweep removes them. */
  readonly orphanedClaims: Set<LeasedRow>;
  readonly databaseOutage?: Outage | undefined;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
}

const batchSize = 500;
/** With this many waiting jobs the workers are busy, and some of the jobs may be for rows that the sweep would find. */
const enoughJobs = 1_000;
const intervalMs = 2_000;

/**
 * Adds jobs for rows that are due and have none: the API could not enqueue them, the queue lost their jobs, their worker
 * died, or their delay has passed. Every worker runs the sweep on its own timer, because a sweep that is scheduled in the
 * queue would be lost together with the jobs.
 * @param includesExpired - whether it finds rows whose leases have expired
 * @returns the number of rows found
 */
export async function sweep(dependencies: SweepDependencies, includesExpired = true): Promise<number> {
  const { followUps, producer, transports, logger, orphanedClaims, closing } = dependencies;
  while (orphanedClaims.size > 0) {
    const claims = [...orphanedClaims].slice(0, batchSize);
    await followUps.releaseUnsent(claims);
    for (const claim of claims) orphanedClaims.delete(claim);
  }
  if (producer.outage?.isOut) return 0;
  const outages = Object.values(transports).map(({ outage }) => outage);
  const isOut = outages.length > 0 && outages.every((outage) => outage?.isOut);
  // Rows that cannot be sent stay as they are. One is needed if only a send can tell whether the outage has ended.
  if (isOut && !outages.some((outage) => outage?.wantsUse)) return 0;
  const limit = isOut ? 1 : batchSize;
  let found = 0;
  // A long backlog may never end: the first rows are due again before the last one is found.
  while (!closing.aborted) {
    // `postponeDue` postpones the rows that it returns, so an unavailable queue must fail before that. A read-only queue
    // fails at `enqueue`; its rows are found again later.
    const { waiting } = await producer.depth();
    if (waiting > enoughJobs) break;
    const overdue = await followUps.postponeDue(limit, includesExpired);
    // A later release may have written kinds that this one cannot send.
    const known = overdue.filter(({ kind }) => Object.hasOwn(transports, kind));
    if (known.length > 0) await producer.enqueue(known);
    found += overdue.length;
    if (isOut || overdue.length < batchSize) break;
  }
  if (found > 0) logger.info({ followUps: found }, 'swept');
  return found;
}

/** Sweeps regularly until `closing` is aborted. */
export function startSweeping(
  dependencies: SweepDependencies,
  { wait }: Pick<RepeatedTask, 'wait'> = {},
): Promise<void> {
  return every({
    async task(isAfterOutage) {
      await sweep(dependencies, !isAfterOutage);
      return intervalMs;
    },
    failure: 'sweep failed',
    retryMs: intervalMs,
    outage: dependencies.databaseOutage,
    logger: dependencies.logger,
    closing: dependencies.closing,
    ...(wait && { wait }),
  });
}
