import type { Knex } from 'knex';

/**
 * Counts of leads that triggers maintain, so that a total costs the same at any size
 * (docs/decisions/0006-keyset-lists-and-kept-counts.md). A total is the sum over all slots. A single slot can be
 * negative, because one connection can delete leads that another one stored.
 */
export async function up(db: Knex): Promise<void> {
  // Free space in each page allows heap-only updates, which add no index entries.
  await db.raw(`
    create table lead_counts (
      kind text not null,
      status text,
      slot smallint not null,
      count bigint not null,

      constraint lead_counts_one_per_slot unique nulls not distinct (kind, status, slot)
    ) with (fillfactor = 50)
  `);
  // Rows are always changed in the same order, so that two statements that share a slot cannot deadlock.
  await db.raw(`
    create function count_leads() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_counts as kept (kind, status, slot, count)
        select kind, status, pg_backend_pid() % 32, count(*) from added
        group by kind, status order by kind, status
        on conflict (kind, status, slot) do update set count = kept.count + excluded.count;
      elsif tg_op = 'DELETE' then
        insert into lead_counts as kept (kind, status, slot, count)
        select kind, status, pg_backend_pid() % 32, -count(*) from removed
        group by kind, status order by kind, status
        on conflict (kind, status, slot) do update set count = kept.count + excluded.count;
      elsif tg_op = 'UPDATE' then
        insert into lead_counts as kept (kind, status, slot, count)
        select kind, status, pg_backend_pid() % 32, sum(change)
        from (
          select kind, status, 1 as change from added
          union all
          select kind, status, -1 from removed
        ) as changes
        group by kind, status having sum(change) <> 0 order by kind, status
        on conflict (kind, status, slot) do update set count = kept.count + excluded.count;
      else
        -- Not a delete: that would spare rows which a transaction's snapshot does not show.
        truncate lead_counts;
      end if;
      return null;
    end
    $$
  `);
  await db.raw(`
    create trigger leads_count_added after insert on leads
      referencing new table as added for each statement execute function count_leads()
  `);
  await db.raw(`
    create trigger leads_count_removed after delete on leads
      referencing old table as removed for each statement execute function count_leads()
  `);
  await db.raw(`
    create trigger leads_count_changed after update on leads
      referencing old table as removed new table as added for each statement execute function count_leads()
  `);
  await db.raw(`
    create trigger leads_count_emptied after truncate on leads
      for each statement execute function count_leads()
  `);
  await db.raw(`
    insert into lead_counts (kind, status, slot, count)
    select kind, status, 0, count(*) from leads group by kind, status
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`drop trigger leads_count_added on leads`);
  await db.raw(`drop trigger leads_count_removed on leads`);
  await db.raw(`drop trigger leads_count_changed on leads`);
  await db.raw(`drop trigger leads_count_emptied on leads`);
  await db.raw(`drop function count_leads()`);
  await db.raw(`drop table lead_counts`);
}
