import { appearanceOf } from '@dune-tide/domain/forms/appearance';
import { maxLeadViews } from '@dune-tide/domain/limits';
import type { leadViewResponse } from '@dune-tide/domain/responses/lead-view';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';

export type LeadView = Presented<typeof leadViewResponse>;

/**
 * The outcome of saving a view:
 * - `saved`: the view is stored, now or by an earlier attempt; `isNew` tells which
 * - `id_used`: a different view has this id
 * - `name_taken`: another view of the account has a name that looks the same
 * - `full`: the account has `maxLeadViews` views
 */
export type ViewAddition =
  | { readonly outcome: 'saved'; readonly view: LeadView; readonly isNew: boolean }
  | { readonly outcome: 'id_used' | 'name_taken' | 'full' };

/**
 * The views of the leads page that accounts save. An account sees and changes its own.
 * @param db - a pool or a transaction
 */
export function leadViews(db: Knex) {
  const of = async (executor: Knex, staffId: string): Promise<LeadView[]> =>
    executor('lead_views')
      .where({ staff_id: staffId })
      .orderBy(['position', 'id'])
      .select<LeadView[]>(['id', 'name', 'search']);

  return {
    /** Returns the views of an account in its order. */
    async list(staffId: string): Promise<LeadView[]> {
      return of(db, staffId);
    },

    /** Saves a view at the end of the order. */
    async add(staffId: string, view: LeadView): Promise<ViewAddition> {
      return db.transaction(async (transaction): Promise<ViewAddition> => {
        await lockAccount(transaction, staffId);
        const known = await transaction('lead_views')
          .where({ id: view.id })
          .first<{ staff_id: string; name: string; search: string } | undefined>('staff_id', 'name', 'search');
        if (known) {
          const isSame = known.staff_id === staffId && known.name === view.name && known.search === view.search;
          return isSame ? { outcome: 'saved', view, isNew: false } : { outcome: 'id_used' };
        }
        const others = await transaction('lead_views')
          .where({ staff_id: staffId })
          .select<{ name: string; position: number; isSame: boolean }[]>(
            'name',
            'position',
            // The unique index compares like this. The database and JavaScript have different rules for a few letters.
            transaction.raw('lower(name) = lower(?) as "isSame"', [view.name]),
          );
        const looks = appearanceOf(view.name);
        const isTaken = others.some(({ name, isSame }) => isSame || appearanceOf(name) === looks);
        if (isTaken) return { outcome: 'name_taken' };
        if (others.length >= maxLeadViews) return { outcome: 'full' };
        const next = Math.max(-1, ...others.map(({ position }) => position)) + 1;
        await transaction('lead_views').insert({ ...view, staff_id: staffId, position: next });
        return { outcome: 'saved', view, isNew: true };
      });
    },

    /**
     * Moves the views to the front, in the order of their ids. Ids that the account does not have are ignored.
     * @returns the views in their new order
     */
    async order(staffId: string, ids: readonly string[]): Promise<LeadView[]> {
      return db.transaction(async (transaction) => {
        await lockAccount(transaction, staffId);
        await transaction.raw(
          `update lead_views set position = ordered.place
           from (
             select id, row_number() over (
               order by array_position(:ids::uuid[], id), position, id
             ) as place
             from lead_views where staff_id = :staffId
           ) as ordered
           where lead_views.id = ordered.id and lead_views.position <> ordered.place`,
          { staffId, ids: [...ids] },
        );
        return of(transaction, staffId);
      });
    },

    /** @returns false if the account has no such view */
    async remove(staffId: string, id: string): Promise<boolean> {
      return (await db('lead_views').where({ id, staff_id: staffId }).delete()) === 1;
    },
  };
}

/** Lets one change of an account's views follow the other. Leads can be given to the account in the meantime. */
async function lockAccount(transaction: Knex.Transaction, staffId: string): Promise<void> {
  await transaction.raw('select from staff where id = ? for no key update', [staffId]);
}
