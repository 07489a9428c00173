import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import type { LeadKind, LeadStatus } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import { v7 as uuidv7 } from 'uuid';
import { reachDatabase } from './unavailable.ts';

/** A follow-up as its lead owes it. */
export interface OwedFollowUp {
  readonly kind: FollowUpKind;
  readonly recipient: string;
}

/** A validated lead on its way in. */
export interface NewLead {
  readonly kind: LeadKind;
  readonly email: string;
  readonly status: LeadStatus | null;
  /** Everything the visitor sent that the form knows, composed texts included. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly followUps: readonly OwedFollowUp[];
  /** Set when the request carried an Idempotency-Key; the hash tells another body apart. */
  readonly idempotency: { readonly key: string; readonly requestHash: string } | null;
}

/** A follow-up that waits for its worker. */
export interface StoredFollowUp {
  readonly id: string;
  readonly kind: FollowUpKind;
}

/**
 * - `stored`: the lead and all its follow-ups are committed
 * - `replayed`: the same request was stored before; its id again
 * - `key_reused`: the key belongs to another body
 */
export type Intake =
  | { readonly outcome: 'stored'; readonly id: string; readonly followUps: readonly StoredFollowUp[] }
  | { readonly outcome: 'replayed'; readonly id: string }
  | { readonly outcome: 'key_reused' };

/**
 * The one way in for leads.
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 */
export function leadIntake(db: Knex, mailDomain: string) {
  return {
    /**
     * Commits a lead together with the follow-ups it owes, in one statement.
     * @throws {DatabaseUnavailableError} when nothing is known to be stored
     */
    async takeIn(lead: NewLead): Promise<Intake> {
      const id = uuidv7();
      const followUps = lead.followUps.map(({ kind, recipient }) => {
        const followUpId = uuidv7();
        return { id: followUpId, kind, recipient, message_id: `<${followUpId}@${mailDomain}>` };
      });
      const { rows } = await reachDatabase(
        db.raw<{ rows: { id: string }[] }>(
          `with lead as (
             insert into leads (id, kind, email, status, answers, idempotency_key, request_hash)
             values (:id, :kind, :email, :status, :answers, :key, :hash)
             on conflict (idempotency_key) do nothing
             returning id
           ), owed as (
             insert into follow_ups (id, lead_id, kind, recipient, message_id)
             select owed.id, lead.id, owed.kind, owed.recipient, owed.message_id
             from lead, jsonb_to_recordset(:followUps) as owed (id uuid, kind text, recipient text, message_id text)
           )
           select id from lead`,
          {
            id,
            kind: lead.kind,
            email: lead.email,
            status: lead.status,
            answers: JSON.stringify(lead.answers),
            key: lead.idempotency?.key ?? null,
            hash: lead.idempotency?.requestHash ?? null,
            followUps: JSON.stringify(followUps),
          },
        ),
      );
      if (rows.length > 0 || !lead.idempotency) {
        return {
          outcome: 'stored',
          id,
          followUps: followUps.map((followUp) => ({ id: followUp.id, kind: followUp.kind })),
        };
      }
      return earlierAnswer(db, lead.idempotency);
    },
  };
}

async function earlierAnswer(db: Knex, { key, requestHash }: NonNullable<NewLead['idempotency']>): Promise<Intake> {
  const earlier = await reachDatabase(
    db('leads')
      .where({ idempotency_key: key })
      .first<{ id: string; request_hash: string } | undefined>('id', 'request_hash'),
  );
  if (!earlier) throw new Error('A lead that held this key a moment ago is gone');
  return earlier.request_hash === requestHash ? { outcome: 'replayed', id: earlier.id } : { outcome: 'key_reused' };
}
