import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/**
 * Creates the tables of known devices and of their failures. The previous release keeps its signed cookies, which enter
 * the table at their first use.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table known_devices (
      id uuid primary key default gen_random_uuid(),
      staff_id uuid not null references staff on delete cascade,
      token_hash text not null,
      last_used_at timestamptz not null default now(),
      ended_at timestamptz,

      constraint known_devices_token_unique unique (staff_id, token_hash)
    )
  `);
  await db.raw(`
    create table device_failures (
      id uuid primary key default gen_random_uuid(),
      staff_id uuid not null references staff on delete cascade,
      known_device_id uuid not null references known_devices on delete cascade,
      secret text not null,
      at timestamptz not null default now(),
      -- Whether a later success has reset the limit of the device.
      is_forgiven boolean not null default false
    )
  `);
  await db.raw('create index device_failures_by_staff on device_failures (staff_id, at)');
  await db.raw('create index device_failures_by_device on device_failures (known_device_id)');
  await db.raw('alter table sessions add column known_device_id uuid references known_devices on delete set null');
  await db.raw('create index sessions_by_device on sessions (known_device_id)');
  await db.raw('alter table account_notices add column device text');
  await runStatements(db, definitions.up);
}

/** No device is known any more, and notices of the new kinds are removed. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`
    delete from follow_ups where id in (
      select id from account_notices
      where event in ('recovery_codes_replaced', 'new_device', 'password_known', 'password_guessed')
    )
  `);
  await runStatements(db, definitions.down);
  await db.raw('alter table account_notices drop column device');
  await db.raw('alter table sessions drop column known_device_id');
  await db.raw('drop table device_failures');
  await db.raw('drop table known_devices');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [
  { table: 'known_devices', name: 'known_devices_token_is_hashed' },
  { table: 'device_failures', name: 'device_failures_secret_known' },
  { table: 'account_notices', name: 'account_notices_event_known' },
  { table: 'account_notices', name: 'account_notices_device_length' },
];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `ALTER TABLE account_notices DROP CONSTRAINT account_notices_event_known`,
    `ALTER TABLE known_devices ADD CONSTRAINT known_devices_token_is_hashed CHECK (token_hash ~ '^[0-9a-f]{64}$'::text) NOT VALID`,
    `ALTER TABLE device_failures ADD CONSTRAINT device_failures_secret_known CHECK (secret = ANY (ARRAY['sign-in'::text, 'own-password'::text, 'second-factor'::text])) NOT VALID`,
    `ALTER TABLE account_notices ADD CONSTRAINT account_notices_event_known CHECK (event = ANY (ARRAY['added'::text, 'made_owner'::text, 'made_member'::text, 'password_set'::text, 'password_changed'::text, 'deactivated'::text, 'activated'::text, 'email_changed'::text, 'second_factor_added'::text, 'second_factor_removed'::text, 'recovery_codes_replaced'::text, 'new_device'::text, 'password_known'::text, 'password_guessed'::text])) NOT VALID`,
    `ALTER TABLE account_notices ADD CONSTRAINT account_notices_device_length CHECK (char_length(device) >= 1 AND char_length(device) <= 100) NOT VALID`,
  ],
  down: [
    `ALTER TABLE account_notices DROP CONSTRAINT account_notices_device_length`,
    `ALTER TABLE account_notices DROP CONSTRAINT account_notices_event_known`,
    `ALTER TABLE device_failures DROP CONSTRAINT device_failures_secret_known`,
    `ALTER TABLE known_devices DROP CONSTRAINT known_devices_token_is_hashed`,
    `ALTER TABLE account_notices ADD CONSTRAINT account_notices_event_known CHECK (event = ANY (ARRAY['added'::text, 'made_owner'::text, 'made_member'::text, 'password_set'::text, 'password_changed'::text, 'deactivated'::text, 'activated'::text, 'email_changed'::text, 'second_factor_added'::text, 'second_factor_removed'::text])) NOT VALID`,
  ],
};
