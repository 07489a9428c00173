import type { Knex } from 'knex';
import type { Identifiers } from './identifiers.ts';

/**
 * Returns the addresses and phone numbers of leads that no other lead has: those that were sent with the leads, and
 * those that staff corrected.
 * @param email - an address that counts even if other leads have it
 */
export async function identifiersOf(db: Knex, leadIds: readonly string[], email?: string): Promise<Identifiers> {
  const { rows } = await db.raw<{ rows: Identifiers[] }>(
    `with own as (
       select lower(email) as address from leads where id = any (:leadIds::uuid[])
       union
       select lower(corrected.address) from lead_events
       cross join lateral (values (details ->> 'from'), (details ->> 'to')) as corrected (address)
       where lead_id = any (:leadIds::uuid[]) and kind = 'address_corrected' and corrected.address is not null
       union
       select lower(:email::text) where :email::text is not null
     ), gone as materialized (
       select address from own
       where address = lower(:email::text) or (
         not exists (select from leads other where lower(other.email) = address and other.id <> all (:leadIds::uuid[]))
         and not exists (
           select from lead_events event
           where event.kind = 'address_corrected' and lower(event.details ->> 'to') = address
             and event.lead_id <> all (:leadIds::uuid[])
         )
       )
     )
     select coalesce((select json_agg(address) from gone), '[]') as addresses,
            coalesce((
              select json_agg(distinct answers ->> 'phone') from leads
              where id = any (:leadIds::uuid[]) and answers ->> 'phone' is not null
                and lower(email) in (select address from gone)
            ), '[]') as phones`,
    { leadIds: [...leadIds], email: email ?? null },
  );
  return rows[0] ?? { addresses: [], phones: [] };
}
