import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import * as leads from '../../migrations/20261121-01-leads.ts';
import * as followUps from '../../migrations/20261121-02-follow-ups.ts';
import * as staffAndSessions from '../../migrations/20261121-03-staff-and-sessions.ts';
import * as recipes from '../../migrations/20261121-04-recipes.ts';
import * as leadCounts from '../../migrations/20261121-05-lead-counts.ts';
import * as rateLimits from '../../migrations/20261121-06-rate-limits.ts';
import * as spamSigns from '../../migrations/20261121-07-spam-signs.ts';
import * as followUpsByState from '../../migrations/20261121-08-follow-ups-by-state.ts';
import * as claims from '../../migrations/20261121-09-claims.ts';
import * as messageIds from '../../migrations/20261121-10-message-ids.ts';
import * as noRequestHash from '../../migrations/20261122-11-no-request-hash.ts';
import * as retriedAt from '../../migrations/20261123-12-retried-at.ts';
import * as followUpKinds from '../../migrations/20261125-13-follow-up-kinds.ts';
import * as emailBounds from '../../migrations/20261125-14-email-bounds.ts';
import * as leadWork from '../../migrations/20261125-16-lead-work.ts';
import * as leadSearch from '../../migrations/20261125-17-lead-search.ts';
import * as leadViews from '../../migrations/20261125-18-lead-views.ts';
import * as replies from '../../migrations/20261125-19-replies.ts';
import * as webhooks from '../../migrations/20261125-20-webhooks.ts';
import * as auditLog from '../../migrations/20261125-21-audit-log.ts';
import * as erasures from '../../migrations/20261126-22-erasures.ts';
import * as accountSecurity from '../../migrations/20261126-25-account-security.ts';
import * as secondFactors from '../../migrations/20261126-26-second-factors.ts';
import * as passkeys from '../../migrations/20261126-27-passkeys.ts';
import * as emailTexts from '../../migrations/20261126-28-email-texts.ts';
import * as bulkRequests from '../../migrations/20261126-29-bulk-requests.ts';
import { advisoryLocks, DatabaseUnavailableError, NotMigratedError, serverErrorOf } from '../connection/index.ts';
import { grantTableAccess } from './app-access.ts';
import { buildLargeIndexes, buildLateIndexes, type LargeIndex } from './large-indexes.ts';
import { validateLateChecks, type LateCheck } from './late-checks.ts';

interface Migration extends Knex.Migration {
  /** Indexes that are built before the transaction of the migrations, while the previous release is running. */
  readonly largeIndexes?: readonly LargeIndex[];
  /** Indexes on columns that the migration adds. They are built after the transaction, so that inserts do not wait. */
  readonly lateIndexes?: readonly LargeIndex[];
  /** CHECKs that the migration adds as `not valid`. They are validated after the transaction, as when it is reverted. */
  readonly lateChecks?: readonly LateCheck[];
}

/**
 * All migrations in their order. They are listed here, not read from the folder, so that source and build have one
 * list.
 */
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
  { name: '20261125-14-email-bounds', migration: emailBounds },
  { name: '20261125-16-lead-work', migration: leadWork },
  { name: '20261125-17-lead-search', migration: leadSearch },
  { name: '20261125-18-lead-views', migration: leadViews },
  { name: '20261125-19-replies', migration: replies },
  { name: '20261125-20-webhooks', migration: webhooks },
  { name: '20261125-21-audit-log', migration: auditLog },
  { name: '20261126-22-erasures', migration: erasures },
  { name: '20261126-25-account-security', migration: accountSecurity },
  { name: '20261126-26-second-factors', migration: secondFactors },
  { name: '20261126-27-passkeys', migration: passkeys },
  { name: '20261126-28-email-texts', migration: emailTexts },
  { name: '20261126-29-bulk-requests', migration: bulkRequests },
];

const migrationSource: Knex.MigrationSource<(typeof migrations)[number]> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ migration }) => migration,
};

/** The configuration of Knex's migrator: the migrations, and the table that records which have run. */
export const migratorConfig = { migrationSource, tableName: 'schema_migrations' } satisfies Knex.MigratorConfig;

