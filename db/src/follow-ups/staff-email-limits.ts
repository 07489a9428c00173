import { correctableKinds } from '@dune-tide/domain/follow-ups';
import { staffEmailLimits } from '@dune-tide/domain/limits';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import type { Knex } from 'knex';
import { advisoryLocks } from '../connection/index.ts';
import { quoted } from '../lead-expressions/index.ts';

/** The subjects of the limits: each counts the emails that staff have sent to visitors for one of these. */
export type StaffEmailLimit = 'lead' | 'account' | 'mailbox';
export type StaffEmailLimits = Readonly<Record<StaffEmailLimit, number>>;

/** The limits of docs/PRODUCT.md, "Limits of replies". */
export const standardStaffEmailLimits: StaffEmailLimits = {
  lead: staffEmailLimits.perLead,
  account: staffCalls.reply.perHour,
  mailbox: staffEmailLimits.perMailboxAndHour,
};

/** A limit that is used up, and the seconds until it allows another email. */
export interface ReachedLimit {
  readonly limit: StaffEmailLimit;
  readonly retryAfterSeconds: number;
}

/** An email that a member of staff wants to send. */
export interface StaffEmail {
  readonly recipient: string;
  /** The lead of a new reply. */
  readonly leadId?: string;
  /** The author of a new reply or of a corrected address. */
  readonly accountId?: string;
  /** A follow-up that does not count, because it is sent again or replaced. */
  readonly except?: string | undefined;
}

/** The kinds of emails to visitors, for `in`. */
export const visitorKinds = quoted(correctableKinds);

const isNotWithdrawn = (row: string): string =>
  `not exists (select from lead_replies reply where reply.id = ${row}.id and reply.withdrawn_at is not null)`;

/** The emails to a mailbox that staff have sent within an hour: replies, retries and emails with a corrected address. */
const sentTo = (mailbox: string, exceptId: string): string => `
  from follow_ups sent
  where mailbox_of(sent.recipient) = ${mailbox} and (sent.kind = 'reply' or sent.retried_at is not null)
    and sent.kind in (${visitorKinds}) and sent.id is distinct from ${exceptId}
    and coalesce(sent.retried_at, sent.created_at) > statement_timestamp() - interval '1 hour'
    and ${isNotWithdrawn('sent')}`;

/** Returns the number of emails that count for the mailbox of `row`, without that row; at most `limit`. */
export const sentToMailboxOf = (row: string, limit: number): string =>
  `(select count(*) from (select ${sentTo(`mailbox_of(${row}.recipient)`, `${row}.id`)} limit ${limit}) as counted)`;

/**
 * Waits until no other transaction is between the check of a limit and its commit, so that concurrent calls on several
 * processes cannot exceed it. Take it after the lock on the lead and before those on follow-ups.
 */
export async function lockStaffEmails(transaction: Knex): Promise<void> {
  await transaction.raw(`select pg_advisory_xact_lock(${advisoryLocks.staffEmails})`);
}

/**
 * Returns the limit that an email would exceed; the one that lasts longest if there are several. Call `lockStaffEmails`
 * before it, in the same transaction.
 * @param limits - null turns them off
 */
export async function reachedLimit(
  transaction: Knex,
  limits: StaffEmailLimits | null,
  { recipient, leadId, accountId, except }: StaffEmail,
): Promise<ReachedLimit | undefined> {
  if (!limits) return undefined;
  // The time of the oldest email that must leave the window before the limit allows another one.
  const blocking = (limit: StaffEmailLimit, minutes: number, times: string): string =>
    `select '${limit}' as "limit",
            (select at from (${times}) as counted order by at desc offset ${limits[limit] - 1} limit 1)
              + interval '${minutes} minutes' as until`;
  const replies = `from follow_ups sent join lead_replies reply using (id)
    where sent.kind = 'reply' and reply.withdrawn_at is null and sent.id is distinct from :except`;
  const { rows } = await transaction.raw<{ rows: ReachedLimit[] }>(
    `select "limit", ceil(extract(epoch from until - statement_timestamp()))::integer as "retryAfterSeconds"
     from (
       ${[
         blocking(
           'mailbox',
           60,
           `select coalesce(sent.retried_at, sent.created_at) as at ${sentTo('mailbox_of(:recipient)', ':except')}`,
         ),
         ...(leadId === undefined
           ? []
           : [
               blocking(
                 'lead',
                 staffEmailLimits.leadMinutes,
                 `select sent.created_at as at ${replies} and sent.lead_id = :leadId`,
               ),
             ]),
         ...(accountId === undefined
           ? []
           : [
               blocking(
                 'account',
                 60,
                 `select sent.created_at as at ${replies} and reply.author_id = :accountId
                    and sent.created_at > statement_timestamp() - interval '1 hour'
                  union all
                  select at from lead_events
                  where kind = 'address_corrected' and actor_id = :accountId
                    and at > statement_timestamp() - interval '1 hour'`,
               ),
             ]),
       ].join(' union all ')}
     ) as reached
     where until > statement_timestamp() order by until desc limit 1`,
    {
      recipient,
      except: except ?? null,
      ...(leadId !== undefined && { leadId }),
      ...(accountId !== undefined && { accountId }),
    },
  );
  return rows[0];
}
