import type { AuditHead } from '@dune-tide/db/audit-log';
import { auditHeadMessage, type Logger } from '@dune-tide/platform/log';
import type { Outage } from '@dune-tide/platform/outage';
import { every, type rest } from '../delivery/every.ts';

export interface NoteHeadDependencies {
  /** Reads the last entry of the audit log; undefined if it is empty. */
  readonly head: () => Promise<AuditHead | undefined>;
  /** Puts a noted head on /metrics. */
  readonly show?: ((head: AuditHead) => void) | undefined;
  readonly logger: Logger;
  /** The state of the database. */
  readonly databaseOutage?: Outage | undefined;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
  /** Waits between two notes. */
  readonly wait?: typeof rest;
}

const dayMs = 24 * 60 * 60_000;
/** The pause after a failure. */
const retryMs = 5 * 60_000;

/**
 * Logs the last entry of the audit log at the start and once a day, until `closing` is aborted. The log and Prometheus
 * thus hold heads that the owner of the database cannot change, which `make audit-check` compares (docs/PRODUCT.md,
 * "Audit log").
 */
export function startNotingHead(dependencies: NoteHeadDependencies): Promise<void> {
  const { head, show, logger, databaseOutage: outage, closing, wait } = dependencies;
  return every({
    async task() {
      const noted = await head();
      if (noted) {
        logger.info({ position: noted.position, hash: noted.hash }, auditHeadMessage);
        show?.(noted);
      }
      return dayMs;
    },
    failure: 'audit log head not read',
    retryMs,
    outage,
    logger,
    closing,
    ...(wait && { wait }),
  });
}
