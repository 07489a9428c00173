import {
  leadDefinitions,
  leadStatuses,
  workedKinds,
  type LeadResponse,
  type LeadStatus,
  type WorkedKind,
} from '@dune-tide/domain/leads';
import { maxCountedMatches } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import { isAnswered, needsAnswer, quoted, workStatus } from '../lead-expressions/index.ts';
import { leadColumns, type StoredLead } from './lists.ts';
import {
  afterPlace,
  allOf,
  bindings,
  inLeads,
  isOpenResponse,
  orderOf,
  startOf,
  type Bind,
  type Condition,
  type LeadQuery,
  type QueryPlace,
} from './search-conditions.ts';
import { countOf, countUpTo, reading } from './search-reading.ts';

/**
 * Returns a page without words. Each list of `listsOf` is read in its order and only up to the limit, because PostgreSQL
 * would sort all leads otherwise.
 */
export async function pageOfLeads(
  db: Knex,
  query: LeadQuery,
  limit: number,
  after?: QueryPlace,
): Promise<StoredLead[]> {
  const { bind, values } = bindings();
  const order = orderOf(inLeads, query);
  const lists = listsOf(query, afterPlace(inLeads, query, after), bind);
  if (lists.length === 0) return [];
  const found = `select id from (${together(lists, query, limit)}) as found ${order} limit ${limit}`;
  return reading(db, (read) =>
    read('order', `select ${leadColumns} from leads where id in (${found}) ${order}`, values),
  );
}

export async function countLeads(db: Knex, query: LeadQuery): Promise<number> {
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
