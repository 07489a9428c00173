import {
  conversationKinds,
  correctableKinds,
  limitedKinds,
  type FollowUpKind,
  type FollowUpState,
} from '@dune-tide/domain/follow-ups';
import { replyDelaySeconds, replyQuote } from '@dune-tide/domain/limits';
import type { replyResponse } from '@dune-tide/domain/responses/history';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import { auditLog } from '../audit-log/index.ts';
import { newId } from '../connection/index.ts';
import { countActivity, quoted, type Person } from '../lead-expressions/index.ts';
import type { StoredFollowUp } from './new-follow-up.ts';
import {
  lockStaffEmails,
  reachedLimit,
  standardStaffEmailLimits,
  type ReachedLimit,
  type StaffEmailLimits,
} from './staff-email-limits.ts';

export type ReplyEntry = Presented<typeof replyResponse>;

export interface NewReply {
  /** A new id, or the id of an earlier attempt. */
  readonly id: string;
  readonly leadId: string;
  readonly subject: string;
  readonly text: string;
  /** A failed reply that is withdrawn, because this one is sent in its place. */
  readonly replaces?: string | undefined;
  /** The activity of the lead that the author saw. The acts since must be the author's own. */
  readonly seenActivity?: number | undefined;
  /** Without `seenActivity`, the versions that the lead may have; undefined for any version. */
  readonly versions?: readonly number[] | undefined;
}

/**
 * The outcome of storing a reply:
 * - `stored`: the reply is committed, now or by an earlier attempt with the same id; `isNew` tells which
 * - `unknown`: the lead does not exist
 * - `held`: the lead is held as spam
 * - `changed`: others have acted on the lead since its author saw it
 * - `id_used`: another reply has the id
 * - `not_failed`: the reply to replace is not a failed reply to this lead, or not any more
 * - `limited`: the lead, the author or the mailbox has reached its limit
 */
export type ReplyAddition =
  | { readonly outcome: 'stored'; readonly reply: ReplyEntry; readonly isNew: boolean }
  | { readonly outcome: 'unknown' | 'held' | 'changed' | 'id_used' | 'not_failed' }
  | { readonly outcome: 'limited'; readonly reached: ReachedLimit };

/**
 * The outcome of undoing a reply:
 * - `undone`: it is withdrawn, now or before, and is never sent
 * - `refused`: the worker has started to send it; `state` is the current one
 * - `unknown`: the reply does not exist
 */
export type ReplyUndo =
  | { readonly outcome: 'undone'; readonly reply: ReplyEntry; readonly isNew: boolean }
  | { readonly outcome: 'refused'; readonly state: FollowUpState }
  | { readonly outcome: 'unknown' };

/**
 * The outcome of correcting the recipient of an email:
 * - `corrected`: the email is due again
 * - `unknown`: the email does not exist
 * - `refused`: it has not failed, or not any more
 * - `wrong_kind`: it is not an email to a visitor
 * - `opted_out`: the new mailbox is opted out of automatic emails
 * - `limited`: the actor or the new mailbox has reached its limit
 */
export type Correction =
  | { readonly outcome: 'corrected'; readonly followUp: StoredFollowUp; readonly leadId: string }
  | { readonly outcome: 'refused'; readonly state: FollowUpState }
  | { readonly outcome: 'unknown' | 'wrong_kind' | 'opted_out' }
  | { readonly outcome: 'limited'; readonly reached: ReachedLimit };

/** A reply with all that its email needs. */
export interface ReplyToSend {
  readonly authorName: string;
  /** The address of the author's account; null if it has none. */
  readonly authorEmail: string | null;
  readonly subject: string;
  readonly text: string;
  readonly writtenAt: Date;
  /** The Message-IDs of the earlier emails of the conversation, oldest first. */
  readonly references: readonly string[];
}

/**
 * Whether a reply, the row `follow_ups`, was never attempted. A retry resets the attempts, but only of an email that
 * may have gone out before.
 */
export const isUndoable = `(follow_ups.state = 'pending' and follow_ups.attempts = 0 and follow_ups.retried_at is null)`;

/** A condition that excludes withdrawn replies from rows of `follow_ups`. */
export const isNotWithdrawn = `not exists (
  select from lead_replies where lead_replies.id = follow_ups.id and lead_replies.withdrawn_at is not null
)`;

