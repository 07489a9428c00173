import { maxCountedMatches } from '@dune-tide/domain/limits';
import { codeMark, indexedParts, type Fragment, type SearchTerm } from '@dune-tide/domain/search';
import { promised } from '../lead-expressions/index.ts';
import {
  afterPlace,
  allOf,
  bindings,
  dayConditions,
  inSearch,
  isOpenResponse,
  orderOf,
  type Bind,
  type Condition,
  type LeadQuery,
  type QueryPlace,
} from './search-conditions.ts';
import { countOf, countUpTo, type Read } from './search-reading.ts';

/**
 * The number of leads that a search first looks at one by one, in their order, and how many more it looks at if the
 * first ones contain `promising` matches. Beyond that, reading all matches by index takes less time (ADR 0018).
 */
const lookAt = { first: 2_000, more: 10_000, promising: 20 };

/** The same for counting, which looks at the first leads again: that takes less time than numbering them. */
const countAt = { first: 5_000, more: 12_000, promising: maxCountedMatches / 2, enough: maxCountedMatches + 1 };

/** Returns the ids of a page of the leads with words, in no order. */
export async function searchedIds(
  read: Read,
  query: LeadQuery,
  terms: readonly SearchTerm[],
  limit: number,
  after?: QueryPlace,
): Promise<string[]> {
  const looked = await lookThrough(read, query, terms, limit, after);
  if (looked) return looked;
  const { bind, values } = bindings();
  const condition = allOf([...searched(query, terms, 'by index'), ...afterPlace(inSearch, query, after)], bind);
  const rows = await read<{ id: string }>(
    'words',
    `with found as materialized (select lead_id, created_at, clock_start from lead_search where ${condition})
     select lead_id as id from found ${orderOf(inSearch, query)} limit ${limit}`,
    values,
  );
  return rows.map(({ id }) => id);
}

export async function countSearched(read: Read, query: LeadQuery, terms: readonly SearchTerm[]): Promise<number> {
  const { enough, promising } = countAt;
  for (const limit of [countAt.first, countAt.more]) {
    const { bind, values } = bindings();
    const matches = allOf(searched(query, terms, 'one by one'), bind);
    const [counted] = await read<{ found: number; looked: number }>(
      'order',
      `select count(*) filter (where ${matches})::integer as found, count(*)::integer as looked
       from (${inOrder(query, limit, bind)}) as lead_search`,
      values,
    );
    const { found = 0, looked = 0 } = counted ?? {};
    if (looked < limit || found >= enough) return Math.min(found, enough);
    if (found < promising) break;
  }
  const { bind, values } = bindings();
  const condition = allOf([...searched(query, terms, 'by index'), ...afterPlace(inSearch, query)], bind);
  return countUpTo(await read('words', countOf(`select 1 from lead_search where ${condition}`), values));
}

/** A lead that was looked at. */
interface LookedAt {
  readonly id: string;
  readonly at: Date;
  readonly isMatch: boolean;
  /** Whether it is the last one to look at. */
  readonly isLast: boolean;
}

/**
 * Looks at leads one by one, in their order, until enough of them match.
 * @returns the ids of those that match, in their order; undefined if they are not enough and there may be others
 */
async function lookThrough(
  read: Read,
  query: LeadQuery,
  terms: readonly SearchTerm[],
  enough: number,
  after?: QueryPlace,
): Promise<string[] | undefined> {
  const order = orderOf(inSearch, query);
  const at = query.sort === 'due' ? `clock_start + ${promised}` : 'created_at';
  const ids: string[] = [];
  let place = after;
  for (const limit of [lookAt.first, lookAt.more]) {
    const { bind, values } = bindings();
    const matches = allOf(searched(query, terms, 'one by one'), bind);
    // Numbered, because PostgreSQL stops at the last match that is needed and would not say how many it looked at.
    const found = await read<LookedAt>(
      'order',
      `select lead_id as id, ${at} as at, ${matches} as "isMatch", number = ${limit} as "isLast"
       from (
         select *, row_number() over (${order}) as number from (${inOrder(query, limit, bind, place)}) as lists
       ) as lead_search
       where ${matches} or number = ${limit} ${order} limit ${enough - ids.length}`,
      values,
    );
    ids.push(...found.filter(({ isMatch }) => isMatch).map(({ id }) => id));
    const last = found.at(-1);
    if (ids.length >= enough || !last?.isLast) return ids;
    if (ids.length < lookAt.promising) return undefined;
    place = { id: last.id, createdAt: last.at };
  }
  return undefined;
}

/** Selects the first leads of a query without its words, with few others, by indexes that have them in their order. */
function inOrder(query: LeadQuery, limit: number, bind: Bind, after?: QueryPlace): string {
  const isInside = allOf([...dayConditions(query), ...afterPlace(inSearch, query, after)], bind);
  const order = `${orderOf(inSearch, query)} limit ${limit}`;
  const lists = narrowLists(query, bind).map(
    (list) => `(select * from lead_search where ${list} and ${isInside} ${order})`,
  );
  return `select * from (${lists.join(' union all ')}) as lists ${order}`;
}

/**
 * Returns the conditions of lists that an index has in the order of a query. All leads of the query are in them, with few
 * others: leads of an address, of an owner, of some statuses, or those that need an answer.
 */
function narrowLists({ email, ownerId, statuses = [], responses = [], sort }: LeadQuery, bind: Bind): string[] {
  if (sort === 'due') return ['true'];
  if (email !== undefined) return [`email = lower(${bind(email)})`];
  if (typeof ownerId === 'string') return [`tags[3] = ${bind(`owner:${ownerId}`)}`];
  if (responses.length > 0 && responses.every(isOpenResponse)) return ['clock_start is not null'];
  return statuses.length === 0 ? ['true'] : statuses.map((each) => `tags[2] = ${bind(`status:${each}`)}`);
}

/** Returns the conditions on a lead in `lead_search`, with its words. */
function searched(query: LeadQuery, terms: readonly SearchTerm[], how: 'by index' | 'one by one'): Condition[] {
  const hasLong = terms.some((term) => term.every((all) => all.some((fragment) => !isBeginning(fragment))));
  return [
    ...inSearch.conditions(query),
    ...terms.map((term): Condition => {
      return (bind) => `(${term.map((all) => all.map((each) => contains(each, bind)).join(' and ')).join(' or ')})`;
    }),
  ];

  function contains(fragment: Fragment, bind: Bind): string {
    const has = (column: string, part: string): string => `${column} like ${bind(`%${part}%`)}`;
    // Beginnings of words are so frequent that the index takes longer with them, if there is anything else to find.
    const words = how === 'by index' && hasLong && isBeginning(fragment) ? `(words || '')` : 'words';
    const parts = indexedParts(fragment);
    const isIndexed = parts.map((part) => has(words, part)).join(' and ');
    if (parts[0] === fragment) return `${isIndexed} and (exact_words is null or ${has('exact_words', fragment)})`;
    const isExact = `${isIndexed} and ${has('exact_words', fragment)}`;
    // The texts of the previous release have no codes of characters, but words that begin with them.
    return isCoded(parts) ? `(${isExact} or (version = 0 and ${has('exact_words', ` ${fragment}`)}))` : isExact;
  }
}

const isBeginning = (fragment: Fragment): boolean => fragment.startsWith(' ');
/** Returns whether parts of an indexed form are codes of characters. */
const isCoded = ([part = '']: readonly string[]): boolean => part.startsWith(codeMark);
