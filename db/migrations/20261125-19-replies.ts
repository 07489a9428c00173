import type { Knex } from 'knex';

const previousKinds = ['portfolio_pdf', 'acknowledgement', 'staff_notice', 'staff_digest', 'reminder'];
const previousEvents = [
  'status',
  'owner',
  'answered',
  'not_answered',
  'note',
  'note_edited',
  'note_deleted',
  'spam',
  'released',
];

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/**
 * Lets staff reply to leads (docs/PRODUCT.md, "Replies"). A reply is a follow-up, so that it is sent like any other
 * email; `lead_replies` has its text. `withdrawn_at` is set when a reply is undone or replaced, and it is never sent
 * after that.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table follow_ups
      drop constraint follow_ups_kind_known,
      add constraint follow_ups_kind_known check (kind in (${list([...previousKinds, 'reply'])})) not valid,
      add constraint follow_ups_replies_are_complete
        check (kind <> 'reply' or num_nulls(lead_id, recipient, message_id) = 0) not valid
  `);
  await db.raw(`
    alter table lead_events
      drop constraint lead_events_kind_known,
      add constraint lead_events_kind_known check (kind in (${list([...previousEvents, 'address_corrected'])})) not valid
  `);
  await db.raw(`
    create table lead_replies (
      id uuid primary key references follow_ups on delete cascade,
      author_id uuid not null references staff,
      author_name text not null,
      subject text not null,
      body text not null,
      withdrawn_at timestamptz(3),
      withdrawn_by_id uuid references staff,
      withdrawn_by_name text,

      constraint lead_replies_subject_length check (char_length(subject) between 1 and 200),
      constraint lead_replies_body_length check (char_length(body) between 1 and 10000),
      constraint lead_replies_withdrawn_by_a_person check (
        num_nulls(withdrawn_at, withdrawn_by_id, withdrawn_by_name) in (0, 3)
      )
    )
  `);
  await db.raw(`comment on column lead_replies.id is 'the follow-up that sends the reply'`);
}

/** Replies that wait to be sent are lost. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table lead_replies`);
  await db.raw(`delete from follow_ups where kind = 'reply'`);
  await db.raw(`delete from lead_events where kind = 'address_corrected'`);
  await db.raw(`
    alter table follow_ups
      drop constraint follow_ups_replies_are_complete,
      drop constraint follow_ups_kind_known,
      add constraint follow_ups_kind_known check (kind in (${list(previousKinds)})) not valid
  `);
  await db.raw(`
    alter table lead_events
      drop constraint lead_events_kind_known,
      add constraint lead_events_kind_known check (kind in (${list(previousEvents)}))
  `);
}
