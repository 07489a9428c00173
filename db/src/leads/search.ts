import {
  leadDefinitions,
  leadStatuses,
  workedKinds,
  type LeadResponse,
  type LeadStatus,
  type WorkedKind,
} from '@dune-tide/domain/leads';
import { maxCountedMatches } from '@dune-tide/domain/limits';
import { asciiForm, searchTerms, type Fragment, type SearchTerm } from '@dune-tide/domain/search';
import type { Knex } from 'knex';
import {
  clockStart,
  isAnswered,
  needsAnswer,
  overdueBefore,
  promised,
  quoted,
  soonUntil,
  workStatus,
} from '../lead-expressions/index.ts';
import { leadColumns, type StoredLead } from './lists.ts';

/** A search of staff. A member that is left out or an empty list does not restrict the leads. */
export interface LeadQuery {
  /** The words that a lead must have (docs/PRODUCT.md, "Search"). */
  readonly words?: string | undefined;
  readonly kinds?: readonly WorkedKind[];
  readonly statuses?: readonly LeadStatus[];
  /** The id of an account; null for leads without an owner. */
  readonly ownerId?: string | null | undefined;
  readonly responses?: readonly LeadResponse[];
  /** The first and the last day on which they were received, as YYYY-MM-DD in the time zone. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly timeZone: string;
  /** Whether leads that are held as spam are left out, or all others. */
  readonly spam?: 'without' | 'only' | undefined;
  /** In upper or lower case. */
  readonly email?: string | undefined;
  /**
   * - `newest`: newest first
   * - `due`: only those that need an answer, the one that is due first in front
   */
  readonly sort: 'newest' | 'due';
}

/** The sort key of a lead: the time when it was received, or at which the answer is due; then its id. */
export interface QueryPlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** Adds a value to the bindings of a statement. Returns its place in the text. */
type Bind = (value: Knex.Value) => string;

/** Returns a condition in SQL; undefined if it is always true. */
type Condition = (bind: Bind) => string | undefined;

/** The columns by which a query filters, in `leads` or in `lead_search`. */
interface Source {
  readonly table: string;
  readonly id: string;
  readonly clockStart: string;
  readonly isOpen: string;
  readonly conditions: (query: LeadQuery) => readonly Condition[];
}

/**
 * The number of leads that a search first looks at one by one, in their order, and how many more it looks at if the
 * first ones contain `promising` matches. Beyond that, reading all matches by index takes less time (ADR 0018).
 */
const lookAt = { first: 2_000, more: 10_000, promising: 20 };

/** The same for counting, which looks at the first leads again: that takes less time than numbering them. */
const countAt = { first: 5_000, more: 12_000, promising: maxCountedMatches / 2, enough: maxCountedMatches + 1 };

/**
 * Finds leads for staff, of all kinds but portfolio requests. The time of a call grows neither with the number of leads
 * nor with the depth of the page.
 * @param db - a pool
 */
export function leadSearch(db: Knex) {
  return {
    /**
     * Returns a page of the leads.
     * @param after - the last lead of the previous page; undefined for the first page
     */
    async page(query: LeadQuery, limit: number, after?: QueryPlace): Promise<StoredLead[]> {
      const terms = searchTerms(query.words ?? '');
      if (isOfLists(query, terms)) return pageOfLeads(db, query, limit, after);
      return reading(db, async (read) => {
        const ids = await searchedIds(read, query, terms, limit, after);
        if (ids.length === 0) return [];
        const leads = `select ${leadColumns} from leads where id = any (:ids) ${orderOf(inLeads, query)}`;
        return read<StoredLead>('order', leads, { ids });
      });
    },

    /** Returns the place of a lead in the order of a query. */
    placeOf({ sort }: LeadQuery, { id, createdAt, dueAt }: StoredLead): QueryPlace {
      return { id, createdAt: sort === 'due' ? (dueAt ?? createdAt) : createdAt };
    },

    /** Returns the number of the leads, at most one more than `maxCountedMatches`. */
    async count(query: LeadQuery): Promise<number> {
      const terms = searchTerms(query.words ?? '');
      return isOfLists(query, terms) ? countLeads(db, query) : reading(db, (read) => countSearched(read, query, terms));
    },
  };
}

