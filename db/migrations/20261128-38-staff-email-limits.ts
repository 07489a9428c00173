import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import { createIndex, type LargeIndex } from '../src/schema/large-indexes.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Count the emails that staff have sent to visitors within the last hour: those to a mailbox, and replies. */
export const largeIndexes: readonly LargeIndex[] = [
  {
    name: 'follow_ups_by_staff',
    table: 'follow_ups',
    isUnique: false,
    columns: `(mailbox_of(recipient), coalesce(retried_at, created_at)) where kind = 'reply' or retried_at is not null`,
  },
  {
    name: 'follow_ups_newest_replies',
    table: 'follow_ups',
    isUnique: false,
    columns: `(created_at) where kind = 'reply'`,
  },
];

/** Indexes the emails that the limits of replies count. */
export async function up(db: Knex): Promise<void> {
  for (const index of largeIndexes) await db.raw(createIndex(index));
  await runStatements(db, definitions.up);
}

/** Replies have no limits again. */
export async function down(db: Knex): Promise<void> {
  await runStatements(db, definitions.down);
  for (const { name } of largeIndexes) await db.raw(`drop index ${name}`);
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
