import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/**
 * Adds a column whose value in the row of the oldest account decides whether second factors are required. It is false
 * for installations that exist, which keep what they have.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table staff add column requires_second_factor boolean not null default false');
  await runStatements(db, definitions.up);
}

/** Second factors are required only where REQUIRE_SECOND_FACTOR is on. */
export async function down(db: Knex): Promise<void> {
  await runStatements(db, definitions.down);
  await db.raw('alter table staff drop column requires_second_factor');
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
