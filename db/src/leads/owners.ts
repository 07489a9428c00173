import type { Knex } from 'knex';
import { isOpen, type Person } from '../lead-expressions/index.ts';

/** The number of leads of a deactivated account that one statement changes, so that it ends within its time limit. */
const disownedTogether = 1_000;

/**
 * Removes the owner from all open leads of an account, and records it.
 * @param transaction - in which the account was deactivated, so that no lead can get it as its owner in the meantime
 * @param actorId - the member of staff who deactivated the account; undefined if an operator did
 */
export async function removeOwner(
  transaction: Knex.Transaction,
  ownerId: string,
  actorId: string | undefined,
): Promise<void> {
  for (;;) {
    const { rows } = await transaction.raw<{ rows: { count: number }[] }>(
      `with owned as (
         select id from leads where owner_id = :ownerId and ${isOpen}
         order by id limit ${disownedTogether} for no key update
       ), changed as (
         update leads set owner_id = null, version = version + 1, activity = activity + 1, updated_at = now()
         from owned where leads.id = owned.id
         returning leads.id, activity
       ), recorded as (
         insert into lead_events (id, lead_id, kind, actor_id, actor_name, details, activity)
         select gen_random_uuid(), changed.id, 'owner', actor.id, actor.name,
                jsonb_build_object('from', jsonb_build_object('id', former.id, 'name', former.name), 'to', null), changed.activity
         from changed
         join staff former on former.id = :ownerId
         left join staff actor on actor.id = :actorId
       )
       select count(*)::integer as count from changed`,
      { ownerId, actorId: actorId ?? null },
    );
    if ((rows[0]?.count ?? 0) < disownedTogether) return;
  }
}

/**
 * Looks up the wanted owner. The lock makes a deactivation wait, so that it finds the lead afterwards.
 * @returns null if no owner is wanted; undefined if the account does not exist or is inactive
 */
export async function ownerOf(
  transaction: Knex.Transaction,
  ownerId: string | null | undefined,
): Promise<Person | null | undefined> {
  if (ownerId === undefined || ownerId === null) return null;
  return transaction('staff')
    .where({ id: ownerId, is_active: true })
    .forShare()
    .first<Person | undefined>('id', 'name');
}

/** Returns the active accounts among some, by id, locked as `ownerOf` does. */
export async function activeAccounts(
  transaction: Knex.Transaction,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  const accounts = await transaction('staff')
    .whereIn('id', ids)
    .where({ is_active: true })
    .orderBy('id')
    .forShare()
    .select<Person[]>('id', 'name');
  return new Map(accounts.map((account) => [account.id, account]));
}
