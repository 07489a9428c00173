import type { Knex } from 'knex';

/**
 * Makes a migration take longer than a visitor's statement may, as on a database with many leads: its first change of
 * the schema waits.
 * @param applicationName - the application name of the connection that migrates
 */
export async function slowDownMigration(database: Knex, applicationName: string): Promise<void> {
  await database.raw(`
    create function slow_down() returns event_trigger language plpgsql as $$
    begin
      if current_setting('application_name') = '${applicationName}' and current_setting('test.waited', true) is null then
        perform set_config('test.waited', 'yes', false), pg_sleep(4.6);
      end if;
    end $$
  `);
  await database.raw('create event trigger slow_down on ddl_command_start execute function slow_down()');
}
