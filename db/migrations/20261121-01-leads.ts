import type { Knex } from 'knex';

/** One table for all kinds of lead: only their answers differ. They are stored, listed and followed up alike. */
export async function up(db: Knex): Promise<void> {
  // Times have milliseconds, the precision of a JavaScript Date, so that browser and database order leads alike.
  await db.raw(`
    create table leads (
      id uuid primary key,
      kind text not null,
      email text not null,
      status text,
      answers jsonb not null,
      idempotency_key text,
      request_hash text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),

      constraint leads_idempotency_key_unique unique (idempotency_key),
      constraint leads_kind_known
        check (kind in ('contact', 'service_inquiry', 'career_application', 'portfolio_request')),
      constraint leads_email_length check (char_length(email) between 3 and 254),
      constraint leads_status_known check (status in ('new', 'contacted', 'qualified', 'won', 'lost')),
      constraint leads_only_inquiries_have_a_status check ((kind = 'service_inquiry') = (status is not null)),
      constraint leads_answers_are_an_object check (jsonb_typeof(answers) = 'object'),
      constraint leads_key_and_hash_together check ((idempotency_key is null) = (request_hash is null)),

      constraint leads_contact_answers check (
        kind <> 'contact' or (
          num_nulls(answers ->> 'firstName', answers ->> 'lastName', answers ->> 'message') = 0
          and coalesce(answers ->> 'service', '') in ('ugc', 'mvp', 'leadgen', 'all')
        )
      ),
      constraint leads_service_inquiry_answers check (
        kind <> 'service_inquiry' or
        num_nulls(
          answers ->> 'name', answers ->> 'service', answers ->> 'serviceType', answers ->> 'budget',
          answers ->> 'timeframe', answers ->> 'urgency', answers ->> 'projectDetails'
        ) = 0
      ),
      constraint leads_career_application_answers check (
        kind <> 'career_application' or (
          num_nulls(
            answers ->> 'firstName', answers ->> 'lastName', answers ->> 'phone',
            answers ->> 'position', answers ->> 'coverLetter'
          ) = 0
          and coalesce(answers ->> 'experience', '') in ('entry', 'mid', 'senior', 'lead')
        )
      ),
      constraint leads_portfolio_request_answers check (
        kind <> 'portfolio_request' or coalesce(answers ->> 'source', '') = 'portfolio_view'
      )
    )
  `);
  // For the staff lists: pages of one kind, newest first.
  await db.raw(`create index leads_by_kind_newest_first on leads (kind, created_at desc, id desc)`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop table leads`);
}
