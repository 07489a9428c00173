import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Keeps addresses of accounts that wait until the link in an email to them was followed. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table pending_emails (
      staff_id uuid primary key references staff on delete cascade,
      follow_up_id uuid not null unique references follow_ups on delete cascade,
      email text not null,
      actor_id uuid not null references staff on delete cascade,
      created_at timestamptz(3) not null default now()
    )
  `);
  await db.raw("comment on column pending_emails.follow_up_id is 'the email with the link that confirms the address'");
  await db.raw("comment on column pending_emails.actor_id is 'the account that entered the address'");
  await runStatements(db, definitions.up);
}

/** The addresses that wait are lost, and with them the emails that ask for a confirmation. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`
    delete from follow_ups using account_notices notice
    where notice.id = follow_ups.id and notice.event = 'email_to_confirm'
  `);
  await runStatements(db, definitions.down);
  await db.raw('drop table pending_emails');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [
  { table: 'pending_emails', name: 'pending_emails_email_length' },
  { table: 'account_notices', name: 'account_notices_event_known' },
];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `ALTER TABLE account_notices DROP CONSTRAINT account_notices_event_known`,
    `ALTER TABLE pending_emails ADD CONSTRAINT pending_emails_email_length CHECK (char_length(email) >= 3 AND char_length(email) <= 254) NOT VALID`,
    `ALTER TABLE account_notices ADD CONSTRAINT account_notices_event_known CHECK (event = ANY (ARRAY['added'::text, 'made_owner'::text, 'made_member'::text, 'password_set'::text, 'password_changed'::text, 'deactivated'::text, 'activated'::text, 'email_changed'::text, 'email_to_confirm'::text, 'second_factor_added'::text, 'second_factor_removed'::text, 'recovery_codes_replaced'::text, 'new_device'::text, 'password_known'::text, 'password_guessed'::text])) NOT VALID`,
  ],
  down: [
    `ALTER TABLE account_notices DROP CONSTRAINT account_notices_event_known`,
    `ALTER TABLE pending_emails DROP CONSTRAINT pending_emails_email_length`,
    `ALTER TABLE account_notices ADD CONSTRAINT account_notices_event_known CHECK (event = ANY (ARRAY['added'::text, 'made_owner'::text, 'made_member'::text, 'password_set'::text, 'password_changed'::text, 'deactivated'::text, 'activated'::text, 'email_changed'::text, 'second_factor_added'::text, 'second_factor_removed'::text, 'recovery_codes_replaced'::text, 'new_device'::text, 'password_known'::text, 'password_guessed'::text])) NOT VALID`,
  ],
};
