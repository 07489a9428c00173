import { erasure } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { advisoryLocks } from '../connection/index.ts';
import { newFollowUp, type StoredFollowUp } from '../follow-ups/index.ts';

/** The erasures of one account. */
export interface AccountErasures {
  readonly username: string;
  readonly addresses: number;
  readonly leads: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** The content of an email that reports erasures by staff, by account. */
export type ErasureNotice = readonly AccountErasures[];

/**
 * The entries of the audit log that notices report. Those of an earlier release do not count addresses; those with
 * nothing to report are repeated calls for an address.
 */
const isReported = `
  entry.action = 'person_erased' and entry.actor = 'staff' and entry.details -> 'addresses' is not null
  and ((entry.details ->> 'addresses')::integer > 0 or (entry.details ->> 'leads')::integer > 0)`;

/**
 * Writes and reads the emails that report erasures by staff (docs/PRODUCT.md, "Erasure"). Each covers the entries of the
 * audit log after those of the notice before it. Their positions have the order of the commits, so none is missed.
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 */
export function erasureNotices(db: Knex, mailDomain: string) {
  return {
    /**
     * Writes a notice if there are erasures that none covers, at most one an hour. A lock lets only one worker write.
     * @param staffEmail - its recipient; without one, nothing is written
     * @returns the notice; nothing if there is none, or if another worker is writing
     */
    async write(staffEmail: string | undefined): Promise<StoredFollowUp[]> {
      if (staffEmail === undefined) return [];
      return db.transaction(async (transaction): Promise<StoredFollowUp[]> => {
        const { rows: locks } = await transaction.raw<{ rows: { isHeld: boolean }[] }>(
          `select pg_try_advisory_xact_lock(${advisoryLocks.erasureNotices}) as "isHeld"`,
        );
        if (!locks[0]?.isHeld) return [];
        const notice = newFollowUp({ kind: 'erasure_notice', recipient: staffEmail }, mailDomain);
        // While a notice waits, no other is written, so that they do not all arrive after an outage of the mail server.
        const { rowCount } = await transaction.raw<{ rowCount: number }>(
          `with last as (
             select position, f.state in ('pending', 'sending')
               or greatest(f.created_at, f.sent_at) > now() - interval '${erasure.noticeHours} hours' as "isRecent"
             from erasure_notices join follow_ups f using (id) order by position desc limit 1
           ), due as materialized (
             select entry.position from audit_log entry
             where ${isReported} and entry.position > coalesce((select position from last), 0)
               and not exists (select from last where "isRecent")
             order by entry.position desc limit 1
           ), notice as (
             insert into follow_ups (id, kind, recipient, message_id)
             select :id, :kind, :recipient, :message_id where exists (select from due)
             returning id
           )
           insert into erasure_notices (id, position) select notice.id, due.position from notice, due`,
          { ...notice },
        );
        return rowCount > 0 ? [{ id: notice.id, kind: notice.kind }] : [];
      });
    },

    /** Returns the erasures that a notice reports, those of the account with the most addresses in front. */
    async of(followUpId: string): Promise<ErasureNotice> {
      const { rows } = await db.raw<{ rows: AccountErasures[] }>(
        `select staff.username, sum((entry.details ->> 'addresses')::integer)::integer as addresses,
                sum((entry.details ->> 'leads')::integer)::integer as leads,
                min(entry.at) as "firstAt", max(entry.at) as "lastAt"
         from erasure_notices notice
         join audit_log entry on entry.position <= notice.position and entry.position > coalesce(
           (select max(position) from erasure_notices earlier where earlier.position < notice.position), 0
         )
         join staff on staff.id = entry.actor_id
         where notice.id = ? and ${isReported}
         group by staff.username order by addresses desc, staff.username`,
        [followUpId],
      );
      return rows;
    },
  };
}
