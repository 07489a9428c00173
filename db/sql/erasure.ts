import { quoted } from '../src/lead-expressions/index.ts';
import { erasureSubjects } from '../src/personal-data/index.ts';
import { checks, hidden } from './statements.ts';

/**
 * The erasure of leads (docs/PRODUCT.md, "Erasure"; ADR 0021). The role of the application cannot delete leads or change
 * their history. These functions run with the rights of the owner.
 */
export const erasure = [
  ...checks('erasures', {
    erasures_hash_form: `hash ~ '^[0-9a-f]{64}$'`,
    erasures_subject_known: `subject in (${quoted(erasureSubjects)})`,
    erasures_by_staff_are_whole: 'erased_by is null or (subject is not null and first_erased_at is not null)',
  }),
  `
    create function erase_leads(ids uuid[]) returns void language plpgsql security definer set search_path from current
    as $$
    begin
      if cardinality(ids) > 1000 then
        raise exception 'At most 1000 leads can be erased together' using errcode = 'invalid_parameter_value';
      end if;
      delete from recent_emails where id in (select f.id from follow_ups f where f.lead_id = any (ids));
      delete from leads where id = any (ids);
    end
    $$
  `,
  hidden('erase_leads(uuid[])'),
  `
    create function erase_former_address(address text) returns void language plpgsql
      security definer set search_path from current
    as $$
    begin
      update follow_ups f set
        recipient = 'erased@erased.invalid',
        state = case when f.state in ('pending', 'failed', 'withheld') then 'cancelled' else f.state end,
        server_answer = null,
        updated_at = now()
      where f.lead_id in (select lead_id from lead_events where kind = 'address_corrected')
        and lower(f.recipient) = lower(address);
      update lead_events set details = details || '{"from": "erased@erased.invalid"}'
      where kind = 'address_corrected' and lower(details ->> 'from') = lower(address);
    end
    $$
  `,
  hidden('erase_former_address(text)'),
];
