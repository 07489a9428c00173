import type { RequiredFollowUp } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import { isNotWithdrawn, newFollowUp, type StoredFollowUp } from '../follow-ups/index.ts';
import type { Person } from '../lead-expressions/index.ts';
import { recordEvents, type NewEvent } from './events.ts';
import type { LockedLead } from './locked-leads.ts';

/**
 * Marks locked leads as spam, and cancels their emails.
 * @returns the ids of the leads that were not held before
 */
export async function markLocked(
  transaction: Knex.Transaction,
  leads: readonly LockedLead[],
  actor: Person,
  requestId?: string,
): Promise<readonly string[]> {
  const ids = leads.filter(({ isHeld }) => !isHeld).map(({ id }) => id);
  if (ids.length === 0) return ids;
  await transaction('leads')
    .whereIn('id', ids)
    .update({
      spam_sign: 'by_hand',
      version: transaction.raw('version + 1'),
      updated_at: transaction.fn.now(),
    });
  const cancelled = await transaction('follow_ups')
    .whereIn('lead_id', ids)
    .whereIn('state', ['pending', 'withheld'])
    .whereNot({ kind: 'webhook' })
    .update({ state: 'cancelled', updated_at: transaction.fn.now() })
    .returning<{ id: string; lead_id: string }[]>(['id', 'lead_id']);
  // If the attempt fails temporarily, the worker cancels the email.
  const beingSent = await transaction('follow_ups')
    .whereIn('lead_id', ids)
    .where({ state: 'sending' })
    .whereNot({ kind: 'webhook' })
    .select<{ id: string; lead_id: string }[]>(['id', 'lead_id']);
  const events = ids.map((leadId): NewEvent => {
    // A release resumes these emails, but none that a person has cancelled.
    const ofLead = [...cancelled, ...beingSent].filter((followUp) => followUp.lead_id === leadId).map(({ id }) => id);
    return { lead_id: leadId, kind: 'spam', details: { cancelled: ofLead } };
  });
  await recordEvents(transaction, events, actor, requestId);
  return ids;
}

/**
 * Releases a locked lead that is held as spam.
 * @returns the follow-ups that are due
 */
export async function releaseLocked(
  transaction: Knex.Transaction,
  { id }: LockedLead,
  required: readonly RequiredFollowUp[],
  mailDomain: string,
  actor: Person,
  requestId?: string,
): Promise<StoredFollowUp[]> {
  // If the lead was marked by hand, its earlier follow-ups exist and are kept.
  const added = await transaction('follow_ups')
    .insert(required.map((each) => ({ ...newFollowUp(each, mailDomain), lead_id: id })))
    .onConflict()
    .ignore()
    .returning<StoredFollowUp[]>(['id', 'kind']);
  const { rows: resumed } = await transaction.raw<{ rows: StoredFollowUp[] }>(
    `update follow_ups set
       state = 'pending', attempts = 0, available_at = now(), sweep_at = now() + interval '2 seconds',
       retried_at = now(), updated_at = now()
     where lead_id = :id and state = 'cancelled' and ${isNotWithdrawn} and id::text in (
       select jsonb_array_elements_text(mark.details -> 'cancelled') from (
         select details from lead_events where lead_id = :id and kind = 'spam' order by at desc, id desc limit 1
       ) as mark
     )
     returning id, kind`,
    { id },
  );
  // A lead that was marked by hand keeps `answered_before`: if it counted as answered before, it still does.
  await transaction('leads')
    .where({ id })
    .update({
      answered_before: transaction.raw(`case when spam_sign = 'by_hand' then answered_before end`),
      spam_sign: null,
      clock_started_at: transaction.fn.now(),
      version: transaction.raw('version + 1'),
      updated_at: transaction.fn.now(),
    });
  await recordEvents(transaction, [{ lead_id: id, kind: 'released' }], actor, requestId);
  return [...added, ...resumed];
}
