import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Counts what staff do with a lead, so that a reply can be compared with what its author saw. Earlier acts count 0. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table leads add column activity integer not null default 0');
  await db.raw('alter table lead_events add column activity integer');
  await db.raw('alter table lead_replies add column activity integer');
  await runStatements(db, definitions.up);
}

/** The counts are lost. */
export async function down(db: Knex): Promise<void> {
  await runStatements(db, definitions.down);
  await db.raw('alter table lead_replies drop column activity');
  await db.raw('alter table lead_events drop column activity');
  await db.raw('alter table leads drop column activity');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [],
  down: [],
};