/** Returns whether `leads` has the leads of a query in lists, so that new ones are found before they are searchable. */
const isOfLists = ({ email }: LeadQuery, terms: readonly SearchTerm[]): boolean =>
  terms.length === 0 && email === undefined;

/** The interval of the days of a query. */
const dayConditions = ({ from, to, timeZone }: LeadQuery): readonly Condition[] => {
  const start = (day: string, bind: Bind, days: number): string =>
    `(${bind(day)}::date + ${days})::timestamp at time zone ${bind(timeZone)}`;
  return [
    (bind) => (from === undefined ? undefined : `created_at >= ${start(from, bind, 0)}`),
    (bind) => (to === undefined ? undefined : `created_at < ${start(to, bind, 1)}`),
  ];
};

const inLeads: Source = {
  table: 'leads',
  id: 'id',
  clockStart,
  isOpen: needsAnswer,
  conditions: ({ ownerId, spam, ...query }) => [
    ...dayConditions(query),
    (bind) =>
      ownerId === undefined ? undefined : ownerId === null ? 'owner_id is null' : `owner_id = ${bind(ownerId)}`,
    () => (spam === undefined ? undefined : `spam_sign is ${spam === 'only' ? 'not null' : 'null'}`),
  ],
};

const isOpenResponse = (each: LeadResponse): boolean => ['waiting', 'soon', 'overdue'].includes(each);

/** The time at which the clock of a lead that needs an answer must have started. */
function startOf(each: LeadResponse): string {
  if (each === 'overdue') return `${clockStart} < ${overdueBefore}`;
  if (each === 'soon') return `${clockStart} >= ${overdueBefore} and ${clockStart} <= ${soonUntil}`;
  return `${clockStart} > ${soonUntil}`;
}

const inSearch: Source = {
  table: 'lead_search',
  id: 'lead_id',
  clockStart: 'clock_start',
  isOpen: 'clock_start is not null',
  conditions: ({ kinds = [], statuses = [], ownerId, responses = [], spam, email, ...query }) => {
    const tagged = (...tags: string[]): Condition => {
      return (bind) => (tags.length === 0 ? undefined : `tags && ${bind(tags)}::text[]`);
    };
    return [
      ...dayConditions(query),
      tagged(...kinds.map((kind) => `kind:${kind}`)),
      tagged(...statuses.map((each) => `status:${each}`)),
      tagged(...(ownerId === undefined ? [] : [`owner:${ownerId ?? 'none'}`])),
      // How urgent a lead is depends on the time, so that its tag is the same.
      tagged(...new Set(responses.map((each) => `response:${isOpenResponse(each) ? 'open' : each}`))),
      () => {
        const urgencies = responses.filter(isOpenResponse);
        return urgencies.length === 0 ? undefined : `(clock_start is null or ${urgency} in (${quoted(urgencies)}))`;
      },
      tagged(...(spam === undefined ? [] : [spam === 'only' ? 'spam' : 'not spam'])),
      (bind) => (email === undefined ? undefined : `email = lower(${bind(email)})`),
    ];
  },
};

const urgency = `case
  when clock_start < ${overdueBefore} then 'overdue' when clock_start <= ${soonUntil} then 'soon' else 'waiting'
end`;

/** Collects the values of a statement, which names them in the order in which they are added. */
function bindings(): { readonly bind: Bind; readonly values: Record<string, Knex.Value> } {
  const values: Record<string, Knex.Value> = {};
  return {
    values,
    bind(value) {
      const name = `value${Object.keys(values).length}`;
      values[name] = value;
      return `:${name}`;
    },
  };
}

function allOf(conditions: readonly Condition[], bind: Bind): string {
  const written = conditions.flatMap((condition) => condition(bind) ?? []);
  return written.length === 0 ? 'true' : written.join(' and ');
}

