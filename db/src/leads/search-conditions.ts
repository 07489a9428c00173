import type { LeadResponse, LeadStatus, WorkedKind } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import { clockStart, needsAnswer, overdueBefore, promised, quoted, soonUntil } from '../lead-expressions/index.ts';

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
  /** The id of the account for which they are marked (docs/PRODUCT.md, "Notifications"). */
  readonly markedFor?: string | undefined;
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
export type Bind = (value: Knex.Value) => string;

/** Returns a condition in SQL; undefined if it is always true. */
export type Condition = (bind: Bind) => string | undefined;

/** The columns by which a query filters, in `leads` or in `lead_search`. */
interface Source {
  readonly table: string;
  readonly id: string;
  readonly clockStart: string;
  readonly isOpen: string;
  readonly conditions: (query: LeadQuery) => readonly Condition[];
}

/** The interval of the days of a query. */
export const dayConditions = ({ from, to, timeZone }: LeadQuery): readonly Condition[] => {
  const start = (day: string, bind: Bind, days: number): string =>
    `(${bind(day)}::date + ${days})::timestamp at time zone ${bind(timeZone)}`;
  return [
    (bind) => (from === undefined ? undefined : `created_at >= ${start(from, bind, 0)}`),
    (bind) => (to === undefined ? undefined : `created_at < ${start(to, bind, 1)}`),
  ];
};

/** PostgreSQL reads the few marked leads by their ids, instead of all leads in their order. */
const isMarked =
  (id: string, staffId: string | undefined): Condition =>
  (bind) =>
    staffId &&
    `${id} = any (array(select lead_id from lead_notifications where staff_id = ${bind(staffId)} and withdrawn_at is null))`;

export const inLeads: Source = {
  table: 'leads',
  id: 'id',
  clockStart,
  isOpen: needsAnswer,
  conditions: ({ ownerId, spam, markedFor, ...query }) => [
    ...dayConditions(query),
    isMarked('id', markedFor),
    (bind) =>
      ownerId === undefined ? undefined : ownerId === null ? 'owner_id is null' : `owner_id = ${bind(ownerId)}`,
    () => (spam === undefined ? undefined : `spam_sign is ${spam === 'only' ? 'not null' : 'null'}`),
  ],
};

export const isOpenResponse = (each: LeadResponse): boolean => ['waiting', 'soon', 'overdue'].includes(each);

/** The time at which the clock of a lead that needs an answer must have started. */
export function startOf(each: LeadResponse): string {
  if (each === 'overdue') return `${clockStart} < ${overdueBefore}`;
  if (each === 'soon') return `${clockStart} >= ${overdueBefore} and ${clockStart} <= ${soonUntil}`;
  return `${clockStart} > ${soonUntil}`;
}

export const inSearch: Source = {
  table: 'lead_search',
  id: 'lead_id',
  clockStart: 'clock_start',
  isOpen: 'clock_start is not null',
  conditions: ({ kinds = [], statuses = [], ownerId, responses = [], spam, email, markedFor, ...query }) => {
    const tagged = (...tags: string[]): Condition => {
      return (bind) => (tags.length === 0 ? undefined : `tags && ${bind(tags)}::text[]`);
    };
    return [
      ...dayConditions(query),
      isMarked('lead_id', markedFor),
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
export function bindings(): { readonly bind: Bind; readonly values: Record<string, Knex.Value> } {
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

export function allOf(conditions: readonly Condition[], bind: Bind): string {
  const written = conditions.flatMap((condition) => condition(bind) ?? []);
  return written.length === 0 ? 'true' : written.join(' and ');
}

export function orderOf({ id, clockStart: start }: Source, { sort }: LeadQuery): string {
  return sort === 'due' ? `order by ${start}, ${id}` : `order by created_at desc, ${id} desc`;
}

/** Selects what comes after a place, and for the order by due times what needs an answer. */
export function afterPlace(
  { id, clockStart: start, isOpen }: Source,
  { sort }: LeadQuery,
  after?: QueryPlace,
): Condition[] {
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
