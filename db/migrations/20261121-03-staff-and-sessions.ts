import type { Knex } from 'knex';

/**
 * Staff accounts and their sessions. Only the hash of a session id is stored, so read access to the table lets no one
 * sign in.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table staff (
      id uuid primary key default gen_random_uuid(),
      username text not null,
      name text not null,
      password_hash text not null,
      is_active boolean not null default true,
      last_sign_in_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),

      constraint staff_username_form check (username ~ '^[^[:cntrl:][:space:]]{1,100}$'),
      constraint staff_name_length check (char_length(name) between 1 and 100),
      constraint staff_password_is_hashed check (password_hash like '$argon2id$%')
    )
  `);
  await db.raw(`create unique index staff_username_unique on staff (lower(username))`);
  await db.raw(`
    create table sessions (
      id_hash text primary key,
      staff_id uuid not null references staff on delete cascade,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,

      constraint sessions_id_is_hashed check (id_hash ~ '^[0-9a-f]{64}$'),
      constraint sessions_end_after_8_hours check (expires_at <= created_at + interval '8 hours')
    )
  `);
  await db.raw(`create index sessions_by_staff on sessions (staff_id)`);
  await db.raw(`create index sessions_by_expiry on sessions (expires_at)`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table sessions`);
  await db.raw(`drop table staff`);
}