/** The time limits of a migration that waits for locks, for example those of a backup. */
export interface LockPatience {
  /**
   * The time to wait for one lock. Visitors' statements queue behind the migration in this time, and fail after 3 s.
   */
  readonly waitMs: number;
  /** The pause between two attempts, in which visitors' statements run. */
  readonly pauseMs: number;
  /** The time after which no attempt starts. */
  readonly triesForMs: number;
}

const lockPatience: LockPatience = { waitMs: 2_000, pauseMs: 3_000, triesForMs: 60_000 };

/** Allows one attempt, for a caller that holds locks itself: a pause would only extend them. */
export const oneTry = (waitMs: number): LockPatience => ({ waitMs, pauseMs: 0, triesForMs: 0 });

/** PostgreSQL, appendix A: lock_not_available. */
export const lockNotAvailable = '55P03';
/** PostgreSQL, appendix A: deadlock_detected. An index build that an interrupted process left running can cause it. */
const deadlockDetected = '40P01';

/** Thrown if this release cannot work with the migrations that have run on the database. Nothing was changed. */
export class MigrationHistoryError extends Error {
  override readonly name = 'MigrationHistoryError';
}

/**
 * Brings the schema and the rights on its tables up to date. Large indexes are built first; everything else is all or
 * nothing. Several processes can run it concurrently: Knex's own lock is a table that must exist first, so an advisory
 * lock of PostgreSQL is taken before it. If a later release has migrated the database, nothing is done, because this
 * release runs on that schema.
 * @param db - a pool of at least two connections, or a transaction
 * @returns the names of the migrations that ran, and of those that only a later release has
 * @throws {MigrationHistoryError} if other migrations have run
 * @throws {DatabaseUnavailableError}
 * @throws the error of a statement that failed; 55P03 if a lock was not available
 */
export async function migrateUp(
  db: Knex,
  patience = lockPatience,
): Promise<{ readonly run: readonly string[]; readonly later: readonly string[] }> {
  return tryMigrating(db, patience, planMigrateUp, async (transaction, { run, later }) => {
    if (run.length > 0) await transaction.migrate.latest(migratorConfig);
    // A later release may need rights that this one does not know.
    if (later.length === 0) await grantTableAccess(transaction);
  });
}

async function planMigrateUp(
  db: Knex,
): Promise<{ readonly run: readonly string[]; readonly later: readonly string[] }> {
  const { completed, later } = await readMigrationHistory(db);
  return { run: migrations.slice(completed.length).map(({ name }) => name), later };
}

/** The names of migrations to run and to revert, in order. */
export interface MigrationPlan {
  readonly run: readonly string[];
  readonly takenBack: readonly string[];
}

/**
 * Brings the schema to its state right after a migration, all or nothing: runs the missing migrations up to it, and
 * reverts later ones, whose data is lost.
 * @returns the migrations that were run and reverted
 * @throws {RangeError} if no migration has that name
 * @throws {MigrationHistoryError} if other migrations have run, or if a later release has migrated the database: only
 *   that release can revert its migrations
 * @throws the other errors of `migrateUp`
 */
export async function migrateTo(db: Knex, name: string, patience = lockPatience): Promise<MigrationPlan> {
  const plan = (database: Knex): Promise<MigrationPlan> => planMigrateTo(database, name);
  return tryMigrating(db, patience, plan, async (transaction, { run, takenBack }) => {
    for (const each of run) await transaction.migrate.up({ ...migratorConfig, name: each });
    for (const each of takenBack) await transaction.migrate.down({ ...migratorConfig, name: each });
    await grantTableAccess(transaction);
  });
}

/**
 * Returns the migrations that `migrateTo` would run and revert.
 * @throws {RangeError} if no migration has that name
 * @throws {MigrationHistoryError} as `migrateTo` does
 */