const replyColumns = `
  follow_ups.id, follow_ups.created_at as at, jsonb_build_object('id', author_id, 'name', author_name) as actor,
  coalesce(activity, 0) as activity,
  subject, body as text, recipient, state, ${isUndoable} as "isUndoable",
  case when state = 'pending' then available_at end as "nextTryAt", sent_at as "sentAt",
  follow_ups.updated_at as "updatedAt", server_answer as "serverAnswer", withdrawn_at as "withdrawnAt",
  case when withdrawn_at is not null
    then jsonb_build_object('id', withdrawn_by_id, 'name', withdrawn_by_name) end as "withdrawnBy"`;

/**
 * Stores replies to leads, undoes them, and corrects the addresses of failed emails (docs/PRODUCT.md, "Replies").
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 * @param limits - null turns them off
 */
export function replyStore(db: Knex, mailDomain: string, limits: StaffEmailLimits | null = standardStaffEmailLimits) {
  async function replyOf(database: Knex, leadId: string, id: string): Promise<ReplyEntry | undefined> {
    const { rows } = await database.raw<{ rows: Omit<ReplyEntry, 'kind'>[] }>(
      `select ${replyColumns} from follow_ups join lead_replies on lead_replies.id = follow_ups.id
       where follow_ups.id = :id and lead_id = :leadId`,
      { id, leadId },
    );
    return rows[0] && { kind: 'reply', ...rows[0] };
  }

  return {
    /** Stores a reply. It becomes due after `replyDelaySeconds`, and the sweep finds it then. */
    async add(newReply: NewReply, author: Person): Promise<ReplyAddition> {
      const { id, leadId, subject, text, replaces } = newReply;
      return db.transaction(async (transaction): Promise<ReplyAddition> => {
        // Replies to one lead are stored one after the other, and a mark as spam waits and then cancels the reply.
        const lead = await transaction('leads')
          .where({ id: leadId })
          .forNoKeyUpdate()
          .first<{ email: string; spam_sign: string | null; version: number } | undefined>(
            'email',
            'spam_sign',
            'version',
          );
        if (!lead) return { outcome: 'unknown' };
        const earlier = await transaction('follow_ups').where({ id }).first<object | undefined>('id');
        if (earlier) return replayed(await replyOf(transaction, leadId, id), { subject, text }, author);
        if (lead.spam_sign !== null) return { outcome: 'held' };
        if (await isOutdated(transaction, newReply, lead.version, author)) return { outcome: 'changed' };
        const { email: recipient } = lead;
        await lockStaffEmails(transaction);
        const reached = await reachedLimit(transaction, limits, {
          recipient,
          leadId,
          accountId: author.id,
          except: replaces,
        });
        if (reached) return { outcome: 'limited', reached };
        if (replaces !== undefined) {
          const failed = await transaction('follow_ups')
            .where({ id: replaces, lead_id: leadId, kind: 'reply', state: 'failed' })
            .forNoKeyUpdate()
            .first<object | undefined>('id');
          if (!failed) return { outcome: 'not_failed' };
        }
        const { rows } = await transaction.raw<{ rows: object[] }>(
          `insert into follow_ups (id, lead_id, kind, recipient, message_id, available_at, sweep_at)
           select :id, :leadId, 'reply', :recipient, :messageId, due.at, due.at
           from (select clock_timestamp() + interval '${replyDelaySeconds} seconds' as at) as due
           on conflict (id) do nothing returning id`,
          { id, leadId, recipient, messageId: `<${id}@${mailDomain}>` },
        );
        // A concurrent reply to another lead has the id.
        if (rows.length === 0) return { outcome: 'id_used' };
        if (replaces !== undefined) await withdraw(transaction, leadId, replaces, ['failed'], author);
        await transaction.raw(
          `with ${countActivity('array[:leadId::uuid]')}
           insert into lead_replies (id, author_id, author_name, subject, body, activity)
           select :id, :authorId, :authorName, :subject, :text, activity from acted`,
          { id, leadId, authorId: author.id, authorName: author.name, subject, text },
        );
        await auditLog(transaction).add({ action: 'lead_reply_written', actor: author, subjectId: leadId });
        const reply = await replyOf(transaction, leadId, id);
        if (!reply) throw new Error('A reply was not stored');
        return { outcome: 'stored', reply, isNew: true };
      });
    },

    /** Withdraws a reply that the worker has not started to send. A second undo returns the reply again. */
    async undo(leadId: string, id: string, actor: Person): Promise<ReplyUndo> {
      return db.transaction(async (transaction): Promise<ReplyUndo> => {
        // In the order of all changes of leads: the lead first.
        await transaction('leads').where({ id: leadId }).forNoKeyUpdate().first('id');
        const isNew = await withdraw(transaction, leadId, id, ['pending', 'cancelled'], actor);
        const reply = await replyOf(transaction, leadId, id);
        if (!reply) return { outcome: 'unknown' };
        return reply.withdrawnAt === null
          ? { outcome: 'refused', state: reply.state }
          : { outcome: 'undone', reply, isNew };
      });
    },

    /**
     * Gives a failed email to a visitor another recipient and makes it due, and records it in the history of its lead.
     * @param changeLead - whether the lead gets the address as well
     */
    async correctRecipient(id: string, email: string, changeLead: boolean, actor: Person): Promise<Correction> {
      return db.transaction(async (transaction): Promise<Correction> => {
        const found = await emailOf(transaction, id);
        if (!found) return { outcome: 'unknown' };
        const { kind, leadId } = found;
        if (leadId === null || !correctableKinds.some((each) => each === kind)) return { outcome: 'wrong_kind' };
        // In the order of all changes of leads: the lead first.
        await transaction('leads').where({ id: leadId }).forNoKeyUpdate().first('id');
        await lockStaffEmails(transaction);
        const { state } = (await emailOf(transaction, id)) ?? found;
        if (state !== 'failed') return { outcome: 'refused', state };
        const wanted = { recipient: email, accountId: actor.id, except: id };
        const reached = await reachedLimit(transaction, limits, wanted);
        if (reached) return { outcome: 'limited', reached };
        const { rows } = await transaction.raw<{ rows: (StoredFollowUp & { former: string })[] }>(
          `update follow_ups set
             recipient = :email, state = 'pending', attempts = 0, available_at = now(),
             sweep_at = now() + interval '2 seconds', retried_at = now(), updated_at = now()
           from (select id, recipient from follow_ups where id = :id for no key update) as former
           where follow_ups.id = former.id and state = 'failed'
             and not (kind = any (:limitedKinds)
               and exists (select from email_opt_outs opt_out where opt_out.mailbox = mailbox_of(:email)))
           returning follow_ups.id, kind, former.recipient as former`,
          { id, email, limitedKinds: [...limitedKinds] },
        );
        const [corrected] = rows;
        if (!corrected) {
          // A failed reply cannot be withdrawn without being cancelled.
          const now = (await emailOf(transaction, id))?.state ?? found.state;
          return now === 'failed' ? { outcome: 'opted_out' } : { outcome: 'refused', state: now };
        }
        if (changeLead) {
          await transaction('leads')
            .where({ id: leadId })
            .update({ email, version: transaction.raw('version + 1'), updated_at: transaction.fn.now() });
        }
        await transaction.raw(
          `with ${countActivity('array[:leadId::uuid]')}
           insert into lead_events (id, lead_id, kind, actor_id, actor_name, details, activity)
           select :id, acted.id, 'address_corrected', :actorId, :actorName, :details::jsonb, activity from acted`,
          {
            id: newId(),
            leadId,
            actorId: actor.id,
            actorName: actor.name,
            details: JSON.stringify({ email: kind, from: corrected.former, to: email, isOfLead: changeLead }),
          },
        );
        return { outcome: 'corrected', followUp: { id, kind }, leadId };
      });
    },

    /**
     * Returns what the worker needs to send a reply; undefined if the reply does not exist. The first email of a
     * conversation and the newest ones are references; emails that were not sent are none.
     */
    async toSend(id: string): Promise<ReplyToSend | undefined> {
      const { rows } = await db.raw<{ rows: ReplyToSend[] }>(
        `select reply.author_name as "authorName", staff.email as "authorEmail", reply.subject, reply.body as text,
                own.created_at as "writtenAt",
                coalesce((
                  select array_agg(earlier.message_id order by earlier.created_at, earlier.id)
                  from follow_ups earlier
                  where earlier.lead_id = own.lead_id and earlier.id <> own.id
                    and earlier.kind in (${quoted(conversationKinds)})
                    and earlier.state in ('pending', 'sending', 'sent')
                    and (earlier.created_at, earlier.id) < (own.created_at, own.id)
                ), '{}') as "references"
         from follow_ups own
         join lead_replies reply on reply.id = own.id
         join staff on staff.id = reply.author_id
         where own.id = ?`,
        [id],
      );
      const [reply] = rows;
      if (!reply) return undefined;
      const [first, ...later] = reply.references;
      return { ...reply, references: first === undefined ? [] : [first, ...later.slice(-replyQuote.references)] };
    },
  };
}

