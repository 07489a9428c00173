import { leadDefinitions, leadKinds, type LeadKind } from '@dune-tide/domain/leads';
import { erasure } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { advisoryLocks } from '../connection/index.ts';
import { auditLog } from '../audit-log/index.ts';
import { isEmail } from '../follow-ups/index.ts';
import { identifiersOf } from './identifiers-of.ts';
import { eraseInViews } from './saved-views.ts';

/** Months after their last change in which leads are erased; 0 keeps them. */
export interface RetentionPeriods {
  readonly leads: number;
  readonly applications: number;
}

/** The place in a pass over the leads of a kind: the last lead that was looked at. */
export interface RetentionPlace {
  readonly kind: LeadKind;
  readonly createdAt: Date | null;
  readonly id: string | null;
}

/** A batch of a pass. */
export interface RetainedBatch {
  readonly erased: number;
  /** Where to continue; undefined if the pass has ended, or if another worker is in it. */
  readonly next: RetentionPlace | undefined;
}

/** Leads that one batch looks at. */
const lookedAtTogether = 2_000;

/** Where a pass starts. */
export const retentionStart: RetentionPlace = { kind: leadKinds[0], createdAt: null, id: null };

/**
 * Erases leads whose retention has ended (docs/PRODUCT.md, "Retention"). Any number of workers can use it; only one of
 * them erases at a time.
 * @param db - a pool
 */
export function retentionStore(db: Knex) {
  return {
    /**
     * Looks at the next leads of a kind, oldest first, and erases those that were last changed too long ago: by staff, by
     * an entry in the history, or by an email. It can stop after any batch.
     */
    async eraseSome(periods: RetentionPeriods, { kind, createdAt, id }: RetentionPlace): Promise<RetainedBatch> {
      const months = periods[leadDefinitions[kind].retention];
      const nextKind = leadKinds[leadKinds.indexOf(kind) + 1];
      const following = nextKind && { kind: nextKind, createdAt: null, id: null };
      if (months === 0) return { erased: 0, next: following };
      return db.transaction(async (transaction): Promise<RetainedBatch> => {
        const { rows: locks } = await transaction.raw<{ rows: { isHeld: boolean }[] }>(
          `select pg_try_advisory_xact_lock(${advisoryLocks.retention}) as "isHeld"`,
        );
        if (!locks[0]?.isHeld) return { erased: 0, next: undefined };
        const { rows } = await transaction.raw<{ rows: { id: string; createdAt: Date; isOver: boolean }[] }>(
          `with seen as materialized (
             select leads.id, created_at, updated_at, now() - make_interval(months => :months) as before
             from leads
             where kind = :kind and created_at < now() - make_interval(months => :months)
               ${createdAt === null ? '' : 'and (created_at, leads.id) > (:createdAt::timestamptz, :id::uuid)'}
             order by created_at, leads.id limit ${lookedAtTogether}
           )
           select id, created_at as "createdAt",
                  updated_at < before
                  and not exists (select from lead_events event where event.lead_id = seen.id and event.at >= before)
                  and not exists (
                    select from follow_ups f
                    where f.lead_id = seen.id and ${isEmail('f.kind')} and f.updated_at >= before
                  ) as "isOver"
           from seen order by created_at, id`,
          { months, kind, ...(createdAt !== null && { createdAt: createdAt.toISOString(), id }) },
        );
        const over = rows.filter(({ isOver }) => isOver);
        const erased = over.slice(0, erasure.leadsTogether);
        // Leads that are locked are being changed, so their time has not ended.
        const { rows: locked } = await transaction.raw<{ rows: { id: string }[] }>(
          `select id from leads where id = any (:ids::uuid[])
             and updated_at < now() - make_interval(months => :months)
           order by id for update skip locked`,
          { ids: erased.map((lead) => lead.id), months },
        );
        if (locked.length > 0) {
          const ids = locked.map((lead) => lead.id);
          const identifiers = await identifiersOf(transaction, ids);
          await transaction.raw('select erase_leads(?::uuid[])', [ids]);
          await eraseInViews(transaction, identifiers);
          await auditLog(transaction).add({
            action: 'leads_expired',
            actor: 'system',
            details: { leads: locked.length, months },
          });
        }
        const last = over.length > erased.length ? erased.at(-1) : rows.at(-1);
        const isLastBatch = rows.length < lookedAtTogether && over.length === erased.length;
        return {
          erased: locked.length,
          next: isLastBatch || !last ? following : { kind, createdAt: last.createdAt, id: last.id },
        };
      });
    },

    /**
     * Deletes the oldest entries of the audit log that are older than `months`.
     * @returns the number of deleted entries; 0 if none is left
     */
    async removeAuditEntries(months: number): Promise<number> {
      const { rows } = await db.raw<{ rows: { removed: string }[] }>(`select remove_old_audit_entries(?) as removed`, [
        months,
      ]);
      return Number(rows[0]?.removed);
    },

    /**
     * Deletes the networks and devices of the audit log that are older than `auditOriginDays`.
     * @returns the number of deleted rows; 0 if none is left
     */
    async removeAuditOrigins(): Promise<number> {
      const { rows } = await db.raw<{ rows: { removed: string }[] }>('select remove_old_audit_origins() as removed');
      return Number(rows[0]?.removed);
    },
  };
}
