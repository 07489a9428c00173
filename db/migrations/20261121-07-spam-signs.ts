import type { Knex } from 'knex';

/** Marks leads that are held as spam. They get follow-ups when staff release them. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table leads
      add column spam_sign text,
      add constraint leads_spam_sign_known check (spam_sign in ('honeypot', 'too_fast', 'forged_token'))
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table leads drop column spam_sign`);
}
