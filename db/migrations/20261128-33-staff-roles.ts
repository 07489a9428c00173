import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Gives each account a role. Those that exist are owners, and so are those that the previous release adds. */
export async function up(db: Knex): Promise<void> {
  await db.raw("alter table staff add column role text not null default 'owner'");
  await db.raw('alter table account_notices add column is_to_team boolean not null default false');
  await runStatements(db, definitions.up);
}

/** All accounts may do everything again. The notices that the previous release cannot write are removed. */
export async function down(db: Knex): Promise<void> {
  await runStatements(db, definitions.down);
  await db.raw(
    "delete from follow_ups using account_notices notice where notice.id = follow_ups.id and (is_to_team or event in ('added', 'made_owner', 'made_member'))",
  );
  await db.raw('alter table account_notices drop column is_to_team');
  await db.raw('alter table staff drop column role');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [
  { table: 'staff', name: 'staff_role_known' },
  { table: 'account_notices', name: 'account_notices_event_known' },
];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `ALTER TABLE account_notices DROP CONSTRAINT account_notices_event_known`,
    `ALTER TABLE staff ADD CONSTRAINT staff_role_known CHECK (role = ANY (ARRAY['owner'::text, 'member'::text])) NOT VALID`,
    `ALTER TABLE account_notices ADD CONSTRAINT account_notices_event_known CHECK (event = ANY (ARRAY['added'::text, 'made_owner'::text, 'made_member'::text, 'password_set'::text, 'password_changed'::text, 'deactivated'::text, 'activated'::text, 'email_changed'::text, 'second_factor_added'::text, 'second_factor_removed'::text])) NOT VALID`,
  ],
  down: [
    `ALTER TABLE account_notices DROP CONSTRAINT account_notices_event_known`,
    `ALTER TABLE staff DROP CONSTRAINT staff_role_known`,
    `ALTER TABLE account_notices ADD CONSTRAINT account_notices_event_known CHECK (event = ANY (ARRAY['password_set'::text, 'password_changed'::text, 'deactivated'::text, 'activated'::text, 'email_changed'::text, 'second_factor_added'::text, 'second_factor_removed'::text])) NOT VALID`,
  ],
};
