import { connectForMaintenance, describeOutage, DatabaseUnavailableError } from '@dune-tide/db/connection';
import { MigrationHistoryError, migrateTo, planMigrateTo, releases, requiredStop } from '@dune-tide/db/schema';
import { runProcess } from '@dune-tide/platform/process';
import { misspelledSettings } from '@dune-tide/platform/setting-names';
import type { Knex } from 'knex';
import { describeMigrated, migrate } from './commands/migrate.ts';
import { OperatorError } from './command-line/operator-error.ts';
import { isHelp, usageError, parseCommandLine } from './command-line/arguments.ts';
import { readMigrateSettings } from './settings.ts';
import { ensureFirstAccount } from './first-account.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const usage = [
  'Usage: node ops/dist/src/migrate.js [--back-to-release VERSION [--yes]]',
  '',
  'Runs all migrations that have not run yet. With --back-to-release, lists the migrations that are newer than this',
  'release. With --yes as well, rolls them back and deletes the data that only they hold.',
].join('\n');

/** The releases whose schema a rollback can restore. */
const reachable = releases.slice(releases.findIndex(({ version }) => version === requiredStop.version));

/**
 * Prepares a database before the API and the worker start: creates the tables and the first staff account. With
 * `--back-to-release VERSION`, lists the migrations that are newer than this release; with `--yes` as well, rolls them
 * back and deletes the data that only they hold.
 */
await runProcess(async () => {
  const words = process.argv.slice(2);
  if (isHelp(words)) return say(usage);
  try {
    const { positionals, values } = parseCommandLine(
      words,
      { 'back-to-release': { type: 'string' }, yes: { type: 'boolean' } },
      usage,
    );
    const version = values['back-to-release'];
    if (positionals.length > 0 || (values.yes === true && version === undefined)) throw usageError(usage);
    const misspelled = misspelledSettings(process.env);
    if (misspelled !== undefined) process.stderr.write(`${misspelled}\n`);
    const settings = readMigrateSettings(process.env);
    const url = 'MIGRATION_DATABASE_URL' in settings ? settings.MIGRATION_DATABASE_URL : settings.DATABASE_URL;
    const database = connectForMaintenance({ url, applicationName: 'migrate' });
    try {
      await (version === undefined
        ? bringUp(database, url, settings)
        : takeBack(database, version, values.yes === true));
    } finally {
      await database.destroy();
    }
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${explain(error)}\n`);
  }
});

async function bringUp(
  database: Knex,
  databaseUrl: string,
  settings: ReturnType<typeof readMigrateSettings>,
): Promise<void> {
  const migrated = await migrate(database, { databaseUrl, redisUrl: settings.REDIS_URL });
  const account = await ensureFirstAccount(database, {
    username: settings.ADMIN_USERNAME,
    password: settings.ADMIN_PASSWORD,
    email: settings.ADMIN_EMAIL,
    requiresSecondFactor: true,
  });
  say(describeMigrated(migrated));
  if (account.madeUpPassword !== undefined) {
    say(`First staff account (the password is shown only once): ${account.username} / ${account.madeUpPassword}`);
  }
}

async function takeBack(database: Knex, version: string, isMeant: boolean): Promise<void> {
  const release = reachable.find((each) => each.version === version);
  if (release === undefined) {
    const known = reachable.map((each) => each.version).join(', ');
    throw new OperatorError(`Nothing was changed. The release ${version} is unknown. Known releases: ${known}`);
  }
  const { run, takenBack } = await planMigrateTo(database, release.lastMigration);
  if (run.length > 0) {
    throw new OperatorError(
      `Nothing was changed. --back-to-release does not run migrations, and these have not run: ${run.join(', ')}`,
    );
  }
  if (takenBack.length === 0) return say(`Nothing to roll back: the database has the schema of ${version}.`);
  if (!isMeant) {
    throw new OperatorError(
      `Nothing was changed. --yes rolls back these migrations and deletes their data: ${takenBack.join(', ')}`,
    );
  }
  await migrateTo(database, release.lastMigration);
  say(`Rolled back: ${takenBack.join(', ')}`);
}

/** @throws an unexpected error, so that its stack trace is shown */
function explain(error: unknown): string {
  if (error instanceof DatabaseUnavailableError) return describeOutage(error);
  if (error instanceof OperatorError || error instanceof MigrationHistoryError) return error.message;
  throw error;
}
