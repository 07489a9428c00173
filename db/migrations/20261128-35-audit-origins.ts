import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import { createIndex, type LargeIndex } from '../src/schema/large-indexes.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/** Finds the refusals of one account, which limits and alerts count. */
export const largeIndexes: readonly LargeIndex[] = [
  {
    name: 'audit_log_refusals',
    table: 'audit_log',
    isUnique: false,
    columns: `(subject_id, at) where action in (
      'sign_in_refused', 'second_factor_refused', 'password_refused', 'attempt_limited', 'access_refused'
    )`,
  },
];

/** Keeps the network and the device of sign-ins and refusals. Entries of the previous release have none. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- No foreign key, because entries outlive their origins. An entry holds the HMAC of its origin.
    create table audit_origins (
      entry_id uuid primary key,
      -- The key of the HMAC, 32 random bytes. Without it, the HMAC tells nothing.
      key text not null,
      network text,
      device text,
      at timestamptz(3) not null default clock_timestamp()
    )
  `);
  await db.raw('create index audit_origins_by_time on audit_origins (at)');
  for (const index of largeIndexes) await db.raw(createIndex(index));
  await runStatements(db, definitions.up);
}

/** The networks and devices are lost. */
export async function down(db: Knex): Promise<void> {
  await db.raw('drop index audit_log_refusals');
  await runStatements(db, definitions.down);
  await db.raw('drop table audit_origins');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [
  { table: 'audit_origins', name: 'audit_origins_key_form' },
  { table: 'audit_origins', name: 'audit_origins_network_length' },
  { table: 'audit_origins', name: 'audit_origins_device_length' },
];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `DROP FUNCTION remove_old_audit_entries(months integer)`,
    `CREATE OR REPLACE FUNCTION remove_old_audit_origins()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path FROM CURRENT
AS $function$
    declare
      removed bigint;
    begin
      delete from audit_origins where entry_id in (
        select entry_id from audit_origins where at < now() - interval '90 days' order by at limit 10000
      );
      get diagnostics removed = row_count;
      return removed;
    end
    $function$
;
REVOKE EXECUTE ON FUNCTION remove_old_audit_origins() FROM public`,
    `CREATE OR REPLACE FUNCTION remove_old_audit_entries(months integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path FROM CURRENT
AS $function$
    declare
      last record;
      removed bigint;
    begin
      if months < 12 or months is null then
        raise exception 'Entries of the last 12 months cannot be removed' using errcode = 'invalid_parameter_value';
      end if;
      perform pg_advisory_xact_lock(20261125, 21);
      with oldest as (
        select position, hash, at from audit_log where position is not null order by position limit 10000
      )
      select position, hash into last from oldest
      where position < coalesce(
        (select min(position) from oldest where at >= now() - make_interval(months => months)),
        (select max(position) + 1 from oldest)
      )
      order by position desc limit 1;
      if not found then
        return 0;
      end if;
      perform set_config('studio.audit_retention', 'on', true);
      delete from audit_log where position <= last.position;
      get diagnostics removed = row_count;
      perform set_config('studio.audit_retention', '', true);
      insert into audit_log (actor, action, details) values (
        'system', 'audit_entries_removed',
        jsonb_build_object('count', removed, 'position', last.position, 'hash', last.hash)
      );
      return removed;
    end
    $function$
;
REVOKE EXECUTE ON FUNCTION remove_old_audit_entries(months integer) FROM public`,
    `ALTER TABLE audit_origins ADD CONSTRAINT audit_origins_key_form CHECK (key ~ '^[0-9a-f]{64}$'::text) NOT VALID`,
    `ALTER TABLE audit_origins ADD CONSTRAINT audit_origins_network_length CHECK (char_length(network) >= 1 AND char_length(network) <= 50) NOT VALID`,
    `ALTER TABLE audit_origins ADD CONSTRAINT audit_origins_device_length CHECK (char_length(device) >= 1 AND char_length(device) <= 100) NOT VALID`,
  ],
  down: [
    `ALTER TABLE audit_origins DROP CONSTRAINT audit_origins_device_length`,
    `ALTER TABLE audit_origins DROP CONSTRAINT audit_origins_network_length`,
    `ALTER TABLE audit_origins DROP CONSTRAINT audit_origins_key_form`,
    `DROP FUNCTION remove_old_audit_entries(months integer)`,
    `DROP FUNCTION remove_old_audit_origins()`,
    `CREATE OR REPLACE FUNCTION remove_old_audit_entries(months integer)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path FROM CURRENT
AS $function$
    declare
      last record;
      removed bigint;
    begin
      if months < 12 or months is null then
        raise exception 'Entries of the last 12 months cannot be removed' using errcode = 'invalid_parameter_value';
      end if;
      perform pg_advisory_xact_lock(20261125, 21);
      with oldest as (
        select position, hash, at from audit_log where position is not null order by position limit 10000
      )
      select position, hash into last from oldest
      where position < coalesce(
        (select min(position) from oldest where at >= now() - make_interval(months => months)),
        (select max(position) + 1 from oldest)
      )
      order by position desc limit 1;
      if not found then
        return 0;
      end if;
      perform set_config('studio.audit_retention', 'on', true);
      delete from audit_log where position <= last.position;
      get diagnostics removed = row_count;
      perform set_config('studio.audit_retention', '', true);
      insert into audit_log (actor, action, details) values (
        'system', 'audit_entries_removed',
        jsonb_build_object('count', removed, 'position', last.position, 'hash', last.hash)
      );
      return removed;
    end
    $function$
`,
  ],
};
