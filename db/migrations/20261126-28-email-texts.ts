import type { Knex } from 'knex';

/**
 * Keeps the texts of automatic emails, for the file that a person gets (docs/PRODUCT.md, "Access"; ADR 0023).
 *
 * - `email_texts`: texts that many emails share, with ids that follow from their contents
 * - `follow_ups.text_id`: the shared text with which the email was sent; null if it has none, or if an earlier release
 *   sent it. It is not a foreign key, because each check of one would lock a row that all sends have in common
 * - `notice_texts`: what a notice to staff, or its place in a digest, says about one lead
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table email_texts (
      id uuid primary key,
      subject text not null,
      text text not null,
      created_at timestamptz(3) not null default now()
    )
  `);
  await db.raw(`alter table follow_ups add column text_id uuid`);
  await db.raw(`
    create table notice_texts (
      id uuid primary key references follow_ups on delete cascade,
      subject text not null,
      text text not null
    )
  `);
  await db.raw(`comment on column notice_texts.id is 'the follow-up of the notice'`);
}

/** The texts are lost. */
export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table notice_texts`);
  await db.raw(`alter table follow_ups drop column text_id`);
  await db.raw(`drop table email_texts`);
}
