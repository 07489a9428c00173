import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Adds the notifications of accounts, and when each account gets them by email. Earlier changes notify no one. */
export async function up(db: Knex): Promise<void> {
  await db.raw("alter table staff add column lead_emails text not null default 'hourly'");
  await db.raw(`
    create table lead_notifications (
      id uuid primary key default gen_random_uuid(),
      staff_id uuid not null references staff on delete cascade,
      lead_id uuid not null references leads on delete cascade,
      -- The note that mentions the account, which is deleted with its lead; null if the lead was assigned to it.
      note_id uuid,
      created_at timestamptz(3) not null default clock_timestamp(),
      -- When another account got the lead. The row is deleted a minute later.
      withdrawn_at timestamptz(3),
      waits_for_email boolean not null,
      -- The email that lists it.
      follow_up_id uuid references follow_ups on delete set null
    )
  `);
  await db.raw(`
    create unique index lead_notifications_once on lead_notifications (lead_id, staff_id, coalesce(note_id, lead_id))
  `);
  await db.raw('create index lead_notifications_of_account on lead_notifications (staff_id, created_at desc, lead_id)');
  await db.raw('create index lead_notifications_waiting on lead_notifications (staff_id) where waits_for_email');
  await db.raw(`
    create index lead_notifications_withdrawn on lead_notifications (withdrawn_at) where withdrawn_at is not null
  `);
  await db.raw(`
    create index lead_notifications_of_email on lead_notifications (follow_up_id) where follow_up_id is not null
  `);
  await runStatements(db, definitions.up);
}

/** No one is notified again. */
export async function down(db: Knex): Promise<void> {
  await db('follow_ups').where({ kind: 'lead_notification' }).delete();
  await runStatements(db, definitions.down);
  await db.raw('drop table lead_notifications');
  await db.raw('alter table staff drop column lead_emails');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [
  { table: 'staff', name: 'staff_lead_emails_known' },
  { table: 'lead_notifications', name: 'lead_notifications_in_one_email' },
  { table: 'follow_ups', name: 'follow_ups_kind_known' },
  { table: 'follow_ups', name: 'follow_ups_kinds_by_email' },
];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kinds_by_email`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kind_known`,
    `CREATE OR REPLACE FUNCTION notify_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  begin
    if not exists (select from added where kind in ('owner', 'note', 'note_edited', 'note_deleted')) then
      return null;
    end if;

    -- Kept for a moment, because the change may be undone.
    update lead_notifications n set withdrawn_at = clock_timestamp()
    from added
    where added.kind = 'owner' and n.lead_id = added.lead_id and n.note_id is null and n.withdrawn_at is null
      and n.staff_id::text is distinct from added.details #>> '{to,id}';
    update lead_notifications n set withdrawn_at = null
    from added
    where added.kind = 'owner' and n.lead_id = added.lead_id and n.note_id is null
      and n.staff_id::text = added.details #>> '{to,id}' and n.withdrawn_at > now() - interval '1 minute';

    insert into lead_notifications (staff_id, lead_id, waits_for_email)
    select staff.id, added.lead_id, staff.lead_emails <> 'never' and staff.email is not null
    from added join staff on staff.id::text = added.details #>> '{to,id}' and staff.is_active
    where added.kind = 'owner' and staff.id is distinct from added.actor_id
      and not exists (
        select from lead_events earlier
        where earlier.lead_id = added.lead_id and earlier.kind = 'owner' and earlier.id <> added.id
          and earlier.at > now() - interval '1 minute' and earlier.actor_id = added.actor_id
          and earlier.details #>> '{from,id}' = staff.id::text
      )
    on conflict (lead_id, staff_id, coalesce(note_id, lead_id)) do update set
      created_at = excluded.created_at, waits_for_email = excluded.waits_for_email, follow_up_id = null,
      withdrawn_at = null;

    delete from lead_notifications n using added
    where added.kind in ('note_edited', 'note_deleted') and n.lead_id = added.lead_id and n.note_id = added.note_id
      -- The previous release edits notes without looking for mentions.
      and (added.kind = 'note_deleted' or not added.details -> 'mentions' @> to_jsonb(n.staff_id));

    insert into lead_notifications (staff_id, lead_id, note_id, waits_for_email)
    select staff.id, added.lead_id, coalesce(added.note_id, added.id), staff.lead_emails <> 'never' and staff.email is not null
    from added
    cross join lateral jsonb_array_elements_text(added.details -> 'mentions') as mention (id)
    join staff on staff.id::text = mention.id and staff.is_active
    where added.kind in ('note', 'note_edited') and staff.id is distinct from added.actor_id
      and not exists (
        select from lead_events earlier
        where (earlier.id = added.note_id or earlier.note_id = added.note_id) and earlier.id <> added.id
          and earlier.details -> 'mentions' @> to_jsonb(mention.id)
      )
    on conflict (lead_id, staff_id, coalesce(note_id, lead_id)) do nothing;
    return null;
  end
  $function$
`,
    `CREATE TRIGGER lead_events_notify AFTER INSERT ON lead_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION notify_accounts()`,
    `ALTER TABLE staff ADD CONSTRAINT staff_lead_emails_known CHECK (lead_emails = ANY (ARRAY['hourly'::text, 'immediate'::text, 'never'::text])) NOT VALID`,
    `ALTER TABLE lead_notifications ADD CONSTRAINT lead_notifications_in_one_email CHECK (NOT waits_for_email OR follow_up_id IS NULL) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kind_known CHECK (kind = ANY (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'account_notice'::text, 'erasure_notice'::text, 'lead_notification'::text, 'webhook'::text])) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kinds_by_email CHECK ((kind <> ALL (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'account_notice'::text, 'erasure_notice'::text, 'lead_notification'::text])) OR num_nulls(recipient, message_id) = 0) NOT VALID`,
  ],
  down: [
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kinds_by_email`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kind_known`,
    `ALTER TABLE lead_notifications DROP CONSTRAINT lead_notifications_in_one_email`,
    `ALTER TABLE staff DROP CONSTRAINT staff_lead_emails_known`,
    `DROP TRIGGER lead_events_notify ON lead_events`,
    `DROP FUNCTION notify_accounts()`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kind_known CHECK (kind = ANY (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'account_notice'::text, 'erasure_notice'::text, 'webhook'::text])) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kinds_by_email CHECK ((kind <> ALL (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'account_notice'::text, 'erasure_notice'::text])) OR num_nulls(recipient, message_id) = 0) NOT VALID`,
  ],
};
