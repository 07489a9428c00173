import type { Knex } from 'knex';

/**
 * Adds second factors (docs/PRODUCT.md, "Second factor"; ADR 0022).
 *
 * - `totp_factors.secret`: encrypted with a key of SESSION_KEYS
 * - `totp_factors.confirmed_at`: null until the first code of the app was entered
 * - `totp_factors.last_step`: the time step of the last accepted code, so that no code is accepted twice
 * - `pending_sign_ins`: sign-ins with the right password that wait for the second factor; not rows of `sessions`, because
 *   the previous release would accept those
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table totp_factors (
      staff_id uuid primary key references staff on delete cascade,
      secret text not null,
      created_at timestamptz(3) not null default now(),
      confirmed_at timestamptz(3),
      last_step bigint,

      constraint totp_factors_confirmed_with_a_code check ((confirmed_at is null) = (last_step is null))
    )
  `);
  await db.raw(`
    create table recovery_codes (
      staff_id uuid not null references staff on delete cascade,
      code_hash text not null,

      primary key (staff_id, code_hash),
      constraint recovery_codes_are_hashed check (code_hash ~ '^[0-9a-f]{64}$')
    )
  `);
  await db.raw(`
    create table pending_sign_ins (
      id_hash text primary key,
      staff_id uuid not null references staff on delete cascade,
      password_hash text not null,
      expires_at timestamptz not null,

      constraint pending_sign_ins_id_is_hashed check (id_hash ~ '^[0-9a-f]{64}$')
    )
  `);
  await db.raw(`create index pending_sign_ins_by_staff on pending_sign_ins (staff_id)`);
  await db.raw(`create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at)`);
}

/** Accounts sign in with their password alone. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table pending_sign_ins`);
  await db.raw(`drop table recovery_codes`);
  await db.raw(`drop table totp_factors`);
}
