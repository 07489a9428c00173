import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import * as leads from '../migrations/20261121-01-leads.ts';
import * as followUps from '../migrations/20261121-02-follow-ups.ts';
import * as staffAndSessions from '../migrations/20261121-03-staff-and-sessions.ts';
import * as recipes from '../migrations/20261121-04-recipes.ts';
import * as leadCounts from '../migrations/20261121-05-lead-counts.ts';
import * as rateLimits from '../migrations/20261121-06-rate-limits.ts';
import * as spamSigns from '../migrations/20261121-07-spam-signs.ts';
import * as followUpsByState from '../migrations/20261121-08-follow-ups-by-state.ts';
import * as claims from '../migrations/20261121-09-claims.ts';
import * as messageIds from '../migrations/20261121-10-message-ids.ts';
import * as noRequestHash from '../migrations/20261122-11-no-request-hash.ts';
import * as retriedAt from '../migrations/20261123-12-retried-at.ts';
import * as followUpKinds from '../migrations/20261125-13-follow-up-kinds.ts';
import { buildLargeIndexes, type LargeIndex } from './large-indexes.ts';
import { asUnavailable, DatabaseUnavailableError, reachDatabase } from './unavailable.ts';

interface Migration extends Knex.Migration {
  /** What is built before the transaction of the migrations, while the release before is serving. */
  readonly largeIndexes?: readonly LargeIndex[];
}

/** In order. Named here instead of read from the folder, so that source and build hold the same list. */
export const migrations: readonly { readonly name: string; readonly migration: Migration }[] = [
  { name: '20261121-01-leads', migration: leads },
  { name: '20261121-02-follow-ups', migration: followUps },
  { name: '20261121-03-staff-and-sessions', migration: staffAndSessions },
  { name: '20261121-04-recipes', migration: recipes },
  { name: '20261121-05-lead-counts', migration: leadCounts },
  { name: '20261121-06-rate-limits', migration: rateLimits },
  { name: '20261121-07-spam-signs', migration: spamSigns },
  { name: '20261121-08-follow-ups-by-state', migration: followUpsByState },
  { name: '20261121-09-claims', migration: claims },
  { name: '20261121-10-message-ids', migration: messageIds },
  { name: '20261122-11-no-request-hash', migration: noRequestHash },
  { name: '20261123-12-retried-at', migration: retriedAt },
  { name: '20261125-13-follow-up-kinds', migration: followUpKinds },
];

const migrationSource: Knex.MigrationSource<(typeof migrations)[number]> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ migration }) => migration,
};

/** Which migrations there are, and where what has run is written down. */
export const migratorConfig = { migrationSource, tableName: 'schema_migrations' } satisfies Knex.MigratorConfig;

/** Any number that no other advisory lock of the product uses. */
const migrationLock = 20_261_121;

/** How long a migration waits for locks that others hold, e.g. a backup. */
export interface LockPatience {
  /** For one lock. Visitors' statements queue behind whoever waits for a table, and give up after 3 s themselves. */
  readonly waitMs: number;
  /** Between two tries: visitors get through. */
  readonly pauseMs: number;
  /** No try begins later. */
  readonly triesForMs: number;
}

const lockPatience: LockPatience = { waitMs: 2_000, pauseMs: 3_000, triesForMs: 60_000 };

/** For whoever holds locks already, which a pause would only prolong: one try. */
export const oneTry = (waitMs: number): LockPatience => ({ waitMs, pauseMs: 0, triesForMs: 0 });

/** PostgreSQL, appendix A: lock_not_available. */
export const lockNotAvailable = '55P03';
/** deadlock_detected: a build that an interrupted process left running may wait for this one, which waits for it. */
const deadlockDetected = '40P01';

/** What ran on the database is not what this release can work with; nothing was changed. The message says why. */
export class MigrationHistoryError extends Error {
  override readonly name = 'MigrationHistoryError';
}

/**
 * Brings the schema up to date, all or nothing but for large indexes, which are built before it. Safe to run from several
 * processes: Knex's own lock is a table that must exist first, so an advisory lock of PostgreSQL's comes before it. If a
 * later release has migrated already, nothing is done: this release runs on that schema.
 * @param db - a pool of at least two connections, or a transaction
 * @returns the names of the migrations that ran, and of those that only a later release knows
 * @throws {MigrationHistoryError} when others ran than ours
 * @throws {DatabaseUnavailableError}
 * @throws what a statement fails with, 55P03 when a lock was not to be had
 */
export async function migrateUp(
  db: Knex,
  patience = lockPatience,
): Promise<{ readonly run: readonly string[]; readonly later: readonly string[] }> {
  return tryMigrating(db, patience, planMigrateUp, async (transaction, { run }) => {
    if (run.length > 0) await transaction.migrate.latest(migratorConfig);
  });
}

async function planMigrateUp(
  db: Knex,
): Promise<{ readonly run: readonly string[]; readonly later: readonly string[] }> {
  const { completed, later } = await readMigrationHistory(db);
  return { run: migrations.slice(completed.length).map(({ name }) => name), later };
}

