import type { Knex } from 'knex';

/** A CHECK that a migration adds as `not valid`, because reading all rows would take too long in its transaction. */
export interface LateCheck {
  readonly table: string;
  readonly name: string;
}

/**
 * Validates those of the CHECKs that exist and are not validated. The rows are read and written in the meantime.
 * @param waitMs - the time to wait for each lock
 * @throws {DatabaseUnavailableError} also if a lock was not available
 * @throws the error of PostgreSQL, 23514, if a row violates the CHECK
 */
export async function validateLateChecks(db: Knex, checks: readonly LateCheck[], waitMs: number): Promise<void> {
  const { rows } = await db.raw<{ rows: LateCheck[] }>(
    `select "table", name
     from (select distinct * from unnest(:tables::text[], :names::text[]) as late ("table", name)) as late
     join pg_constraint on conrelid = to_regclass("table") and conname = name and not convalidated`,
    { tables: checks.map(({ table }) => table), names: checks.map(({ name }) => name) },
  );
  for (const { table, name } of rows) {
    await db.transaction(async (transaction) => {
      await transaction.raw(`select set_config('lock_timeout', ?, true)`, [`${waitMs}ms`]);
      await transaction.raw('alter table ?? validate constraint ??', [table, name]);
    });
  }
}
