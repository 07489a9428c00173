import { connectDatabase } from '@dune-tide/db/connection';
import { findCluster } from '../src/cluster.ts';
import { clusterDirectory } from '../src/local-database.ts';

/**
 * Makes a migration take longer than a visitor's statement may, as on a database with many leads: its first change of
 * the schema waits.
 * @param dataDirectory - that of a running local database
 * @param applicationName - the application name of the connection that migrates
 */
export async function slowDownMigration(dataDirectory: string, applicationName: string): Promise<void> {
  // Only a superuser can create an event trigger.
  const url = (await findCluster(clusterDirectory(dataDirectory)))?.('dune_and_tide');
  if (url === undefined) throw new Error('The local database is not running');
  const database = connectDatabase({ url, applicationName: 'test', poolSize: 1 });
  try {
    await database.raw(`
      create function slow_down() returns event_trigger language plpgsql as $$
      begin
        if current_setting('application_name') = '${applicationName}' and current_setting('test.waited', true) is null then
          perform set_config('test.waited', 'yes', false), pg_sleep(4.6);
        end if;
      end $$
    `);
    await database.raw('create event trigger slow_down on ddl_command_start execute function slow_down()');
  } finally {
    await database.destroy();
  }
}
