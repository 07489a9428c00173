import { connectDatabase } from '@dune-tide/db/connection';
import { findCluster } from '../src/cluster.ts';
import { clusterDirectory, localDatabaseName } from '../src/local-database.ts';

/**
 * Makes each change of the schema fail that has the time limit of a request, because it takes longer on a database with
 * many leads.
 * @param dataDirectory - that of a running local database
 * @param applicationName - the application name of the connection that migrates
 */
export async function requireUnlimitedMigration(dataDirectory: string, applicationName: string): Promise<void> {
  // Only a superuser can create an event trigger.
  const url = (await findCluster(clusterDirectory(dataDirectory)))?.(localDatabaseName);
  if (url === undefined) throw new Error('The local database is not running');
  const database = connectDatabase({ url, applicationName: 'test', poolSize: 1 });
  try {
    await database.raw(`
      create function require_unlimited() returns event_trigger language plpgsql as $$
      begin
        if current_setting('application_name') = '${applicationName}'
          and current_setting('statement_timeout')::interval < interval '1 hour' then
          raise exception 'The migration is limited to %', current_setting('statement_timeout');
        end if;
      end $$
    `);
    await database.raw('create event trigger unlimited on ddl_command_start execute function require_unlimited()');
  } finally {
    await database.destroy();
  }
}
