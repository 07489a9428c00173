import type { auditEntryResponse } from '@dune-tide/domain/responses/audit-entry';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { maxCountedMatches } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';

/** An entry of the audit log as staff see it. */
export type AuditLogEntry = Presented<typeof auditEntryResponse>;

/** The part of the log to read; a member that is left out allows all. */
export interface AuditFilter {
  /** The account that did something, or to which something was done. */
  readonly personId?: string | undefined;
  readonly action?: string | undefined;
}

/**
 * Reads the audit log, newest first (docs/PRODUCT.md, "Audit log").
 * @param db - a pool or a transaction
 */
export function auditEntries(db: Knex) {
  /** Returns the positions of the newest entries. Each branch reads one index from its end. */
  function positions({ personId, action }: AuditFilter, isAfter: boolean): string {
    const common = [
      'position is not null',
      ...(action === undefined ? [] : ['action = :action']),
      ...(isAfter ? ['position < (select position from audit_log where id = :after)'] : []),
    ];
    const branch = (...own: readonly string[]): string =>
      `(select position from audit_log where ${[...own, ...common].join(' and ')} order by position desc limit :limit)`;
    return personId === undefined
      ? branch()
      : `${branch('actor_id = :personId')} union ${branch('subject_id = :personId')} order by 1 desc limit :limit`;
  }

  return {
    /**
     * Returns a page of the log.
     * @param after - the id of the last entry of the page before
     */
    async page(filter: AuditFilter, limit: number, after: string | undefined): Promise<AuditLogEntry[]> {
      const { rows } = await db.raw<{ rows: AuditLogEntry[] }>(
        `select entry.id, entry.at as "createdAt", entry.actor, actor.name as "actorName", entry.action,
                entry.subject_id as "subjectId", subject.name as "subjectName", origin.network, origin.device
         from (${positions(filter, after !== undefined)}) as chosen (position)
         join audit_log entry on entry.position = chosen.position
         left join staff actor on actor.id = entry.actor_id
         left join staff subject on subject.id = entry.subject_id
         left join audit_origins origin on origin.entry_id = entry.id
         order by entry.position desc`,
        { ...filter, limit, after: after ?? null },
      );
      return rows;
    },

    /** Returns the number of entries, counted up to one more than `maxCountedMatches`. */
    async total(filter: AuditFilter): Promise<number> {
      const { rows } = await db.raw<{ rows: { count: number }[] }>(
        `select count(*)::integer as count from (${positions(filter, false)}) as chosen`,
        { ...filter, limit: maxCountedMatches + 1 },
      );
      return rows[0]?.count ?? 0;
    },
  };
}
