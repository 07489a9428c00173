import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { advisoryLocks, DatabaseUnavailableError, NotMigratedError, serverErrorOf } from '../connection/index.ts';
import { grantTableAccess } from './app-access.ts';
import { buildLargeIndexes, buildLateIndexes, type LargeIndex } from './large-indexes.ts';
import { validateLateChecks } from './late-checks.ts';
import { isBeforeRequiredStop, migrations, type NamedMigration } from './migrations.ts';
import { requiredStop } from './releases.ts';

/** Migrations in their order. Tests add some to those of this release. */
type Chain = readonly NamedMigration[];

/** Returns the configuration of Knex's migrator: the migrations, and the table that records which have run. */
const configOf = (chain: Chain) => {
  const migrationSource: Knex.MigrationSource<NamedMigration> = {
    getMigrations: async () => [...chain],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ migration }) => migration,
  };
  return { migrationSource, tableName: 'schema_migrations' } satisfies Knex.MigratorConfig;
};

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

/** Tells an operator that the data is older than the required stop. `db/roles.sql` has the same sentence. */
export const upgradeFirst = `The data is of a release before ${requiredStop.version}: upgrade to ${requiredStop.version} first (commit ${requiredStop.commit}).`;

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
  chain: Chain = migrations,
): Promise<{ readonly run: readonly string[]; readonly later: readonly string[] }> {
  const plan = async (database: Knex): Promise<{ run: readonly string[]; later: readonly string[] }> => {
    const { completed, later } = await readMigrationHistory(database, chain);
    return { run: chain.slice(completed.length).map(({ name }) => name), later };
  };
  return tryMigrating(db, patience, chain, plan, async (transaction, { run, later }) => {
    if (run.length > 0) await transaction.migrate.latest(configOf(chain));
    // A later release may need rights that this one does not know.
    if (later.length === 0) await grantTableAccess(transaction);
  });
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
 * @throws {RangeError} if no migration has that name, or one before the last of the required stop
 * @throws {MigrationHistoryError} if other migrations have run, or if a later release has migrated the database: only
 *   that release can revert its migrations
 * @throws the other errors of `migrateUp`
 */
export async function migrateTo(
  db: Knex,
  name: string,
  patience = lockPatience,
  chain: Chain = migrations,
): Promise<MigrationPlan> {
  const plan = (database: Knex): Promise<MigrationPlan> => planMigrateTo(database, name, chain);
  return tryMigrating(db, patience, chain, plan, async (transaction, { run, takenBack }) => {
    const config = configOf(chain);
    if (takenBack.length > 0) await lockIntakeTables(transaction);
    for (const each of run) await transaction.migrate.up({ ...config, name: each });
    for (const each of takenBack) await transaction.migrate.down({ ...config, name: each });
    await grantTableAccess(transaction);
  });
}

/**
 * Returns the migrations that `migrateTo` would run and revert.
 * @throws {RangeError} as `migrateTo` does
 * @throws {MigrationHistoryError} as `migrateTo` does
 */
export async function planMigrateTo(db: Knex, name: string, chain: Chain = migrations): Promise<MigrationPlan> {
  const names = chain.map((each) => each.name);
  const last = names.indexOf(name);
  if (last < names.indexOf(requiredStop.lastMigration)) throw new RangeError('The migration does not exist');
  const { completed, later } = await readMigrationHistory(db, chain);
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
  chain: Chain,
  plan: (db: Knex) => Promise<Plan>,
  work: (transaction: Knex.Transaction, plan: Plan) => Promise<void>,
): Promise<Plan> {
  const deadline = performance.now() + triesForMs;
  let done: Plan | undefined;
  for (;;) {
    try {
      if (done) {
        await buildLateIndexes(db, await lateIndexes(db, chain));
        await validateLateChecks(
          db,
          chain.flatMap(({ migration }) => migration.lateChecks ?? []),
          waitMs,
        );
        return done;
      }
      const { run } = await plan(db);
      const indexes = chain.flatMap(({ name, migration }) =>
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
async function lateIndexes(db: Knex, chain: Chain): Promise<LargeIndex[]> {
  const { completed } = await readMigrationHistory(db, chain);
  return chain.flatMap(({ name, migration }) => (completed.includes(name) ? (migration.lateIndexes ?? []) : []));
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
  chain: Chain = migrations,
): Promise<{ readonly completed: readonly string[]; readonly later: readonly string[] }> {
  const config = configOf(chain);
  // Knex would create the table when it reads it.
  if (!(await db.schema.hasTable(config.tableName))) return { completed: [], later: [] };
  // Without this option Knex rejects the migrations of a later release as missing files.
  const [rows] = (await db.migrate.list({ ...config, disableMigrationsListValidation: true })) as [
    { readonly name: string }[],
    unknown,
  ];
  const completed = rows.map(({ name }) => name);
  if (completed.length > 0 && isBeforeRequiredStop(completed)) throw new MigrationHistoryError(upgradeFirst);
  const other = completed.find((name, index) => index < chain.length && chain[index]?.name !== name);
  if (other !== undefined) {
    throw new MigrationHistoryError(`The database's migrations are not those of this release: ${other} is unexpected.`);
  }
  return { completed, later: completed.slice(chain.length) };
}

/**
 * Describes to an operator that a later release has migrated the database.
 * @param later - its migrations, as `readMigrationHistory` returns them
 */
export function describeLater(later: readonly string[]): string {
  return `A later release has migrated the database and added ${later.join(', ')}.`;
}
