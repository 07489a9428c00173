import { appearanceOf } from '@dune-tide/domain/forms/appearance';
import { maxLength } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { serverErrorOf } from '../connection/index.ts';
import { identifierRemoval, type Identifiers } from './identifiers.ts';

interface View {
  readonly id: string;
  readonly staffId: string;
  readonly name: string;
  readonly search: string;
}

/** A view, and what stays of its name and its query. */
interface ChangedView extends View {
  readonly nameLeft: string;
  readonly searchLeft: string;
}

/** PostgreSQL, appendix A: unique_violation. */
const uniqueViolation = '23505';

/** The name of a view of which nothing else is left. */
const namelessView = 'Saved view';

/**
 * Removes the addresses and phone numbers of people from the names and queries of all saved views. The rest of each view
 * stays.
 * @returns the number of changed views
 */
export async function eraseInViews(transaction: Knex.Transaction, people: Identifiers): Promise<number> {
  const { views, changed } = await readViews(transaction, people);
  for (const view of changed) await change(transaction, view, views);
  return changed.length;
}

/** Returns the saved views that have an address or a phone number of a person. */
export async function viewsThatName(
  db: Knex,
  person: Identifiers,
): Promise<{ readonly name: string; readonly search: string }[]> {
  const { changed } = await readViews(db, person);
  return changed.map(({ name, search }) => ({ name, search }));
}

async function readViews(db: Knex, people: Identifiers) {
  const views = await db('lead_views')
    // The views of an account are numbered in the order of their names.
    .orderBy(['staff_id', 'name', 'id'])
    .select<View[]>({ id: 'id', staffId: 'staff_id', name: 'name', search: 'search' });
  const removeAll = identifierRemoval(people);
  const removeAddresses = identifierRemoval({ ...people, phones: [] });
  const changed = views
    .map((view): ChangedView => ({
      ...view,
      nameLeft: removeAll(view.name),
      searchLeft: searchLeft(view.search, removeAll, removeAddresses),
    }))
    .filter(({ name, nameLeft, search, searchLeft: left }) => name !== nameLeft || search !== left);
  return { views, changed };
}

type Removal = ReturnType<typeof identifierRemoval>;

/** Returns a query string without identifiers. A parameter of which nothing is left is removed, others stay as written. */
function searchLeft(search: string, removeAll: Removal, removeAddresses: Removal): string {
  const prefix = search.startsWith('?') ? '?' : '';
  const parameters = search.slice(prefix.length).split('&');
  const left = parameters.flatMap((parameter) => {
    const [[key, value] = ['', '']] = [...new URLSearchParams(parameter)];
    // Other parameters have dates and ids, in which a phone number could be found by chance.
    const valueLeft = (key === 'q' ? removeAll : removeAddresses)(value);
    const keyLeft = removeAddresses(key);
    if (keyLeft === key && valueLeft === value) return [parameter];
    return keyLeft === '' || valueLeft === '' ? [] : [new URLSearchParams([[keyLeft, valueLeft]]).toString()];
  });
  return left.length === 0 ? '' : prefix + left.join('&');
}

/** Changes a view. If another view of its account has the name that is left, a number is added. */
async function change(
  transaction: Knex.Transaction,
  { id, staffId, name, nameLeft, searchLeft: search }: ChangedView,
  views: readonly View[],
): Promise<void> {
  if (nameLeft === name) {
    await transaction('lead_views').where({ id }).update({ search });
    return;
  }
  const taken = new Set(
    views.filter((view) => view.staffId === staffId && view.id !== id).map((view) => appearanceOf(view.name)),
  );
  for (let number = 1; ; number++) {
    const wanted = numbered(nameLeft === '' ? namelessView : nameLeft, number);
    if (taken.has(appearanceOf(wanted))) continue;
    try {
      // A savepoint, because the account may save a view with this name in the meantime.
      await transaction.transaction(async (savepoint) => {
        await savepoint('lead_views').where({ id }).update({ name: wanted, search });
      });
      return;
    } catch (error) {
      if (serverErrorOf(error)?.code !== uniqueViolation) throw error;
    }
  }
}

function numbered(name: string, number: number): string {
  if (number === 1) return name;
  const suffix = ` ${number}`;
  return (
    Array.from(name)
      .slice(0, maxLength.viewName - suffix.length)
      .join('') + suffix
  );
}
