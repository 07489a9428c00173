import { clockedKinds } from '@dune-tide/domain/leads';
import { clockStart, needsAnswer, workStatus, quoted } from '../src/lead-expressions/index.ts';

/** The values that staff filter by, beside the search texts that the workers write (docs/PRODUCT.md, "Search"; ADR 0018). */
export const leadSearch = [
  `
    create function lead_tags(
      kind text, status text, owner_id uuid, spam_sign text, answered_at timestamptz, answered_before timestamptz,
      created_at timestamptz
    ) returns text[] language sql immutable parallel safe return array[
      'kind:' || kind,
      'status:' || ${workStatus},
      'owner:' || coalesce(owner_id::text, 'none'),
      case when spam_sign is null then 'not spam' else 'spam' end,
      case
        when kind not in (${quoted(clockedKinds)}) or spam_sign is not null then 'response:none'
        when ${needsAnswer} then 'response:open'
        else 'response:answered'
      end
    ]
  `,
  `
    create function update_lead_search() returns trigger language plpgsql as $$
    begin
      -- The workers write the search text again. Until then the former one is found.
      update lead_search set
        email = changed.email, tags = changed.tags, clock_start = changed.clock_start,
        version = case when changed.is_rewritten then 0 else version end
      from (
        select id, lower(added.email) as email,
               lead_tags(kind, status, owner_id, spam_sign, answered_at, answered_before, created_at) as tags,
               case when ${needsAnswer} then ${clockStart} end as clock_start,
               is_rewritten
        from (
          select added.*, (added.email, added.answers) is distinct from (removed.email, removed.answers) as is_rewritten
          from added join removed on removed.id = added.id
        ) as added
      ) as changed
      where lead_id = changed.id and (
        changed.is_rewritten
        or (lead_search.tags, lead_search.clock_start) is distinct from (changed.tags, changed.clock_start)
      );
      return null;
    end
    $$
  `,
  `
    create trigger leads_search_changed after update on leads
      referencing old table as removed new table as added for each statement execute function update_lead_search()
  `,
];
