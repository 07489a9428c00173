import type { LeadKind, LeadStatus } from '@dune-tide/domain/leads';
import type { WebhookType } from '@dune-tide/domain/webhooks';
import type { Knex } from 'knex';
import type { Person } from '../lead-expressions/index.ts';
import type { ClaimedFollowUp } from './claims.ts';

/** The values of a lead that staff can change, as the triggers of db/sql/webhooks.ts store them. */
export interface WebhookLead {
  readonly status: LeadStatus | null;
  readonly owner: Person | null;
  /** ISO 8601; null without a clock. */
  readonly clockStart: string | null;
  readonly isAnswered: boolean;
  /** ISO 8601; null before the answer, and for an answer at an unknown time. */
  readonly answeredAt: string | null;
  readonly spam: boolean;
}

/** An event in the life of a lead. */
export interface WebhookEvent {
  readonly type: WebhookType;
  readonly at: Date;
  readonly leadId: string;
  readonly leadVersion: number;
  readonly leadKind: LeadKind;
  /** The lead before the change; null if it was not updated. */
  readonly before: WebhookLead | null;
  /** The lead after the change; null if it was erased. */
  readonly after: WebhookLead | null;
  /** The time at which the lead was stored; null, as the next two, if it has been erased. */
  readonly createdAt: Date | null;
  readonly email: string | null;
  readonly fields: Readonly<Record<string, unknown>> | null;
}

/** Webhooks that a worker has claimed, and the number of due ones that were looked at. */
export interface ClaimedWebhooks {
  readonly found: number;
  readonly claimed: readonly ClaimedFollowUp[];
}

/** The due webhooks that one statement looks at. */
const lookedAtTogether = 25;

/**
 * Claims and reads webhooks for workers. They are claimed without a job, apart from emails, and in order: a webhook
 * waits while an earlier one of its lead is waiting or being sent.
 * @param db - a pool or a transaction
 */
export function webhookStore(db: Knex) {
  return {
    /**
     * Claims webhooks that are due. Those that wait for an earlier one are due again when that one is, after five
     * minutes at the latest.
     * @param limit - the largest number to claim
     * @param leaseSeconds - longer than the longest send
     * @param inProgress - ids that this worker must not claim again although their leases have expired
     * @param includesExpired - whether webhooks whose leases have expired are claimed
     * @throws {DatabaseUnavailableError} if the outcome is unknown: rows may be claimed
     */
    async claimDue(
      limit: number,
      leaseSeconds: number,
      inProgress: ReadonlySet<string>,
      includesExpired = true,
    ): Promise<ClaimedWebhooks> {
      const { rows } = await db
        .raw<{ rows: (ClaimedFollowUp & { readonly isClaimed: boolean })[] }>(
          `with due as materialized (
             select f.id, f.available_at, event.lead_id, event.lead_version, event.type
             from follow_ups f join webhook_events event on event.id = f.id
             where f.kind = 'webhook' and f.state in ('pending', 'sending') and f.available_at <= now()
               and f.id <> all (:inProgress::uuid[]) and (f.state = 'pending' or :includesExpired)
             order by f.available_at limit ${lookedAtTogether}
             for update of f skip locked
           ), placed as materialized (
             select due.id, due.available_at, (
               select earlier.available_at
               from webhook_events event join follow_ups earlier on earlier.id = event.id
               where event.lead_id = due.lead_id
                 and (event.lead_version, event.type, event.id) < (due.lead_version, due.type, due.id)
                 and earlier.state in ('pending', 'sending')
               order by event.lead_version, event.type, event.id limit 1
             ) as follows_at
             from due
           ), blocked as (
             update follow_ups f
             set available_at = least(greatest(follows_at, now() + interval '1 second'), now() + interval '5 minutes')
             from placed where f.id = placed.id and follows_at is not null
           ), claimed as (
             update follow_ups f
             set state = 'sending', lease = gen_random_uuid(), attempts = f.attempts + 1,
                 available_at = now() + make_interval(secs => :leaseSeconds), updated_at = now()
             where f.id in (
               select id from placed where follows_at is null order by available_at limit :limit
             )
             returning f.id, f.kind, f.recipient, f.message_id, f.attempts, f.lease, f.lead_id
           )
           select id, kind, recipient, message_id as "messageId", attempts, lease, lead_id as "leadId",
                  claimed.id is not null as "isClaimed"
           from placed left join claimed using (id)`,
          { inProgress: [...inProgress], leaseSeconds, limit, includesExpired },
        )
        .options({ name: 'claim-webhooks' });
      return {
        found: rows.length,
        claimed: rows.flatMap(({ isClaimed, ...followUp }) => (isClaimed ? [followUp] : [])),
      };
    },

    /**
     * Makes the next webhook of the same lead due, after this one was sent or has failed. One that is due becomes due
     * again: a concurrent claim that still sees this one as unsent would otherwise postpone it.
     */
    async wakeNext(id: string): Promise<void> {
      await db
        .raw(
          `update follow_ups set available_at = now()
           where state = 'pending' and attempts = 0 and id = (
             select later.id
             from webhook_events event
             join webhook_events later on later.lead_id = event.lead_id
               and (later.lead_version, later.type, later.id) > (event.lead_version, event.type, event.id)
             join follow_ups f on f.id = later.id
             where event.id = :id and f.state = 'pending' and later.type <> 'lead.erased'
             order by later.lead_version, later.type, later.id limit 1
           )`,
          { id },
        )
        .options({ name: 'wake-next-webhook' });
    },

    /** Returns the event of a webhook; undefined if its lead was erased in the meantime. */
    async eventOf(id: string): Promise<WebhookEvent | undefined> {
      const { rows } = await db
        .raw<{ rows: WebhookEvent[] }>(
          `select event.type, event.at, event.lead_id as "leadId", event.lead_version as "leadVersion",
                  event.lead_kind as "leadKind", event.lead_before as before, event.lead_after as after,
                  leads.created_at as "createdAt", leads.email, leads.answers as fields
           from webhook_events event left join leads on leads.id = event.lead_id where event.id = :id`,
          { id },
        )
        .options({ name: 'read-webhook' });
      return rows[0];
    },
  };
}