function emailOf(
  transaction: Knex.Transaction,
  id: string,
): Promise<{ readonly kind: FollowUpKind; readonly state: FollowUpState; readonly leadId: string | null } | undefined> {
  return transaction('follow_ups').where({ id }).first({ kind: 'kind', state: 'state', leadId: 'lead_id' });
}

/**
 * Withdraws a reply whose state is one of `from`. If it is waiting, it is cancelled only if no attempt was made. The
 * condition on the state is a compare-and-swap, so the reply is either withdrawn or claimed by a worker.
 * @returns whether it was withdrawn
 */
async function withdraw(
  transaction: Knex.Transaction,
  leadId: string,
  id: string,
  from: readonly ('pending' | 'cancelled' | 'failed')[],
  actor: Person,
): Promise<boolean> {
  const { rows } = await transaction.raw<{ rows: object[] }>(
    `with cancelled as (
       update follow_ups set state = 'cancelled', updated_at = now()
       where id = :id and lead_id = :leadId and kind = 'reply' and state = any (:from)
         and (state = 'failed' or (attempts = 0 and retried_at is null)) and ${isNotWithdrawn}
       returning id
     ), ${countActivity('array(select cast(:leadId as uuid) from cancelled)')}
     update lead_replies set
       withdrawn_at = now(), withdrawn_by_id = :actorId, withdrawn_by_name = :actorName, activity = acted.activity
     from cancelled, acted where lead_replies.id = cancelled.id
     returning lead_replies.id`,
    { id, leadId, from: [...from], actorId: actor.id, actorName: actor.name },
  );
  if (rows.length === 0) return false;
  await auditLog(transaction).add({ action: 'lead_reply_withdrawn', actor, subjectId: leadId });
  return true;
}

