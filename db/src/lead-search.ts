import { leadStatuses, workedKinds, type LeadResponse, type LeadStatus } from '@dune-tide/domain/leads';
import { maxCountedMatches } from '@dune-tide/domain/limits';
import { asciiForm, searchTerms, type Fragment, type SearchTerm } from '@dune-tide/domain/search';
import type { Knex } from 'knex';
import { clockStart, hasClock, isAnswered, needsAnswer, overdueBefore, promised, soonUntil } from './lead-clock.ts';
import { leadColumns, type StoredLead } from './lead-lists.ts';
import { reachDatabase } from './unavailable.ts';

/** A kind of lead that staff work on. */
type WorkedKind = (typeof workedKinds)[number];

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
 * The number of leads that a search first looks at one by one, in their order, and the number that it looks at if the
 * first ones contain `promising` matches. Beyond that, reading all matches by index takes less time (ADR 0018).
 */
const lookAt = { first: 2_000, more: 12_000, promising: 20 };

/** The same for counting: with this many matches among the first leads, it also finds the others one by one. */
const countAt = { first: 5_000, more: 12_000, promising: maxCountedMatches / 2 };

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
      if (terms.length === 0) return pageOfLeads(db, query, limit, after);
      const ids = await searchedIds(db, query, terms, limit, after);
      if (ids.length === 0) return [];
      return read<StoredLead>(db, `select ${leadColumns} from leads where id = any (:ids) ${orderOf(inLeads, query)}`, {
        ids,
      });
    },

    /** Returns the place of a lead in the order of a query. */
    placeOf({ sort }: LeadQuery, { id, createdAt, dueAt }: StoredLead): QueryPlace {
      return { id, createdAt: sort === 'due' ? (dueAt ?? createdAt) : createdAt };
    },

    /** Returns the number of the leads, at most one more than `maxCountedMatches`. */
    async count(query: LeadQuery): Promise<number> {
      const terms = searchTerms(query.words ?? '');
      return terms.length === 0 ? countLeads(db, query) : countSearched(db, query, terms);
    },
  };
}

const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

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
  conditions: ({ ownerId, responses = [], spam, email, ...query }) => [
    ...dayConditions(query),
    (bind) =>
      ownerId === undefined ? undefined : ownerId === null ? 'owner_id is null' : `owner_id = ${bind(ownerId)}`,
    () => {
      if (responses.length === 0) return undefined;
      // PostgreSQL cannot estimate how many leads have a value of `response`.
      if (!responses.every(isOpenResponse)) return `(${responses.map((each) => hasResponse(each)).join(' or ')})`;
      // The index of unanswered leads has these conditions.
      return `${needsAnswer} and (${responses.map((each) => startOf(each)).join(' or ')})`;
    },
    () => (spam === undefined ? undefined : `spam_sign is ${spam === 'only' ? 'not null' : 'null'}`),
    (bind) =>
      email === undefined ? undefined : `lower(email) = lower(${bind(email)}) and kind <> 'portfolio_request'`,
  ],
};

const isOpenResponse = (each: LeadResponse): boolean => ['waiting', 'soon', 'overdue'].includes(each);

/** Returns the condition of a response, see `response` in db/src/lead-clock.ts. */
function hasResponse(each: LeadResponse): string {
  if (each === 'none') return `not (${hasClock})`;
  if (each === 'answered') return `${hasClock} and ${isAnswered}`;
  return `${needsAnswer} and ${startOf(each)}`;
}

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
      (bind) =>
        email === undefined
          ? undefined
          : `exists (select from leads where id = lead_id and lower(email) = lower(${bind(email)}))`,
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
 * Returns a page without words. Each kind is read in its order and only up to the limit, because PostgreSQL would sort all
 * leads otherwise.
 */
async function pageOfLeads(db: Knex, query: LeadQuery, limit: number, after?: QueryPlace): Promise<StoredLead[]> {
  const { bind, values } = bindings();
  const order = `${orderOf(inLeads, query)} limit ${limit}`;
  const branches = branchesOf(query, afterPlace(inLeads, query, after), bind).map(
    (condition) => `(select * from leads where ${condition} ${order})`,
  );
  return read(db, `select ${leadColumns} from (${branches.join(' union all ')}) as leads ${order}`, values);
}

async function countLeads(db: Knex, query: LeadQuery): Promise<number> {
  const { bind, values } = bindings();
  const branches = branchesOf(query, afterPlace(inLeads, query), bind).map(
    (condition) => `select 1 from leads where ${condition}`,
  );
  return countUpTo(await read(db, countOf(branches.join(' union all ')), values));
}

/**
 * Returns the conditions of a query, one for each list that an index has in its order: leads of a kind, with a status if
 * the query has statuses or an owner. The leads that need an answer are one list.
 */
