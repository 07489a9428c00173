import { connectDatabase } from '@dune-tide/db/connect';
import { runProcess } from '@dune-tide/platform/process';
import { migrate } from './migrate.ts';
import { readMigrateSettings } from './settings.ts';
import { ensureFirstAccount } from './staff/first-account.ts';

/** Prepares a database once before api and worker start: tables, and the first staff account. */
await runProcess(async () => {
  const settings = readMigrateSettings(process.env);
  const database = connectDatabase({ url: settings.DATABASE_URL, applicationName: 'migrate', poolSize: 2 });
  const names = await migrate(database, { databaseUrl: settings.DATABASE_URL, redisUrl: settings.REDIS_URL });
  const account = await ensureFirstAccount(database, {
    username: settings.ADMIN_USERNAME,
    password: settings.ADMIN_PASSWORD,
  });
  await database.destroy();
  process.stdout.write(names.length === 0 ? 'The database is up to date.\n' : `Migrated: ${names.join(', ')}\n`);
  if (account.madeUpPassword !== undefined) {
    process.stdout.write(`First staff account, shown this once: ${account.username} / ${account.madeUpPassword}\n`);
  }
});
