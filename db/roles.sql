-- Creates the roles of the product in the current database and gives the role migrate its tables
-- (docs/RUNBOOK.md, "Database roles"):
--
--   migrate  owns the database and everything in it; runs migrations and restores
--   app      the API and the workers; the migration grants it rights on rows (db/src/schema/tables.ts)
--   backup   reads everything but the queue
--
-- Run it as a superuser before the first migration. It can be run again at any time, even while the product is running:
-- it holds each lock only for a moment, and retries if another process holds the lock. It must not run in a
-- transaction. It sets no passwords.
do $$
declare
  wanted name;
  statement text;
begin
  -- The required stop of db/src/schema/releases.ts.
  if to_regclass('public.schema_migrations') is not null then
    if exists (select from schema_migrations)
      and not exists (select from schema_migrations where name = '20261126-29-bulk-requests') then
      raise exception 'The data is of a release before 0.3.0: upgrade to 0.3.0 first (commit 12be1d2b).';
    end if;
  end if;

  foreach wanted in array array['migrate', 'app', 'backup'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I login', wanted);
      exception when duplicate_object or unique_violation then
        null; -- Another database of this server got its roles concurrently.
      end;
    end if;
  end loop;
  commit;

  execute format('alter database %I owner to migrate', current_database());
  execute format('revoke create, temporary on database %I from public, app, backup', current_database());
  revoke create on schema public from public, app, backup;
  commit;

  for statement in
    select format('alter schema %I owner to migrate', nspname) from pg_namespace
    where nspname = 'bullmq' and nspowner <> 'migrate'::regrole
    union all
    select format('alter table %s owner to migrate', oid::regclass) from pg_class
    where relnamespace in (select oid from pg_namespace where nspname in ('public', 'bullmq'))
      and relowner <> 'migrate'::regrole
      and (relkind = 'r' or relkind = 'S' and not exists (
        -- The owner of a table owns the sequences of its columns.
        select from pg_depend where objid = pg_class.oid and classid = 'pg_class'::regclass and deptype in ('a', 'i')
      ))
    union all
    select format('alter routine %s owner to migrate', oid::regprocedure) from pg_proc
    where pronamespace in (select oid from pg_namespace where nspname in ('public', 'bullmq'))
      and proowner <> 'migrate'::regrole
      and not exists (select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e')
    union all
    select format('alter type %s owner to migrate', oid::regtype) from pg_type
    where typnamespace in (select oid from pg_namespace where nspname in ('public', 'bullmq'))
      and typtype = 'e' and typowner <> 'migrate'::regrole
  loop
    for attempt in 1..60 loop
      begin
        perform set_config('lock_timeout', '2s', true);
        execute statement;
        exit;
      exception when lock_not_available or deadlock_detected then
        if attempt = 60 then raise; end if;
      end;
      commit;
      perform pg_sleep(1);
    end loop;
    commit;
  end loop;
end
$$;
