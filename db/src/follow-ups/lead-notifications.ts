import { brand } from '@dune-tide/domain/brand';
import type { LeadEmails } from '@dune-tide/domain/lead-emails';
import type { LeadKind } from '@dune-tide/domain/leads';
import { leadNotificationLimit } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { advisoryLocks } from '../connection/index.ts';
import { newFollowUp, type StoredFollowUp } from './new-follow-up.ts';

/** A lead in an email about assigned leads and mentions. */
export interface NotifiedLead {
  readonly id: string;
  readonly kind: LeadKind;
  readonly isAssigned: boolean;
  /** The number of notes that mention the account. */
  readonly mentions: number;
}

/** The content of an email about assigned leads and mentions. */
export interface LeadNotification {
  /** The account that is notified. */
  readonly staffId: string;
  /** The day on which the email was written, as YYYY-MM-DD in the studio's time zone. */
  readonly day: string;
  /** At most the wanted number of leads, those of the first notification in front. */
  readonly leads: readonly NotifiedLead[];
  readonly total: number;
}

const { collectSeconds } = leadNotificationLimit;

/** The time after which the notifications of an account are sent. */
const collected = `make_interval(secs => case staff.lead_emails
  when '${'immediate' satisfies LeadEmails}' then ${collectSeconds.immediate} else ${collectSeconds.hourly}
end)`;

/** Whether an account gets emails about leads. */
const isReachable = `staff.is_active and staff.email is not null and staff.lead_emails <> 'never'`;

/**
 * Writes and reads the emails about assigned leads and mentions (docs/PRODUCT.md, "Notifications").
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 */
export function leadNotificationStore(db: Knex, mailDomain: string) {
  return {
    /**
     * Writes an email for each account whose first waiting notification is old enough. It lists all that wait. The email
     * and its list are committed together, and a lock lets only one worker write. While an email to an account waits to
     * be sent, no other is written for it.
     * @returns the emails; none if another worker is writing
     */
    async write(): Promise<StoredFollowUp[]> {
      return db.transaction(async (transaction): Promise<StoredFollowUp[]> => {
        const { rows: locks } = await transaction.raw<{ rows: { isHeld: boolean }[] }>(
          `select pg_try_advisory_xact_lock(${advisoryLocks.leadNotifications}) as "isHeld"`,
        );
        if (!locks[0]?.isHeld) return [];
        await transaction.raw(`delete from lead_notifications where withdrawn_at < now() - interval '1 minute'`);
        // Otherwise old notifications would be sent when the account gets an address or another choice.
        await transaction.raw(
          `update lead_notifications set waits_for_email = false
           from staff where waits_for_email and staff.id = staff_id and not (${isReachable})`,
        );
        const written: StoredFollowUp[] = [];
        for (const { id: staffId, email } of await accountsToNotify(transaction)) {
          const notification = newFollowUp({ kind: 'lead_notification', recipient: email }, mailDomain);
          // One statement, because a lead can be opened or taken away after the accounts were read.
          const { rowCount } = await transaction.raw<{ rowCount: number }>(
            `with due as materialized (
               select id from lead_notifications
               where staff_id = :staffId and waits_for_email and withdrawn_at is null for update
             ), written as (
               insert into follow_ups (id, kind, recipient, message_id)
               select :id, :kind, :recipient, :message_id where exists (select from due)
               returning id
             )
             update lead_notifications n set waits_for_email = false, follow_up_id = written.id
             from due, written where n.id = due.id`,
            { ...notification, staffId },
          );
          if (rowCount > 0) written.push({ id: notification.id, kind: notification.kind });
        }
        return written;
      });
    },

    /**
     * Returns what an email reports: the leads that are still assigned to the account, or in whose notes it is still
     * mentioned, and that it has not opened in the meantime.
     * @param limit - the number of leads
     * @returns undefined if there are none
     */
    async of(followUpId: string, limit: number): Promise<LeadNotification | undefined> {
      const { rows } = await db.raw<{
        rows: (NotifiedLead & Pick<LeadNotification, 'staffId' | 'day' | 'total'>)[];
      }>(
        `select leads.id, leads.kind, bool_or(n.note_id is null) as "isAssigned", count(n.note_id)::integer as mentions,
                n.staff_id as "staffId", count(*) over ()::integer as total,
                to_char(f.created_at at time zone '${brand.timeZone}', 'YYYY-MM-DD') as day
         from lead_notifications n
         join leads on leads.id = n.lead_id
         join follow_ups f on f.id = n.follow_up_id
         where f.id = :followUpId and n.withdrawn_at is null
         group by leads.id, n.staff_id, f.created_at
         order by min(n.created_at), leads.id limit :limit`,
        { followUpId, limit },
      );
      const [first] = rows;
      if (!first) return undefined;
      const { staffId, day, total } = first;
      const leads = rows.map(({ id, kind, isAssigned, mentions }) => ({ id, kind, isAssigned, mentions }));
      return { staffId, day, total, leads };
    },
  };
}

/** Returns the accounts whose first waiting notification is old enough. */
async function accountsToNotify(transaction: Knex.Transaction): Promise<{ id: string; email: string }[]> {
  const { rows } = await transaction.raw<{ rows: { id: string; email: string }[] }>(
    `select staff.id, staff.email
     from (
       select staff_id, min(created_at) as since from lead_notifications
       where waits_for_email and withdrawn_at is null group by staff_id
     ) as waiting
     join staff on staff.id = waiting.staff_id and ${isReachable}
     where since <= now() - ${collected} and not exists (
       select from lead_notifications n join follow_ups f on f.id = n.follow_up_id
       where n.staff_id = staff.id and f.recipient = staff.email and f.state in ('pending', 'sending')
     )
     order by since`,
  );
  return rows;
}
