import { transports } from '@dune-tide/domain/follow-ups';
import { quoted } from '../src/lead-expressions/index.ts';
import { checks } from './statements.ts';

const transport = `case when kind = 'webhook' then 'webhook' else 'email' end as transport`;

const upsert = `on conflict (state, transport, slot) do update set count = kept.count + excluded.count`;

/**
 * The counts of follow-ups, kept like those of leads (ADR 0006). They have more slots, because every worker changes
 * counts with each claim and each outcome.
 */
export const followUpCounts = [
  ...checks('follow_up_counts', { follow_up_counts_transport_known: `transport in (${quoted(transports)})` }),
  `
    create function count_follow_ups() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, count(*)
        from (select state, ${transport} from added) as changes
        group by state, transport order by state, transport
        ${upsert};
      elsif tg_op = 'DELETE' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, -count(*)
        from (select state, ${transport} from removed) as changes
        group by state, transport order by state, transport
        ${upsert};
      elsif tg_op = 'UPDATE' then
        insert into follow_up_counts as kept (state, transport, slot, count)
        select state, transport, pg_backend_pid() % 64, sum(change)
        from (
          select state, ${transport}, 1 as change from added
          union all
          select state, ${transport}, -1 from removed
        ) as changes
        group by state, transport having sum(change) <> 0 order by state, transport
        ${upsert};
      else
        -- Not a delete: that would spare rows which a transaction's snapshot does not show.
        truncate follow_up_counts;
      end if;
      return null;
    end
    $$
  `,
  `
    create trigger follow_ups_count_added after insert on follow_ups
      referencing new table as added for each statement execute function count_follow_ups()
  `,
  `
    create trigger follow_ups_count_removed after delete on follow_ups
      referencing old table as removed for each statement execute function count_follow_ups()
  `,
  `
    create trigger follow_ups_count_changed after update on follow_ups
      referencing old table as removed new table as added for each statement execute function count_follow_ups()
  `,
  `
    create trigger follow_ups_count_emptied after truncate on follow_ups
      for each statement execute function count_follow_ups()
  `,
];
