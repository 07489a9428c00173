import { parseArgs } from 'node:util';
import { connectForMaintenance } from '@dune-tide/db/connect';
import { MigrationHistoryError, migrateTo, migrations, planMigrateTo } from '@dune-tide/db/migrate';
import { DatabaseUnavailableError } from '@dune-tide/db/unavailable';
import { runProcess } from '@dune-tide/platform/process';
import { describeMigrated, migrate } from './migrate.ts';
import { readMigrateSettings } from './settings.ts';
import { ensureFirstAccount } from './staff/first-account.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * Prepares a database once before api and worker start: tables, and the first staff account. With `--back-to NAME` it
 * says which migrations came after that one instead, and with `--yes` takes them back, with what they hold.
 */
await runProcess(async () => {
  const { values } = parseArgs({ options: { 'back-to': { type: 'string' }, yes: { type: 'boolean' } } });
  const settings = readMigrateSettings(process.env);
  const database = connectForMaintenance({ url: settings.DATABASE_URL, applicationName: 'migrate' });
  try {
    const name = values['back-to'];
    if (name !== undefined) {
      if (!migrations.some((each) => each.name === name)) {
        process.stderr.write(
          `There is no migration ${name}. There are: ${migrations.map((each) => each.name).join(', ')}\n`,
        );
        process.exitCode = 1;
        return;
      }
      if (values.yes !== true) {
        const { takenBack } = await planMigrateTo(database, name);
        if (takenBack.length > 0) {
          process.stderr.write(
            `Nothing was changed. --yes takes back, with what only these hold: ${takenBack.join(', ')}\n`,
          );
          process.exitCode = 1;
          return;
        }
      }
      const { takenBack } = await migrateTo(database, name);
      say(takenBack.length === 0 ? 'Nothing to take back.' : `Taken back: ${takenBack.join(', ')}`);
      return;
    }
    const migrated = await migrate(database, { databaseUrl: settings.DATABASE_URL, redisUrl: settings.REDIS_URL });
    const account = await ensureFirstAccount(database, {
      username: settings.ADMIN_USERNAME,
      password: settings.ADMIN_PASSWORD,
    });
    say(describeMigrated(migrated));
    if (account.madeUpPassword !== undefined) {
      say(`First staff account, shown this once: ${account.username} / ${account.madeUpPassword}`);
    }
  } catch (error) {
    if (!(error instanceof MigrationHistoryError || error instanceof DatabaseUnavailableError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await database.destroy();
  }
});
