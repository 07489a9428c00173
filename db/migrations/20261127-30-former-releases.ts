import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Drops what only the processes of 0.1.0 and 0.2.0 use. One CHECK replaces those of each kind of email. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table leads drop column request_hash');
  await db.raw('drop index follow_ups_portfolio_by_recipient');
  await runStatements(db, definitions.up);
}

/** The hashes of requests, which no release since 0.1.0 writes, are lost. */
export async function down(db: Knex): Promise<void> {
  await runStatements(db, definitions.down);
  await db.raw(`
    create index follow_ups_portfolio_by_recipient on follow_ups (lower(recipient), sent_at)
      where kind = 'portfolio_pdf' and state in ('sending', 'sent')
  `);
  await db.raw('alter table leads add column request_hash text');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [
  { table: 'follow_ups', name: 'follow_ups_kinds_with_a_lead' },
  { table: 'follow_ups', name: 'follow_ups_kinds_by_email' },
  { table: 'follow_ups', name: 'follow_ups_account_notices_by_email' },
  { table: 'follow_ups', name: 'follow_ups_digests_by_email' },
  { table: 'follow_ups', name: 'follow_ups_reminders_by_email' },
  { table: 'follow_ups', name: 'follow_ups_replies_are_complete' },
];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_replies_are_complete`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_reminders_by_email`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kinds_with_a_lead`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kinds_by_email`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_digests_by_email`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_account_notices_by_email`,
    `DROP FUNCTION claim_follow_ups(ids uuid[], leases uuid[], lease_seconds integer[], sweep_grace_seconds integer, portfolio_mails_per_hour integer)`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kinds_with_a_lead CHECK ((kind <> ALL (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'reply'::text])) OR lead_id IS NOT NULL) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kinds_by_email CHECK ((kind <> ALL (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'account_notice'::text])) OR num_nulls(recipient, message_id) = 0) NOT VALID`,
  ],
  down: [
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kinds_by_email`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kinds_with_a_lead`,
    `CREATE OR REPLACE FUNCTION claim_follow_ups(ids uuid[], leases uuid[], lease_seconds integer[], sweep_grace_seconds integer, portfolio_mails_per_hour integer)
 RETURNS TABLE(id uuid, lease uuid, state text, kind text, recipient text, message_id text, attempts integer, lead_id uuid, lead_kind text, lead_created_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
    #variable_conflict use_column
    begin
      -- Two claims for one address must not both see room for one more email. In one order, so that neither waits for the
      -- other; mail hosts deliver whatever the letters' case, so the case makes no other address.
      perform pg_advisory_xact_lock(address_key)
      from (
        select distinct hashtextextended(lower(f.recipient), 0) as address_key
        from unnest(ids) as wanted (id)
        join follow_ups f on f.id = wanted.id
        where f.kind = 'portfolio_pdf'
        order by address_key
      ) as addresses;

      return query
      with due as materialized (
        select f.id, f.kind, lower(f.recipient) as address, wanted.lease, wanted.seconds,
               l.kind as lead_kind, l.created_at as lead_created_at
        from (
          select distinct on (id) id, lease, seconds
          from unnest(ids, leases, lease_seconds) as each (id, lease, seconds)
        ) as wanted
        join follow_ups f on f.id = wanted.id
        left join leads l on l.id = f.lead_id
        where f.state in ('pending', 'sending') and f.available_at <= now()
        -- A row that is locked is being settled or claimed.
        for update of f skip locked
      ), ruled as (
        select due.*, due.kind = 'portfolio_pdf' and portfolio_mails_per_hour < (
          select count(*) from follow_ups other
          where other.kind = 'portfolio_pdf' and lower(other.recipient) = due.address
            and other.state in ('sending', 'sent')
            and (other.state = 'sending' or other.sent_at > now() - interval '1 hour')
            and other.id not in (select due.id from due)
        ) + row_number() over (partition by due.kind, due.address order by due.id) as is_capped
        from due
      )
      update follow_ups f set
        state = case when is_capped then 'withheld' else 'sending' end,
        lease = case when is_capped then null else ruled.lease end,
        attempts = f.attempts + case when is_capped then 0 else 1 end,
        available_at = case when is_capped then f.available_at else now() + make_interval(secs => ruled.seconds) end,
        sweep_at = case
          when is_capped then f.sweep_at else now() + make_interval(secs => ruled.seconds + sweep_grace_seconds)
        end,
        server_answer = case
          when is_capped then 'Not mailed: the address had its portfolio mails of this hour' else f.server_answer
        end,
        updated_at = now()
      from ruled
      where f.id = ruled.id
      returning f.id, f.lease, f.state, f.kind, f.recipient, f.message_id, f.attempts,
                f.lead_id, ruled.lead_kind, ruled.lead_created_at::timestamptz;
    end
    $function$
`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_account_notices_by_email CHECK (kind <> 'account_notice'::text OR num_nulls(recipient, message_id) = 0) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_digests_by_email CHECK (kind <> 'staff_digest'::text OR num_nulls(recipient, message_id) = 0) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kinds_by_email CHECK ((kind <> ALL (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text])) OR num_nulls(recipient, message_id) = 0) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kinds_with_a_lead CHECK ((kind <> ALL (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text])) OR lead_id IS NOT NULL) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_reminders_by_email CHECK (kind <> 'reminder'::text OR num_nulls(recipient, message_id) = 0) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_replies_are_complete CHECK (kind <> 'reply'::text OR num_nulls(lead_id, recipient, message_id) = 0) NOT VALID`,
  ],
};