/**
 * Returns whether another member has acted on a locked lead since the author of a reply saw it. A caller that knows only
 * the version, such as a page of 0.3.0, also waits until another member's reply is sent or undone.
 */
async function isOutdated(
  transaction: Knex.Transaction,
  { leadId, seenActivity, versions }: NewReply,
  version: number,
  author: Person,
): Promise<boolean> {
  if (seenActivity === undefined && versions === undefined) return false;
  if (seenActivity === undefined && !versions?.includes(version)) return true;
  const isUnseen = (activity: string, actorId: string): string =>
    `${activity} > :seenActivity and ${actorId} is distinct from :authorId`;
  const { rows } = await transaction.raw<{ rows: { isOutdated: boolean }[] }>(
    seenActivity === undefined
      ? `select exists (
           select from lead_replies join follow_ups using (id)
           where lead_id = :leadId and author_id <> :authorId and ${isUndoable}
         ) as "isOutdated"`
      : `select exists (
           select from lead_events where lead_id = :leadId and ${isUnseen('activity', 'actor_id')}
         ) or exists (
           select from lead_replies join follow_ups using (id)
           where lead_id = :leadId and ${isUnseen('activity', 'coalesce(withdrawn_by_id, author_id)')}
         ) as "isOutdated"`,
    { leadId, authorId: author.id, ...(seenActivity !== undefined && { seenActivity }) },
  );
  return rows[0]?.isOutdated === true;
}

function replayed(
  reply: ReplyEntry | undefined,
  { subject, text }: Pick<NewReply, 'subject' | 'text'>,
  author: Person,
): ReplyAddition {
  const isSame = reply?.actor?.id === author.id && reply.subject === subject && reply.text === text;
  return reply && isSame ? { outcome: 'stored', reply, isNew: false } : { outcome: 'id_used' };
}
