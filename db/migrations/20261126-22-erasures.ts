import type { Knex } from 'knex';
import { createIndex, type LargeIndex } from '../src/schema/large-indexes.ts';

/** Finds the leads of an address. */
const byAddress: LargeIndex = {
  name: 'leads_by_address',
  table: 'leads',
  isUnique: false,
  columns: `(lower(email))`,
};

export const largeIndexes: readonly LargeIndex[] = [byAddress];

/**
 * Lets the application erase leads (docs/PRODUCT.md, "Erasure"; ADR 0021), and keeps a list of erasures, so that a
 * restore does not bring back what was erased.
 *
 * - `hash`: HMAC-SHA256 of an address or of the id of a lead
 * - `key`: the key of the hash
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(createIndex(byAddress));
  await db.raw(`
    create table erasures (
      hash text primary key,
      key uuid not null,
      erased_at timestamptz(3) not null default now(),

      constraint erasures_hash_form check (hash ~ '^[0-9a-f]{64}$')
    )
  `);
  // Corrections are few among the events.
  await db.raw(`create index lead_events_corrections on lead_events (lead_id) where kind = 'address_corrected'`);
  // The role of the application cannot delete leads or change their history. These functions run with the rights of the
  // owner.
  await db.raw(`
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
  `);
  await db.raw(`
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
  `);
  for (const signature of functions) await db.raw(`revoke execute on function ${signature} from public`);
}

const functions = ['erase_leads(uuid[])', 'erase_former_address(text)'];

/** The list of erasures is lost. */
export async function down(db: Knex): Promise<void> {
  for (const signature of functions) await db.raw(`drop function ${signature}`);
  await db.raw(`drop index lead_events_corrections`);
  await db.raw(`drop table erasures`);
  await db.raw(`drop index leads_by_address`);
}
