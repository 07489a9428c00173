import type { LeadStatus, RequiredFollowUp } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import type { Person } from '../lead-expressions/index.ts';
import type { NewLead } from './intake.ts';

/** An entry in the history of a settled lead. */
export interface SettledEvent {
  readonly id: string;
  readonly kind: 'status' | 'owner' | 'answered' | 'note';
  readonly at: Date;
  /** Null for an operator. */
  readonly actor: Person | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A lead whose follow-ups have all been sent. */
export interface SettledLead extends Pick<NewLead, 'kind' | 'email' | 'fields' | 'spamSign'> {
  readonly status: LeadStatus | null;
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly answeredAt: Date | null;
  readonly ownerId: string | null;
  readonly version: number;
  readonly events: readonly SettledEvent[];
  readonly followUps: readonly (RequiredFollowUp & { readonly id: string; readonly sentAt: Date })[];
}

/**
 * Stores leads with follow-ups that count as sent, so that no email is sent for them.
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 */
export async function storeSettledLeads(db: Knex, mailDomain: string, leads: readonly SettledLead[]): Promise<void> {
  await db.raw(
    `with given as (
       select * from jsonb_to_recordset(:leads) as lead (
         id uuid, kind text, email text, status text, fields jsonb, "spamSign" text,
         "createdAt" timestamptz, "updatedAt" timestamptz, "answeredAt" timestamptz, "ownerId" uuid, version integer,
         events jsonb, "followUps" jsonb
       )
     ), stored as (
       insert into leads (
         id, kind, email, status, answers, spam_sign, created_at, updated_at, answered_at, owner_id, version
       )
       select id, kind, email, status, fields, "spamSign", "createdAt", "updatedAt", "answeredAt", "ownerId", version
       from given
     ), recorded as (
       insert into lead_events (id, lead_id, kind, at, actor_id, actor_name, details)
       select event.id, given.id, event.kind, event.at, (actor ->> 'id')::uuid, actor ->> 'name', details
       from given, jsonb_to_recordset(events) as event (id uuid, kind text, at timestamptz, actor jsonb, details jsonb)
     )
     insert into follow_ups (
       id, lead_id, kind, recipient, message_id, state, attempts, available_at, sweep_at, sent_at, created_at, updated_at
     )
     select owed.id, given.id, owed.kind, owed.recipient, '<' || owed.id || '@' || :mailDomain || '>', 'sent', 1,
            "createdAt", "createdAt", "sentAt", "createdAt", "sentAt"
     from given, jsonb_to_recordset("followUps") as owed (id uuid, kind text, recipient text, "sentAt" timestamptz)`,
    { leads: JSON.stringify(leads), mailDomain },
  );
}

/** Updates the planner's statistics immediately, instead of within a minute by autovacuum. */
export async function analyzeLeads(db: Knex): Promise<void> {
  await db.raw('analyze leads, follow_ups, lead_events, lead_counts, follow_up_counts, lead_search');
}
