import type { Knex } from 'knex';
import { runStatements } from '../src/schema/definitions.ts';
import type { LateCheck } from '../src/schema/late-checks.ts';

/**
 * Adds the account to the list of erasures, which has no author of earlier entries, the accounts whose erasures an
 * operator leaves out, and the emails that report erasures.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table erasures
      -- Null for an entry of an earlier release.
      add column subject text,
      -- The username of the member of staff; null for a withdrawal by a visitor, and for an entry of an earlier release.
      add column erased_by text,
      add column first_erased_at timestamptz(3)
  `);
  await db.raw('create index erasures_of_account on erasures (erased_by, erased_at) where erased_by is not null');
  await db.raw(`
    -- Keeps a list in a file from bringing back what an operator has left out.
    create table erasure_skips (
      id uuid primary key default gen_random_uuid(),
      erased_by text not null,
      since timestamptz(3) not null,
      until timestamptz(3) not null default now()
    )
  `);
  await db.raw(`
    create table erasure_notices (
      id uuid primary key references follow_ups on delete cascade,
      -- The last entry of the audit log that the notice covers.
      position bigint not null unique
    )
  `);
  await runStatements(db, definitions.up);
}

/** The list of erasures stays, without the accounts. What an operator has left out can come back from a file. */
export async function down(db: Knex): Promise<void> {
  await db('follow_ups').where({ kind: 'erasure_notice' }).delete();
  await runStatements(db, definitions.down);
  await db.raw('drop table erasure_notices');
  await db.raw('drop table erasure_skips');
  await db.raw('alter table erasures drop column subject, drop column erased_by, drop column first_erased_at');
}

/*
 * Written by `make migration` from db/sql, which replaces everything below when it runs again. The text is frozen.
 *
 * Statements of the previous release wait for the locks until the migration commits, and then use the new functions,
 * triggers and CHECKs, without a moment between the old and the new ones. So it keeps running if a CHECK only becomes
 * wider, and if functions that it calls keep their parameters and results.
 */
export const lateChecks: readonly LateCheck[] = [
  { table: 'follow_ups', name: 'follow_ups_kind_known' },
  { table: 'follow_ups', name: 'follow_ups_kinds_by_email' },
  { table: 'erasures', name: 'erasures_subject_known' },
  { table: 'erasures', name: 'erasures_by_staff_are_whole' },
];

const definitions: Readonly<Record<'up' | 'down', readonly string[]>> = {
  up: [
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kinds_by_email`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kind_known`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kind_known CHECK (kind = ANY (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'account_notice'::text, 'erasure_notice'::text, 'webhook'::text])) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kinds_by_email CHECK ((kind <> ALL (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'account_notice'::text, 'erasure_notice'::text])) OR num_nulls(recipient, message_id) = 0) NOT VALID`,
    `ALTER TABLE erasures ADD CONSTRAINT erasures_subject_known CHECK (subject = ANY (ARRAY['address'::text, 'mailbox'::text, 'lead'::text])) NOT VALID`,
    `ALTER TABLE erasures ADD CONSTRAINT erasures_by_staff_are_whole CHECK (erased_by IS NULL OR subject IS NOT NULL AND first_erased_at IS NOT NULL) NOT VALID`,
  ],
  down: [
    `ALTER TABLE erasures DROP CONSTRAINT erasures_by_staff_are_whole`,
    `ALTER TABLE erasures DROP CONSTRAINT erasures_subject_known`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kinds_by_email`,
    `ALTER TABLE follow_ups DROP CONSTRAINT follow_ups_kind_known`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kind_known CHECK (kind = ANY (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'webhook'::text, 'account_notice'::text])) NOT VALID`,
    `ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_kinds_by_email CHECK ((kind <> ALL (ARRAY['portfolio_pdf'::text, 'acknowledgement'::text, 'staff_notice'::text, 'staff_digest'::text, 'reminder'::text, 'reply'::text, 'account_notice'::text])) OR num_nulls(recipient, message_id) = 0) NOT VALID`,
  ],
};