/** Names of migrations, each in the order it happens. */
export interface MigrationPlan {
  readonly run: readonly string[];
  readonly takenBack: readonly string[];
}

/**
 * Brings the schema to the state right after a migration: runs those up to it that have not run, takes back those after
 * it that have, with what they hold. All or nothing.
 * @returns what was done
 * @throws {RangeError} when there is no migration of that name
 * @throws {MigrationHistoryError} also after a later release, which alone knows the way back; otherwise as migrateUp
 */
export async function migrateTo(db: Knex, name: string, patience = lockPatience): Promise<MigrationPlan> {
  const plan = (database: Knex): Promise<MigrationPlan> => planMigrateTo(database, name);
  return tryMigrating(db, patience, plan, async (transaction, { run, takenBack }) => {
    for (const each of run) await transaction.migrate.up({ ...migratorConfig, name: each });
    for (const each of takenBack) await transaction.migrate.down({ ...migratorConfig, name: each });
  });
}

/**
 * What `migrateTo` would do, without doing it.
 * @throws {RangeError} when there is no migration of that name
 * @throws {MigrationHistoryError} as migrateTo
 */
export async function planMigrateTo(db: Knex, name: string): Promise<MigrationPlan> {
  const names = migrations.map((each) => each.name);
  const last = names.indexOf(name);
  if (last === -1) throw new RangeError('There is no such migration');
  const { completed, later } = await readMigrationHistory(db);
  if (later.length > 0) {
    throw new MigrationHistoryError(`${describeLater(later)} Use that release.`);
  }
  const run = names.slice(0, last + 1).filter((each) => !completed.includes(each));
  const takenBack = names.slice(last + 1).filter((each) => completed.includes(each));
  takenBack.reverse();
  return { run, takenBack };
}

/**
 * Builds the large indexes, then runs the migrations alone and in one transaction. Both are tried again while others hold
 * a lock.
 * @param plan - read before and within the transaction, since another process may migrate in the meantime
 * @returns the plan that was carried out
 */
async function tryMigrating<Plan extends Pick<MigrationPlan, 'run'>>(
  db: Knex,
  { waitMs, pauseMs, triesForMs }: LockPatience,
  plan: (db: Knex) => Promise<Plan>,
  work: (transaction: Knex.Transaction, plan: Plan) => Promise<void>,
): Promise<Plan> {
  const deadline = performance.now() + triesForMs;
  for (;;) {
    try {
      const { run } = await plan(db);
      const indexes = migrations.flatMap(({ name, migration }) =>
        run.includes(name) ? (migration.largeIndexes ?? []) : [],
      );
      if (!(await buildLargeIndexes(db, indexes))) throw new IndexesBeingBuiltError();
      return await db.transaction(async (transaction) => {
        await transaction.raw(`select set_config('lock_timeout', ?, true)`, [`${waitMs}ms`]);
        await transaction.raw('select pg_advisory_xact_lock(?)', [migrationLock]);
        const planned = await plan(transaction);
        await work(transaction, planned);
        return planned;
      });
    } catch (error) {
      if (!isHeldUp(error)) throw asUnavailable(error);
      if (performance.now() + pauseMs > deadline) throw error;
      await pause(pauseMs);
    }
  }
}

/** Whether another process is in the way, so that the same try may succeed later. */
function isHeldUp(error: unknown): boolean {
  if (error instanceof IndexesBeingBuiltError) return true;
  return error instanceof pg.DatabaseError && (error.code === lockNotAvailable || error.code === deadlockDetected);
}

class IndexesBeingBuiltError extends DatabaseUnavailableError {
  override readonly name = 'IndexesBeingBuiltError';

  constructor() {
    super(
      undefined,
      'Another process is building the indexes of this release. Run the migration again when it has ended.',
    );
  }
}

/**
 * Which migrations have run, in their order, and which of them a later release added to all of ours.
 * @throws {MigrationHistoryError} when they are neither the first of ours nor all of ours and more
 */
export async function readMigrationHistory(
  db: Knex,
): Promise<{ readonly completed: readonly string[]; readonly later: readonly string[] }> {
  // Knex would make the table that it looks for.
  if (!(await reachDatabase(db.schema.hasTable(migratorConfig.tableName)))) return { completed: [], later: [] };
  // It would take a later release's for lost files as well.
  const [rows] = (await db.migrate.list({ ...migratorConfig, disableMigrationsListValidation: true })) as [
    { readonly name: string }[],
    unknown,
  ];
  const completed = rows.map(({ name }) => name);
  const other = completed.find((name, index) => index < migrations.length && migrations[index]?.name !== name);
  if (other !== undefined) {
    throw new MigrationHistoryError(
      `The database's migrations are not those of this release: ${other} is out of place.`,
    );
  }
  return { completed, later: completed.slice(migrations.length) };
}

/** For the operator. @param later - of `readMigrationHistory` */
export function describeLater(later: readonly string[]): string {
  return `The database is of a later release, which added ${later.join(', ')}.`;
}
