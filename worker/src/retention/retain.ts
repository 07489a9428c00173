import {
  retentionStart,
  type RetentionPeriods,
  type RetentionPlace,
  type retentionStore,
} from '@dune-tide/db/personal-data';
import type { Logger } from '@dune-tide/platform/log';
import type { Outage } from '@dune-tide/platform/outage';
import { every, rest } from '../delivery/every.ts';

export interface RetainDependencies {
  readonly retention: ReturnType<typeof retentionStore>;
  readonly periods: RetentionPeriods;
  /** Months after which entries of the audit log are deleted. */
  readonly auditMonths: number;
  readonly logger: Logger;
  /** The state of the database. */
  readonly databaseOutage?: Outage | undefined;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
  /** Waits between two batches and between two passes; {@link rest} by default. */
  readonly wait?: typeof rest;
}

/** The time between two passes. */
const passEveryMs = 24 * 60 * 60_000;
/** The first pass, so that workers that start one after the other do not delay the emails that wait. */
const firstPassMs = 60_000;
/** The pause after a failure. */
const retryMs = 5 * 60_000;
/** The least pause between two batches. */
const leastPauseMs = 50;

/**
 * Erases the leads and deletes the entries of the audit log, and their networks and devices, whose retention has ended
 * (docs/PRODUCT.md, "Retention").
 * The pass leaves the database half of the time to others, and ends early when the worker closes; the next one
 * continues where it is due.
 * @returns the number of leads that were erased
 * @throws {DatabaseUnavailableError}
 */
export async function retain({
  retention,
  periods,
  auditMonths,
  logger,
  closing,
  wait = rest,
}: RetainDependencies): Promise<number> {
  let leads = 0;
  let place: RetentionPlace | undefined = retentionStart;
  while (place && !closing.aborted) {
    const since = performance.now();
    const batch: Awaited<ReturnType<typeof retention.eraseSome>> = await retention.eraseSome(periods, place);
    leads += batch.erased;
    place = batch.next;
    if (place?.createdAt) await wait(Math.max(leastPauseMs, performance.now() - since), closing);
  }
  const removeAll = async (removeSome: () => Promise<number>): Promise<number> => {
    let total = 0;
    for (let removed = 1; removed > 0 && !closing.aborted;) {
      const since = performance.now();
      removed = await removeSome();
      total += removed;
      if (removed > 0) await wait(Math.max(leastPauseMs, performance.now() - since), closing);
    }
    return total;
  };
  const auditEntries = await removeAll(() => retention.removeAuditEntries(auditMonths));
  const auditOrigins = await removeAll(() => retention.removeAuditOrigins());
  if (leads > 0 || auditEntries > 0 || auditOrigins > 0) {
    logger.info({ leads, auditEntries, auditOrigins }, 'retention ended');
  }
  return leads;
}

/** Runs a pass every day until `closing` is aborted. */
export function startRetaining(dependencies: RetainDependencies): Promise<void> {
  const { logger, databaseOutage: outage, closing, wait = rest } = dependencies;
  return every({
    async task() {
      await retain(dependencies);
      return passEveryMs;
    },
    failure: 'retention not applied',
    retryMs,
    firstMs: firstPassMs,
    outage,
    logger,
    closing,
    wait,
  });
}
