import type { Knex } from 'knex';

/**
 * Adds passkeys as a second factor (docs/PRODUCT.md, "Second factor"; ADR 0022).
 *
 * - `passkeys.credential_id`: Base64url, at most 1,023 bytes (Web Authentication, 4, "Credential ID")
 * - `passkeys.public_key`: a COSE key
 * - `passkeys.counter`: the last signature counter; passkeys that are copied between devices keep 0
 * - `passkey_challenge`: the challenge of a passkey that a session adds or that a waiting sign-in asks for; null when it
 *   was used
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table passkeys (
      id uuid primary key default gen_random_uuid(),
      staff_id uuid not null references staff on delete cascade,
      credential_id text not null,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz(3) not null default now(),
      last_used_at timestamptz(3),

      constraint passkeys_credential_id_unique unique (credential_id),
      constraint passkeys_credential_id_form check (
        credential_id ~ '^[A-Za-z0-9_-]+$' and char_length(credential_id) <= 1364
      ),
      constraint passkeys_counter_range check (counter between 0 and 4294967295),
      constraint passkeys_name_length check (char_length(name) between 1 and 60)
    )
  `);
  await db.raw(`create index passkeys_by_staff on passkeys (staff_id)`);
  for (const table of ['sessions', 'pending_sign_ins']) {
    await db.raw(`
      alter table ${table}
        add column passkey_challenge text,
        add column passkey_challenge_expires_at timestamptz
    `);
  }
}

/** Accounts with passkeys alone sign in with their password alone. */
export async function down(db: Knex): Promise<void> {
  for (const table of ['sessions', 'pending_sign_ins']) {
    await db.raw(`alter table ${table} drop column passkey_challenge, drop column passkey_challenge_expires_at`);
  }
  await db.raw(`drop table passkeys`);
}
