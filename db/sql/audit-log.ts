import { auditOriginDays } from '@dune-tide/domain/limits';
import { auditActors } from '@dune-tide/domain/responses/audit-entry';
import { advisoryLocks } from '../src/connection/index.ts';
import { quoted } from '../src/lead-expressions/index.ts';
import { checks, hidden, lengthOf } from './statements.ts';

/**
 * The audit log (docs/PRODUCT.md, "Audit log"; ADR 0019). Triggers reject every update, deletion and truncation, chain
 * the entries by hashes, and copy each change of a lead without its texts.
 *
 * Entries are chained when their transaction commits. The advisory lock is therefore held for the commit only, so it
 * delays no other transaction and causes no deadlock. The functions run with the rights of the owner, because the role
 * of the application can only insert, and only what an entry says: the database sets its id, time, position and hash.
 */
export const auditLog = [
  ...checks('audit_log', {
    audit_log_position_counts: 'position >= 1',
    audit_log_chained_whole: '(position is null) = (hash is null)',
    audit_log_actor_known: `actor in (${quoted(auditActors)})`,
    audit_log_staff_have_an_id: `(actor = 'staff') = (actor_id is not null)`,
    audit_log_action_form: `action ~ '^[a-z_]{1,50}$'`,
    audit_log_details_are_an_object: `jsonb_typeof(details) = 'object'`,
  }),
  `
    create function reject_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
    end
    $$
  `,
  `
    create trigger audit_log_keeps_entries before update on audit_log
      for each row when (old.position is not null) execute function reject_audit_change()
  `,
  `
    create trigger audit_log_keeps_all before delete on audit_log
      for each statement when (coalesce(current_setting('studio.audit_retention', true), '') <> 'on')
      execute function reject_audit_change()
  `,
  `
    create trigger audit_log_is_never_emptied before truncate on audit_log
      for each statement execute function reject_audit_change()
  `,
  `
    create function chain_audit_entry() returns trigger language plpgsql security definer set search_path from current
    as $$
    declare
      head record;
    begin
      perform pg_advisory_xact_lock(${advisoryLocks.auditLog});
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
  `,
  `
    create constraint trigger audit_log_chained after insert on audit_log deferrable initially deferred
      for each row when (new.position is null) execute function chain_audit_entry()
  `,
  ...checks('audit_origins', {
    audit_origins_key_form: `key ~ '^[0-9a-f]{64}$'`,
    audit_origins_network_length: lengthOf('network', 1, 50),
    audit_origins_device_length: lengthOf('device', 1, 100),
  }),
  // The period is not a parameter, so that the role of the application cannot remove recent rows.
  `
    create function remove_old_audit_origins() returns bigint language plpgsql security definer set search_path from current
    as $$
    declare
      removed bigint;
    begin
      delete from audit_origins where entry_id in (
        select entry_id from audit_origins where at < now() - interval '${auditOriginDays} days' order by at limit 10000
      );
      get diagnostics removed = row_count;
      return removed;
    end
    $$
  `,
  hidden('remove_old_audit_origins()'),
  // At least 12 months, so that the role of the application cannot remove recent entries.
  `
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
      perform pg_advisory_xact_lock(${advisoryLocks.auditLog});
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
  `,
  hidden('remove_old_audit_entries(integer)'),
  `
    create function audit_lead_events() returns trigger language plpgsql as $$
    begin
      insert into audit_log (actor, actor_id, action, subject_id, details)
      select case when actor_id is null then 'system' else 'staff' end,
             actor_id, 'lead_' || kind, lead_id, jsonb_build_object('eventId', id)
      from added order by at, id;
      return null;
    end
    $$
  `,
  `
    create trigger lead_events_audited after insert on lead_events
      referencing new table as added for each statement execute function audit_lead_events()
  `,
];