function orderOf({ id, clockStart: start }: Source, { sort }: LeadQuery): string {
  return sort === 'due' ? `order by ${start}, ${id}` : `order by created_at desc, ${id} desc`;
}

/** Selects what comes after a place, and for the order by due times what needs an answer. */
function afterPlace({ id, clockStart: start, isOpen }: Source, { sort }: LeadQuery, after?: QueryPlace): Condition[] {
  const isDue: Condition = () => (sort === 'due' ? isOpen : undefined);
  if (!after) return [isDue];
  const place = (bind: Bind): string => `${bind(after.createdAt.toISOString())}::timestamptz`;
  return [
    isDue,
    (bind) =>
      sort === 'due'
        ? `(${start}, ${id}) > (${place(bind)} - ${promised}, ${bind(after.id)}::uuid)`
        : `(created_at, ${id}) < (${place(bind)}, ${bind(after.id)}::uuid)`,
  ];
}

/**
 * Returns a page without words. Each list of `listsOf` is read in its order and only up to the limit, because PostgreSQL
 * would sort all leads otherwise.
 */
async function pageOfLeads(db: Knex, query: LeadQuery, limit: number, after?: QueryPlace): Promise<StoredLead[]> {
  const { bind, values } = bindings();
  const order = orderOf(inLeads, query);
  const lists = listsOf(query, afterPlace(inLeads, query, after), bind);
  if (lists.length === 0) return [];
  const found = `select id from (${together(lists, query, limit)}) as found ${order} limit ${limit}`;
  return reading(db, (read) =>
    read('order', `select ${leadColumns} from leads where id in (${found}) ${order}`, values),
  );
}

async function countLeads(db: Knex, query: LeadQuery): Promise<number> {
  const { bind, values } = bindings();
  const lists = listsOf(query, afterPlace(inLeads, query), bind);
  if (lists.length === 0) return 0;
  const found = together(lists, query, maxCountedMatches + 1);
  return countUpTo(await reading(db, (read) => read('order', countOf(`select from (${found}) as found`), values)));
}

/** Reads lists of leads in their order, each up to a limit. Without the order, PostgreSQL would read all of a list. */
function together(lists: readonly string[], query: LeadQuery, limit: number): string {
  const order = `${orderOf(inLeads, query)} limit ${limit}`;
  const columns = 'id, created_at, clock_started_at';
  return lists.map((list) => `(select ${columns} from leads where ${list} ${order})`).join(' union all ');
}

/**
 * Returns the conditions of a query, one for each list that an index has in its order: leads of a kind, with a status if
 * the query has statuses or an owner. The leads that need an answer are one list, and so are those that are held if the
 * query is about them. A lead is in one list at most.
 */
function listsOf(query: LeadQuery, more: readonly Condition[], bind: Bind): string[] {
  const { statuses = [], responses = [], ownerId, sort, spam } = query;
  const condition = allOf([...inLeads.conditions(query), ...more], bind);
  const open = responses.filter(isOpenResponse);
  // Not as other indexes have them: PostgreSQL would read all leads of a kind or a status to find these few.
  const ofAnyStatus = statuses.length === 0 ? 'true' : `${workStatus} || '' in (${quoted(statuses)})`;
  const held = (kinds: readonly WorkedKind[]): string =>
    `kind || '' in (${quoted(kinds)}) and ${ofAnyStatus} and spam_sign is not null and ${condition}`;
  const canBeSettled = sort === 'newest' && (responses.length === 0 || responses.length > open.length);
  if (spam === 'only') {
    return canBeSettled && (responses.length === 0 || responses.includes('none')) ? [held(kindsOf(query))] : [];
  }
  const lists: string[] = [];
  if (open.length > 0 || (sort === 'due' && responses.length === 0)) {
    const isDue = open.length === 0 ? 'true' : `(${open.map((each) => startOf(each)).join(' or ')})`;
    lists.push(
      `kind || '' in (${quoted(kindsOf(query))}) and ${ofAnyStatus} and ${needsAnswer} and ${isDue} and ${condition}`,
    );
  }
  if (!canBeSettled) return lists;
  const clocked = kindsOf(query).filter((kind) => leadDefinitions[kind].hasClock);
  if (responses.includes('none') && spam === undefined && clocked.length > 0) lists.push(held(clocked));
  const owned = ownerId !== undefined && ownerId !== null;
  const each = statuses.length > 0 ? statuses : owned ? leadStatuses : undefined;
  const ofStatuses = each?.map((one) => (owned ? `${workStatus} = '${one}'` : ofStatus(one))) ?? ['true'];
  for (const kind of kindsOf(query)) {
    const response = settled(kind, responses);
    if (response === undefined) continue;
    for (const one of ofStatuses) lists.push(`kind = '${kind}' and ${one} and ${response} and ${condition}`);
  }
  return lists;
}