export async function planMigrateTo(db: Knex, name: string): Promise<MigrationPlan> {
  const names = migrations.map((each) => each.name);
  const last = names.indexOf(name);
  if (last === -1) throw new RangeError('The migration does not exist');
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
 * Builds the large indexes, runs the migrations in one transaction and under a lock, then builds the late indexes and
 * validates the late CHECKs, including those that an interrupted process has left. Tries again while another process
 * holds a lock.
 * @param plan - called before and within the transaction, because another process may migrate in the meantime
 * @returns the plan that was carried out
 */
async function tryMigrating<Plan extends Pick<MigrationPlan, 'run'>>(
  db: Knex,
  { waitMs, pauseMs, triesForMs }: LockPatience,
  plan: (db: Knex) => Promise<Plan>,
  work: (transaction: Knex.Transaction, plan: Plan) => Promise<void>,
): Promise<Plan> {
  const deadline = performance.now() + triesForMs;
  let done: Plan | undefined;
  for (;;) {
    try {
      if (done) {
        await buildLateIndexes(db, await lateIndexes(db));
        await validateLateChecks(
          db,
          migrations.flatMap(({ migration }) => migration.lateChecks ?? []),
          waitMs,
        );
        return done;
      }
      const { run } = await plan(db);
      const indexes = migrations.flatMap(({ name, migration }) =>
        run.includes(name) ? (migration.largeIndexes ?? []) : [],
      );
      if (!(await buildLargeIndexes(db, indexes))) throw new IndexesBeingBuiltError();
      done = await db.transaction(async (transaction) => {
        await transaction.raw(`select set_config('lock_timeout', ?, true)`, [`${waitMs}ms`]);
        await transaction.raw('select pg_advisory_xact_lock(?)', [advisoryLocks.migration]);
        const planned = await plan(transaction);
        if (planned.run.length > 0) await lockIntakeTables(transaction);
        await work(transaction, planned);
        return planned;
      });
    } catch (error) {
      if (!isHeldUp(error)) throw error instanceof NotMigratedError ? error.cause : error;
      if (performance.now() + pauseMs > deadline) throw serverErrorOf(error) ?? error;
      await pause(pauseMs);
    }
  }
}

/**
 * Locks the tables of the intake in the order in which its statement locks them. Migrations that changed them in another
 * order would deadlock with it, and PostgreSQL could cancel the visitor's statement.
 */
async function lockIntakeTables(transaction: Knex.Transaction): Promise<void> {
  for (const table of ['leads', 'follow_ups']) {
    if (await transaction.schema.hasTable(table)) {
      await transaction.raw('lock table ?? in access exclusive mode', [table]);
    }
  }
}

/** Returns the late indexes of the migrations that have run. */
async function lateIndexes(db: Knex): Promise<LargeIndex[]> {
  const { completed } = await readMigrationHistory(db);
  return migrations.flatMap(({ name, migration }) => (completed.includes(name) ? (migration.lateIndexes ?? []) : []));
}

/** Returns whether another process holds a lock, so that a later attempt may succeed. */
function isHeldUp(error: unknown): boolean {
  if (error instanceof IndexesBeingBuiltError) return true;
  const code = serverErrorOf(error)?.code;
  return code === lockNotAvailable || code === deadlockDetected;
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
 * Reads which migrations have run.
 * @returns all completed migrations in their order, and those of them that a later release added
 * @throws {MigrationHistoryError} if the completed migrations do not start with those of this release, in their order
 */
export async function readMigrationHistory(
  db: Knex,
): Promise<{ readonly completed: readonly string[]; readonly later: readonly string[] }> {
  // Knex would create the table when it reads it.
  if (!(await db.schema.hasTable(migratorConfig.tableName))) return { completed: [], later: [] };
  // Without this option Knex rejects the migrations of a later release as missing files.
  const [rows] = (await db.migrate.list({ ...migratorConfig, disableMigrationsListValidation: true })) as [
    { readonly name: string }[],
    unknown,
  ];
  const completed = rows.map(({ name }) => name);
  const other = completed.find((name, index) => index < migrations.length && migrations[index]?.name !== name);
  if (other !== undefined) {
    throw new MigrationHistoryError(`The database's migrations are not those of this release: ${other} is unexpected.`);
  }
  return { completed, later: completed.slice(migrations.length) };
}

/**
 * Describes to an operator that a later release has migrated the database.
 * @param later - its migrations, as `readMigrationHistory` returns them
 */
export function describeLater(later: readonly string[]): string {
  return `A later release has migrated the database and added ${later.join(', ')}.`;
}
