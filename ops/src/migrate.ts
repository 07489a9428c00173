import { connectForMaintenance, describeOutage, DatabaseUnavailableError } from '@dune-tide/db/connection';
import { MigrationHistoryError, migrateTo, migrations, planMigrateTo, requiredStop } from '@dune-tide/db/schema';
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
  'Usage: node ops/dist/src/migrate.js [--back-to MIGRATION [--yes]]',
  '',
  'Runs all migrations that have not run yet. With --back-to, lists the migrations after the named one. With --back-to',
  'and --yes, rolls them back and deletes the data that only they hold.',
].join('\n');

/**
 * Prepares a database before the API and the worker start: creates the tables and the first staff account. With
 * `--back-to NAME`, lists the migrations after the named one; with `--yes` as well, rolls them back and deletes the
 * data that only they hold.
 */
await runProcess(async () => {
  const words = process.argv.slice(2);
  if (isHelp(words)) return say(usage);
  try {
    const { positionals, values } = parseCommandLine(
      words,
      { 'back-to': { type: 'string' }, yes: { type: 'boolean' } },
      usage,
    );
    const name = values['back-to'];
    if (positionals.length > 0 || (values.yes === true && name === undefined)) throw usageError(usage);
    const misspelled = misspelledSettings(process.env);
    if (misspelled !== undefined) process.stderr.write(`${misspelled}\n`);
    const settings = readMigrateSettings(process.env);
    const url = 'MIGRATION_DATABASE_URL' in settings ? settings.MIGRATION_DATABASE_URL : settings.DATABASE_URL;
    const database = connectForMaintenance({ url, applicationName: 'migrate' });
    try {
      await (name === undefined ? bringUp(database, url, settings) : takeBack(database, name, values.yes === true));
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

async function takeBack(database: Knex, name: string, isMeant: boolean): Promise<void> {
  const names = migrations.map((each) => each.name).filter((each) => each >= requiredStop.lastMigration);
  if (!names.includes(name))
    throw new OperatorError(`The migration ${name} is unknown. Known migrations: ${names.join(', ')}`);
  const { run, takenBack } = await planMigrateTo(database, name);
  if (run.length > 0) {
    throw new OperatorError(
      `Nothing was changed. --back-to does not run migrations, and these have not run: ${run.join(', ')}`,
    );
  }
  if (takenBack.length === 0) return say('Nothing to roll back.');
  if (!isMeant) {
    throw new OperatorError(
      `Nothing was changed. --yes rolls back these migrations and deletes their data: ${takenBack.join(', ')}`,
    );
  }
  await migrateTo(database, name);
  say(`Rolled back: ${takenBack.join(', ')}`);
}

/** @throws an unexpected error, so that its stack trace is shown */
function explain(error: unknown): string {
  if (error instanceof DatabaseUnavailableError) return describeOutage(error);
  if (error instanceof OperatorError || error instanceof MigrationHistoryError) return error.message;
  throw error;
}
