import { needsAnswer } from '../src/lead-expressions/index.ts';
import { checks } from './statements.ts';

const unanswered = `
    case when ${needsAnswer} then case when owner_id is null then 'unowned' else 'owned' end end as unanswered`;

const upsert = `
    on conflict (kind, status, unanswered, slot) do update set count = kept.count + excluded.count`;

/**
 * The counts of leads, so that a total costs the same at any size (ADR 0006). A total is the sum over all slots. A
 * single slot can be negative, because one connection can delete leads that another one stored. Rows are changed in one
 * order, so that two statements that share a slot cannot deadlock.
 */
export const leadCounts = [
  ...checks('lead_counts', { lead_counts_unanswered_known: `unanswered in ('owned', 'unowned')` }),
  `
    create function count_leads() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, count(*)
        from (select kind, status, ${unanswered} from added) as changes
        group by kind, status, unanswered order by kind, status, unanswered
        ${upsert};
      elsif tg_op = 'DELETE' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, -count(*)
        from (select kind, status, ${unanswered} from removed) as changes
        group by kind, status, unanswered order by kind, status, unanswered
        ${upsert};
      elsif tg_op = 'UPDATE' then
        insert into lead_counts as kept (kind, status, unanswered, slot, count)
        select kind, status, unanswered, pg_backend_pid() % 32, sum(change)
        from (
          select kind, status, ${unanswered}, 1 as change from added
          union all
          select kind, status, ${unanswered}, -1 from removed
        ) as changes
        group by kind, status, unanswered having sum(change) <> 0 order by kind, status, unanswered
        ${upsert};
      else
        -- A delete would miss the rows that the transaction's snapshot does not show.
        truncate lead_counts;
      end if;
      return null;
    end
    $$
  `,
  `
    create trigger leads_count_added after insert on leads
      referencing new table as added for each statement execute function count_leads()
  `,
  `
    create trigger leads_count_removed after delete on leads
      referencing old table as removed for each statement execute function count_leads()
  `,
  `
    create trigger leads_count_changed after update on leads
      referencing old table as removed new table as added for each statement execute function count_leads()
  `,
  `
    create trigger leads_count_emptied after truncate on leads
      for each statement execute function count_leads()
  `,
];
