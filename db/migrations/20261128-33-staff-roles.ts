import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Gives each account a role. Those that exist are owners, as are those that the previous release adds meanwhile. */
export async function up(db: Knex): Promise<void> {
  await db.raw("alter table staff add column role text not null default 'owner'");
  await runStatements(db, definitions.up);
}

/** All accounts may do everything again. */
export async function down(db: Knex): Promise<void> {
  await runStatements(db, definitions.down);
  await db.raw('alter table staff drop column role');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [{ table: 'staff', name: 'staff_role_known' }];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `ALTER TABLE staff ADD CONSTRAINT staff_role_known CHECK (role = ANY (ARRAY['owner'::text, 'member'::text])) NOT VALID`,
  ],
  down: [`ALTER TABLE staff DROP CONSTRAINT staff_role_known`],
};
