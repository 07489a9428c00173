import { reminderLimit } from '@dune-tide/domain/limits';
import type { LeadKind, LeadResponse } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import { advisoryLocks, selectList } from '../connection/index.ts';
import {
  clockStart,
  dueAt,
  needsAnswer,
  overdueBefore,
  promised,
  response,
  soonUntil,
} from '../lead-expressions/index.ts';
import { newFollowUp, type StoredFollowUp } from './new-follow-up.ts';

/** A lead in a reminder, without personal data. */
export interface RemindedLead {
  readonly id: string;
  readonly kind: LeadKind;
  readonly createdAt: Date;
  /** Null if the lead was marked as spam after the reminder was written. */
  readonly dueAt: Date | null;
  readonly response: LeadResponse;
}

const remindedColumns = selectList({
  id: 'leads.id',
  kind: 'leads.kind',
  createdAt: 'leads.created_at',
  dueAt,
  response,
} satisfies Record<keyof RemindedLead, string>);

/** The stage of a lead that needs an answer and is due soon or overdue. */
const stage = `case when ${clockStart} < ${overdueBefore} then 'overdue' else 'soon' end`;

/**
 * Writes and reads the reminders of leads that need an answer (docs/PRODUCT.md, "Reminders").
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 */
export function reminderStore(db: Knex, mailDomain: string) {
  return {
    /**
     * Writes a reminder for each address that has leads to be reminded of, at most one an hour. The reminder and its
     * leads are committed together, and a lock lets only one worker write. Each lead is written at most once as due
     * soon and at most once as overdue.
     * @param staffEmail - the address for leads whose owner has none; undefined if there is none
     * @returns the reminders; none if another worker is writing
     */
    async write(staffEmail: string | undefined): Promise<StoredFollowUp[]> {
      return db.transaction(async (transaction): Promise<StoredFollowUp[]> => {
        const { rows: locks } = await transaction.raw<{ rows: { isHeld: boolean }[] }>(
          `select pg_try_advisory_xact_lock(${advisoryLocks.reminders}) as "isHeld"`,
        );
        if (!locks[0]?.isHeld) return [];
        const addresses = await addressesToRemind(transaction, staffEmail);
        const written: StoredFollowUp[] = [];
        for (const address of addresses) {
          const reminder = newFollowUp({ kind: 'reminder', recipient: address }, mailDomain);
          // One statement, because a lead can be answered after the addresses were read.
          const { rowCount } = await transaction.raw<{ rowCount: number }>(
            `with due as materialized (
               select * from (${leadsToRemind}) as every
               where lower(address) = lower(:recipient) order by start limit :limit
             ), reminder as (
               insert into follow_ups (id, kind, recipient, message_id)
               select :id, :kind, :recipient, :message_id where exists (select from due)
               returning id
             )
             insert into lead_reminders (lead_id, stage, follow_up_id)
             select due.id, due.stage, reminder.id from due, reminder`,
            { ...reminder, staffEmail: staffEmail ?? null, limit: reminderLimit.leads },
          );
          if (rowCount > 0) written.push({ id: reminder.id, kind: reminder.kind });
        }
        return written;
      });
    },

    /**
     * Returns the leads of a reminder that still need an answer, those due first in front.
     * @returns at most `limit` leads, and the number of all
     */
    async leadsOf(
      followUpId: string,
      limit: number,
    ): Promise<{ readonly leads: readonly RemindedLead[]; readonly total: number }> {
      const { rows } = await db.raw<{ rows: (RemindedLead & { total: number })[] }>(
        `select ${remindedColumns}, count(*) over ()::integer as total
         from lead_reminders join leads on leads.id = lead_id
         where follow_up_id = :followUpId and ${needsAnswer}
         order by ${clockStart}, leads.id limit :limit`,
        { followUpId, limit },
      );
      const leads = rows.map(({ id, kind, createdAt, dueAt: due, response: now }): RemindedLead => {
        return { id, kind, createdAt, dueAt: due, response: now };
      });
      return { leads, total: rows[0]?.total ?? 0 };
    },
  };
}

/**
 * Leads that have entered a stage within the window and are in no reminder for that stage, each with the address to
 * remind. An overdue lead is in a reminder as overdue only, even if it was in none as due soon.
 */
const leadsToRemind = `
  select * from (
    select id, ${clockStart} as start, ${stage} as stage,
           coalesce((select email from staff where staff.id = owner_id and is_active), :staffEmail::text) as address
    from leads
    where ${needsAnswer}
      and ${clockStart} <= ${soonUntil}
      and ${clockStart} > now() - ${promised} - interval '${reminderLimit.windowDays} days'
  ) as late
  where address is not null and not exists (
    select from lead_reminders reminded where reminded.lead_id = late.id and reminded.stage = late.stage
  )`;

/**
 * Returns the addresses that have leads to be reminded of and got no reminder within the last hour. While a reminder
 * waits, its address gets no other one, so that not all of them arrive together after an outage of the mail server.
 */
async function addressesToRemind(transaction: Knex.Transaction, staffEmail: string | undefined): Promise<string[]> {
  const { rows } = await transaction.raw<{ rows: { address: string }[] }>(
    `select min(address) as address from (${leadsToRemind}) as due
     where not exists (
       select from follow_ups
       where kind = 'reminder' and lower(recipient) = lower(due.address)
         and (
           state in ('pending', 'sending')
           or greatest(follow_ups.created_at, sent_at) > now() - interval '${reminderLimit.hours} hours'
         )
     )
     group by lower(address)`,
    { staffEmail: staffEmail ?? null },
  );
  return rows.map(({ address }) => address);
}