function branchesOf(query: LeadQuery, more: readonly Condition[], bind: Bind): string[] {
  const { statuses = [], responses = [], ownerId, sort } = query;
  const condition = allOf([...inLeads.conditions(query), ...more], bind);
  if (sort === 'due' || (responses.length > 0 && responses.every(isOpenResponse))) {
    const ofStatuses = statuses.length === 0 ? 'true' : `${newStatus} in (${quoted(statuses)})`;
    return [`kind in (${quoted(kindsOf(query))}) and ${ofStatuses} and ${condition}`];
  }
  const owned = ownerId !== undefined && ownerId !== null;
  const each = statuses.length > 0 ? statuses : owned ? leadStatuses : undefined;
  const ofStatuses = each?.map((one) => (owned ? `${newStatus} = '${one}'` : ofStatus(one))) ?? ['true'];
  return kindsOf(query).flatMap((kind) => ofStatuses.map((one) => `kind = '${kind}' and ${one} and ${condition}`));
}

/** Returns a condition as the partial index of statuses has it, which new leads are not in. */
const ofStatus = (one: LeadStatus): string =>
  one === 'new' ? `${newStatus} = 'new'` : `${newStatus} = '${one}' and ${newStatus} <> 'new'`;
const newStatus = `coalesce(status, 'new')`;

const kindsOf = ({ kinds = [] }: LeadQuery): readonly WorkedKind[] => (kinds.length === 0 ? workedKinds : kinds);

const countOf = (rows: string): string =>
  `select count(*)::integer as count from (${rows} limit ${maxCountedMatches + 1}) as found`;
const countUpTo = ([row]: readonly { readonly count: number }[]): number => row?.count ?? 0;

/** Returns the ids of a page of the leads with words, in no order. */
async function searchedIds(
  db: Knex,
  query: LeadQuery,
  terms: readonly SearchTerm[],
  limit: number,
  after?: QueryPlace,
): Promise<string[]> {
  const found = await lookThrough(db, query, terms, { ...lookAt, enough: limit }, after);
  if (found) return found.slice(0, limit);
  const { bind, values } = bindings();
  const condition = allOf([...searched(query, terms, 'by index'), ...afterPlace(inSearch, query, after)], bind);
  const rows = await readByIndex<{ id: string }>(
    db,
    `with found as materialized (select lead_id, created_at, clock_start from lead_search where ${condition})
     select lead_id as id from found ${orderOf(inSearch, query)} limit ${limit}`,
    values,
  );
  return rows.map(({ id }) => id);
}

async function countSearched(db: Knex, query: LeadQuery, terms: readonly SearchTerm[]): Promise<number> {
  const enough = maxCountedMatches + 1;
  const found = await lookThrough(db, query, terms, { ...countAt, enough });
  if (found) return Math.min(found.length, enough);
  const { bind, values } = bindings();
  const condition = allOf([...searched(query, terms, 'by index'), ...afterPlace(inSearch, query)], bind);
  return countUpTo(await readByIndex(db, countOf(`select 1 from lead_search where ${condition}`), values));
}

/**
 * Looks at leads one by one, in their order.
 * @returns the ids of those that match, in their order; undefined if they are not enough and there may be others
 */
async function lookThrough(
  db: Knex,
  query: LeadQuery,
  terms: readonly SearchTerm[],
  { first, more, promising, enough }: typeof lookAt & { readonly enough: number },
  after?: QueryPlace,
): Promise<string[] | undefined> {
  const order = orderOf(inSearch, query);
  for (const count of [first, more]) {
    const { bind, values } = bindings();
    const matches = allOf(searched(query, terms, 'one by one'), bind);
    const isInside = allOf([...dayConditions(query), ...afterPlace(inSearch, query, after)], bind);
    const [found] = await read<{ ids: string[] | null; looked: number }>(
      db,
      `select array_agg(lead_id ${order}) filter (where ${matches}) as ids, count(*)::integer as looked
       from (select * from lead_search where ${isInside} ${order} limit ${count}) as lead_search`,
      values,
    );
    const ids = found?.ids ?? [];
    const isAll = (found?.looked ?? 0) < count;
    if (isAll || ids.length >= enough) return ids;
    if (ids.length < promising) return undefined;
  }
  return undefined;
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

async function read<Row>(db: Knex, sql: string, values: Readonly<Record<string, Knex.Value>>): Promise<Row[]> {
  const { rows } = await reachDatabase(db.raw<{ rows: Row[] }>(sql, values));
  return rows;
}

/** Reads by the index of words, even if PostgreSQL expects other ways to be faster: it cannot estimate LIKE well. */
async function readByIndex<Row>(db: Knex, sql: string, values: Readonly<Record<string, Knex.Value>>): Promise<Row[]> {
  return reachDatabase(
    db.transaction(async (transaction) => {
      await transaction.raw(
        `select set_config(name, 'off', true) from unnest(array['enable_seqscan', 'enable_indexscan']) as setting (name)`,
      );
      return read<Row>(transaction, sql, values);
    }),
  );
}