/**
 * Returns the condition of the responses of a kind of lead, without the leads that need an answer or are held; undefined
 * if no lead of the kind has one of them.
 */
function settled(kind: WorkedKind, responses: readonly LeadResponse[]): string | undefined {
  if (responses.length === 0) return 'true';
  if (!leadDefinitions[kind].hasClock) return responses.includes('none') ? 'true' : undefined;
  return responses.includes('answered') ? `spam_sign is null and ${isAnswered}` : undefined;
}

/** Returns a condition as the partial index of statuses has it, which new leads are not in. */
const ofStatus = (one: LeadStatus): string =>
  one === 'new' ? `${workStatus} = 'new'` : `${workStatus} = '${one}' and ${workStatus} <> 'new'`;

const kindsOf = ({ kinds = [] }: LeadQuery): readonly WorkedKind[] => (kinds.length === 0 ? workedKinds : kinds);

const countOf = (rows: string): string =>
  `select count(*)::integer as count from (${rows} limit ${maxCountedMatches + 1}) as found`;
const countUpTo = ([row]: readonly { readonly count: number }[]): number => row?.count ?? 0;

/** Returns the ids of a page of the leads with words, in no order. */
async function searchedIds(
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

async function countSearched(read: Read, query: LeadQuery, terms: readonly SearchTerm[]): Promise<number> {
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
    const ascii = asciiForm(fragment);
    // Beginnings of words are so frequent that the index takes longer with them, if there is anything else to find.
    const words = how === 'by index' && hasLong && isBeginning(fragment) ? `(words || '')` : 'words';
    const exact =
      fragment === ascii
        ? `(exact_words is null or exact_words like ${bind(`%${fragment}%`)})`
        : `exact_words like ${bind(`%${fragment}%`)}`;
    return `${words} like ${bind(`%${ascii}%`)} and ${exact}`;
  }
}

const isBeginning = (fragment: Fragment): boolean => fragment.startsWith(' ');

/**
 * Reads by the index that has the leads in their order, or by the index of words. PostgreSQL can estimate neither how
 * many leads have a status nor LIKE, and would read all leads of a list to sort them.
 */
type Read = <Row>(way: Way, sql: string, values: Readonly<Record<string, Knex.Value>>) => Promise<Row[]>;

type Way = 'order' | 'words';

/** The settings of PostgreSQL that make other ways to read expensive. */
const otherWays: Readonly<Record<Way, readonly string[]>> = {
  order: ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'],
  words: ['enable_seqscan', 'enable_indexscan'],
};
const settings = new Set(Object.values(otherWays).flat());

/** Reads within one transaction, because each transaction and each change of the way takes a round trip. */
function reading<Result>(db: Knex, work: (read: Read) => Promise<Result>): Promise<Result> {
  return db.transaction((transaction) => {
    let current: Way | undefined;
    return work(async <Row>(way: Way, sql: string, values: Readonly<Record<string, Knex.Value>>) => {
      if (way !== current) {
        const changes = [...settings].map((name) => {
          return `set_config('${name}', '${otherWays[way].includes(name) ? 'off' : 'on'}', true)`;
        });
        await transaction.raw(`select ${changes.join(', ')}`);
        current = way;
      }
      const { rows } = await transaction.raw<{ rows: Row[] }>(sql, values);
      return rows;
    });
  });
}
