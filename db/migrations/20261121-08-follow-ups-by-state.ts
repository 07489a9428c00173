import type { Knex } from 'knex';

/**
 * Adds the state `cancelled`, and an index and counts by state. Triggers maintain the counts, like those of leads
 * (docs/decisions/0006-keyset-lists-and-kept-counts.md).
 */
export async function up(db: Knex): Promise<void> {
  await setKnownStates(db, ['pending', 'sending', 'sent', 'failed', 'withheld', 'cancelled']);
  await db.raw(`create index follow_ups_by_state on follow_ups (state, created_at, id)`);
  await startCounting(db);
}

/** Creates the counts and the triggers that maintain them. */
export async function startCounting(db: Knex): Promise<void> {
  await db.raw(`
    create table follow_up_counts (
      state text not null,
      slot smallint not null,
      count bigint not null,

      constraint follow_up_counts_one_per_slot unique (state, slot)
    ) with (fillfactor = 50)
  `);
  // More slots than for leads: every worker changes counts with each claim and each outcome.
  await db.raw(`
    create function count_follow_ups() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into follow_up_counts as kept (state, slot, count)
        select state, pg_backend_pid() % 64, count(*) from added group by state order by state
        on conflict (state, slot) do update set count = kept.count + excluded.count;
      elsif tg_op = 'DELETE' then
        insert into follow_up_counts as kept (state, slot, count)
        select state, pg_backend_pid() % 64, -count(*) from removed group by state order by state
        on conflict (state, slot) do update set count = kept.count + excluded.count;
      elsif tg_op = 'UPDATE' then
        insert into follow_up_counts as kept (state, slot, count)
        select state, pg_backend_pid() % 64, sum(change)
        from (
          select state, 1 as change from added
          union all
          select state, -1 from removed
        ) as changes
        group by state having sum(change) <> 0 order by state
        on conflict (state, slot) do update set count = kept.count + excluded.count;
      else
        -- Not a delete: that would spare rows which a transaction's snapshot does not show.
        truncate follow_up_counts;
      end if;
      return null;
    end
    $$
  `);
  await db.raw(`
    create trigger follow_ups_count_added after insert on follow_ups
      referencing new table as added for each statement execute function count_follow_ups()
  `);
  await db.raw(`
    create trigger follow_ups_count_removed after delete on follow_ups
      referencing old table as removed for each statement execute function count_follow_ups()
  `);
  await db.raw(`
    create trigger follow_ups_count_changed after update on follow_ups
      referencing old table as removed new table as added for each statement execute function count_follow_ups()
  `);
  await db.raw(`
    create trigger follow_ups_count_emptied after truncate on follow_ups
      for each statement execute function count_follow_ups()
  `);
  await db.raw(`
    insert into follow_up_counts (state, slot, count) select state, 0, count(*) from follow_ups group by state
  `);
}

export async function down(db: Knex): Promise<void> {
  await stopCounting(db);
  await db.raw(`drop index follow_ups_by_state`);
  // The closest state of the previous release: a withheld follow-up is not sent or retried automatically.
  await db.raw(`update follow_ups set state = 'withheld' where state = 'cancelled'`);
  await setKnownStates(db, ['pending', 'sending', 'sent', 'failed', 'withheld']);
}

async function setKnownStates(db: Knex, states: readonly string[]): Promise<void> {
  const list = states.map((state) => `'${state}'`).join(', ');
  await db.raw(`alter table follow_ups drop constraint follow_ups_state_known`);
  await db.raw(`alter table follow_ups add constraint follow_ups_state_known check (state in (${list}))`);
}

/** Drops what `startCounting` created. */
export async function stopCounting(db: Knex): Promise<void> {
  await db.raw(`drop trigger follow_ups_count_added on follow_ups`);
  await db.raw(`drop trigger follow_ups_count_removed on follow_ups`);
  await db.raw(`drop trigger follow_ups_count_changed on follow_ups`);
  await db.raw(`drop trigger follow_ups_count_emptied on follow_ups`);
  await db.raw(`drop function count_follow_ups()`);
  await db.raw(`drop table follow_up_counts`);
}
