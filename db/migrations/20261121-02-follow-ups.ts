import type { Knex } from 'knex';

/** The outbox: the statement that stores a lead adds its follow-ups, and workers record the outcome of each. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table follow_ups (
      id uuid primary key,
      lead_id uuid not null references leads on delete cascade,
      kind text not null,
      recipient text not null,
      message_id text not null,
      state text not null default 'pending',
      attempts integer not null default 0,
      lease uuid,
      available_at timestamptz not null default now(),
      sweep_at timestamptz not null default now() + interval '5 seconds',
      server_answer text,
      sent_at timestamptz,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz not null default now(),

      constraint follow_ups_one_of_a_kind unique (lead_id, kind),
      constraint follow_ups_message_id_unique unique (message_id),
      constraint follow_ups_kind_known check (kind in ('portfolio_pdf', 'acknowledgement', 'staff_notice')),
      constraint follow_ups_state_known check (state in ('pending', 'sending', 'sent', 'failed', 'withheld')),
      constraint follow_ups_recipient_length check (char_length(recipient) between 3 and 254),
      constraint follow_ups_message_id_form check (message_id ~ '^<[^<>@[:space:]]+@[^<>@[:space:]]+>$'),
      constraint follow_ups_attempts_counted check (attempts >= 0),
      constraint follow_ups_lease_while_sending check ((state = 'sending') = (lease is not null)),
      constraint follow_ups_sent_has_a_time check ((state = 'sent') = (sent_at is not null))
    )
  `);
  await db.raw(`
    comment on column follow_ups.available_at is
      'pending: may be claimed from then on; sending: the lease ends then and another worker may claim'
  `);
  await db.raw(`
    comment on column follow_ups.sweep_at is 'from then on the sweep wakes a worker up for this row again'
  `);
  await db.raw(`create index follow_ups_to_sweep on follow_ups (sweep_at) where state in ('pending', 'sending')`);
  // For the hourly portfolio cap of an address.
  await db.raw(`
    create index follow_ups_portfolio_by_recipient on follow_ups (lower(recipient), sent_at)
      where kind = 'portfolio_pdf' and state in ('sending', 'sent')
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table follow_ups`);
}
