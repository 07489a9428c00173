import type { Knex } from 'knex';

/**
 * Adds the audit log (docs/PRODUCT.md, "Audit log"; ADR 0019). It has no foreign keys, because entries outlive what they
 * report. Triggers reject every update, deletion and truncation.
 *
 * - `position`, `hash`: the place in the hash chain, set when the transaction commits
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table audit_log (
      id uuid primary key default gen_random_uuid(),
      at timestamptz(3) not null default clock_timestamp(),
      actor text not null,
      actor_id uuid,
      action text not null,
      subject_id uuid,
      details jsonb not null default '{}',
      position bigint,
      hash text,

      constraint audit_log_position_unique unique (position),
      constraint audit_log_position_counts check (position >= 1),
      constraint audit_log_chained_whole check ((position is null) = (hash is null)),
      constraint audit_log_actor_known check (actor in ('staff', 'operator', 'system', 'unknown')),
      constraint audit_log_staff_have_an_id check ((actor = 'staff') = (actor_id is not null)),
      constraint audit_log_action_form check (action ~ '^[a-z_]{1,50}$'),
      constraint audit_log_details_are_an_object check (jsonb_typeof(details) = 'object')
    )
  `);
  await db.raw(`create index audit_log_of_actor on audit_log (actor_id, position) where actor_id is not null`);
  await db.raw(`create index audit_log_of_subject on audit_log (subject_id, position) where subject_id is not null`);
  await db.raw(`create index audit_log_of_action on audit_log (action, position)`);
  await db.raw(`
    create index audit_log_unknown_sign_ins on audit_log (at) where action = 'sign_in_refused' and subject_id is null
  `);
  await db.raw(`
    create function reject_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
    end
    $$
  `);
  await db.raw(`
    create trigger audit_log_keeps_entries before update on audit_log
      for each row when (old.position is not null) execute function reject_audit_change()
  `);
  await db.raw(`
    create trigger audit_log_keeps_all before delete on audit_log
      for each statement when (coalesce(current_setting('studio.audit_retention', true), '') <> 'on')
      execute function reject_audit_change()
  `);
  await db.raw(`
    create trigger audit_log_is_never_emptied before truncate on audit_log
      for each statement execute function reject_audit_change()
  `);
  await chainEntries(db);
  await auditLeadEvents(db);
}

/**
 * Chains entries when their transaction commits. The advisory lock is therefore held for the commit only, so it delays
 * no other transaction and causes no deadlock. The functions run with the rights of the owner, because the role of the
 * application can only insert.
 */
async function chainEntries(db: Knex): Promise<void> {
  await db.raw(`
    create function chain_audit_entry() returns trigger language plpgsql security definer set search_path from current
    as $$
    declare
      head record;
    begin
      perform pg_advisory_xact_lock(20261125, 21);
      select position, hash into head from audit_log where position is not null order by position desc limit 1;
      update audit_log set
        position = coalesce(head.position, 0) + 1,
        hash = encode(sha256(convert_to(concat_ws(E'\\n',
          coalesce(head.hash, ''),
          coalesce(head.position, 0) + 1,
          id,
          to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          actor,
          coalesce(actor_id::text, ''),
          action,
          coalesce(subject_id::text, ''),
          details::text
        ), 'UTF8')), 'hex')
      where id = new.id;
      return null;
    end
    $$
  `);
  await db.raw(`
    create constraint trigger audit_log_chained after insert on audit_log deferrable initially deferred
      for each row when (new.position is null) execute function chain_audit_entry()
  `);
  // At least 12 months, so that the role of the application cannot remove recent entries.
  await db.raw(`
    create function remove_old_audit_entries(months integer) returns bigint language plpgsql
      security definer set search_path from current
    as $$
    declare
      last record;
      removed bigint;
    begin
      if months < 12 or months is null then
        raise exception 'Entries of the last 12 months cannot be removed' using errcode = 'invalid_parameter_value';
      end if;
      perform pg_advisory_xact_lock(20261125, 21);
      with oldest as (
        select position, hash, at from audit_log where position is not null order by position limit 10000
      )
      select position, hash into last from oldest
      where position < coalesce(
        (select min(position) from oldest where at >= now() - make_interval(months => months)),
        (select max(position) + 1 from oldest)
      )
      order by position desc limit 1;
      if not found then
        return 0;
      end if;
      perform set_config('studio.audit_retention', 'on', true);
      delete from audit_log where position <= last.position;
      get diagnostics removed = row_count;
      perform set_config('studio.audit_retention', '', true);
      insert into audit_log (actor, action, details) values (
        'system', 'audit_entries_removed',
        jsonb_build_object('count', removed, 'position', last.position, 'hash', last.hash)
      );
      return removed;
    end
    $$
  `);
}

/** Copies each change of a lead, without its texts. */
async function auditLeadEvents(db: Knex): Promise<void> {
  await db.raw(`
    create function audit_lead_events() returns trigger language plpgsql as $$
    begin
      insert into audit_log (actor, actor_id, action, subject_id, details)
      select case when actor_id is null then 'system' else 'staff' end,
             actor_id, 'lead_' || kind, lead_id, jsonb_build_object('eventId', id)
      from added order by at, id;
      return null;
    end
    $$
  `);
  await db.raw(`
    create trigger lead_events_audited after insert on lead_events
      referencing new table as added for each statement execute function audit_lead_events()
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop trigger lead_events_audited on lead_events`);
  await db.raw(`drop function audit_lead_events()`);
  await db.raw(`drop table audit_log`);
  await db.raw(`drop function remove_old_audit_entries(integer)`);
  await db.raw(`drop function chain_audit_entry()`);
  await db.raw(`drop function reject_audit_change()`);
}
