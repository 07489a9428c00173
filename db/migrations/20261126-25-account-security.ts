import type { Knex } from 'knex';

const previousKinds = [
  'portfolio_pdf',
  'acknowledgement',
  'staff_notice',
  'staff_digest',
  'reminder',
  'reply',
  'webhook',
];

async function setKnownKinds(db: Knex, kinds: readonly string[]): Promise<void> {
  await db.raw(`
    alter table follow_ups
      drop constraint follow_ups_kind_known,
      add constraint follow_ups_kind_known
        check (kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})) not valid
  `);
}

/**
 * Protects accounts from each other (docs/PRODUCT.md, "Own password", "Notices about accounts").
 *
 * - `must_change_password`: another person set the password
 * - `password_at`: when the password was last entered in the session
 * - `device`, `address`: of the sign-in, null in sessions that an earlier release started
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table staff add column must_change_password boolean not null default false`);
  await db.raw(`
    alter table sessions
      add column id uuid not null default gen_random_uuid(),
      add column password_at timestamptz not null default now(),
      add column last_used_at timestamptz not null default now(),
      add column device text,
      add column address text,
      add constraint sessions_public_id_unique unique (id),
      add constraint sessions_device_length check (char_length(device) between 1 and 100),
      add constraint sessions_address_length check (char_length(address) between 1 and 100)
  `);
  await db.raw(`update sessions set password_at = created_at, last_used_at = created_at`);
  await setKnownKinds(db, [...previousKinds, 'account_notice']);
  await db.raw(`
    alter table follow_ups
      add constraint follow_ups_account_notices_by_email
        check (kind <> 'account_notice' or num_nulls(recipient, message_id) = 0) not valid
  `);
  await db.raw(`
    create table account_notices (
      id uuid primary key references follow_ups on delete cascade,
      staff_id uuid not null references staff on delete cascade,
      event text not null,
      actor_id uuid references staff on delete cascade,

      constraint account_notices_event_known check (
        event in (
          'password_set', 'password_changed', 'deactivated', 'activated', 'email_changed', 'second_factor_added',
          'second_factor_removed'
        )
      )
    )
  `);
  await db.raw(`comment on column account_notices.id is 'the follow-up that sends the notice'`);
  await db.raw(`comment on column account_notices.actor_id is 'null if an operator made the change'`);
}

/** Notices that wait to be sent are lost. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table account_notices`);
  await db.raw(`delete from follow_ups where kind = 'account_notice'`);
  await db.raw(`alter table follow_ups drop constraint follow_ups_account_notices_by_email`);
  await setKnownKinds(db, previousKinds);
  await db.raw(`
    alter table sessions
      drop column id,
      drop column password_at,
      drop column last_used_at,
      drop column device,
      drop column address
  `);
  await db.raw(`alter table staff drop column must_change_password`);
}
