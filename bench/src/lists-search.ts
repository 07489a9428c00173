import { connectForMaintenance } from '@dune-tide/db/connection';
import { leadResponses, leadStatuses, workedKinds } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import { showProgress, table, type Goal } from './harness/report.ts';
import { median, percentile } from './harness/statistics.ts';

/*
 * Measures the search of staff: combinations of words and filters over HTTP.
 */

/** A system whose leads are searched. */
export interface SearchedOffice {
  readonly databaseUrl: string;
  /** Requests a path of the staff API. @throws if the status is not 200 */
  page(
    path: string,
  ): Promise<{ readonly leads: readonly { readonly id: string }[]; readonly next: string | undefined }>;
}

interface Measured {
  readonly first: number;
  readonly next: number | undefined;
}

const day = 86_400_000;
const goalMs = { median: 15, p95: 80 };

/** Rare words, names, common words, beginnings of words, two words, digits, Arabic. */
const words = ['', 'xqzjw', 'schmidt', 'noura', 'نور', 'gmbh', 'looking', 'years', 'we need', 'a', 'sa', '0115550'];

/**
 * Measures the search.
 * @param combinations - the number of combinations, chosen by chance but always the same
 * @returns the lines of the report, and the goals
 */
export async function measureSearch(
  office: SearchedOffice,
  combinations: number,
): Promise<{ readonly lines: readonly string[]; readonly goals: readonly Goal[] }> {
  const database = connectForMaintenance({ url: office.databaseUrl, applicationName: 'bench' });
  try {
    return await measureAll(office, database, combinations);
  } finally {
    await database.destroy();
  }
}

async function measureAll(
  office: SearchedOffice,
  database: Knex,
  combinations: number,
): ReturnType<typeof measureSearch> {
  const searches = await someSearches(database, combinations);
  for (const search of searches.slice(0, 50)) await measure(office, search);
  showProgress('Searching');
  const measured: Measured[] = [];
  for (const search of searches) measured.push(await measure(office, search));

  const firsts = measured.map(({ first }) => first);
  const nexts = measured.flatMap(({ next }) => next ?? []);
  return {
    lines: [
      `${searches.length.toLocaleString('en-US')} searches with words, kind, status, owner, response, spam mark, days and order, chosen by chance, each once.`,
      '',
      ...table(
        ['milliseconds', 'median', 'p95', 'slowest'],
        [
          ['first page and total', ...summary(firsts)],
          ['next page', ...summary(nexts)],
        ],
      ),
    ],
    goals: [...goalsOf('first page', firsts), ...goalsOf('next page', nexts)],
  };
}

const milliseconds = (value: number): string => value.toFixed(1);
const summary = (values: readonly number[]): string[] =>
  [median(values), percentile(values, 0.95), percentile(values, 1)].map(milliseconds);

function goalsOf(what: string, values: readonly number[]): Goal[] {
  const [middle, high] = [median(values), percentile(values, 0.95)];
  return [
    {
      what: `${what}, median`,
      goal: `≤ ${goalMs.median} ms`,
      found: `${milliseconds(middle)} ms`,
      isMet: middle <= goalMs.median,
    },
    { what: `${what}, p95`, goal: `≤ ${goalMs.p95} ms`, found: `${milliseconds(high)} ms`, isMet: high <= goalMs.p95 },
  ];
}

async function measure(office: SearchedOffice, search: string): Promise<Measured> {
  const since = performance.now();
  const { next } = await office.page(`/api/admin/leads?${search}`);
  const first = performance.now() - since;
  if (next === undefined) return { first, next };
  const then = performance.now();
  await office.page(next);
  return { first, next: performance.now() - then };
}

/** Returns query strings, the same ones for the same number and database. */
async function someSearches(database: Knex, count: number): Promise<string[]> {
  const owners = await database('staff').orderBy('created_at').limit(3).pluck<string[]>('id');
  const date = (ago: number): string => new Date(Date.now() - ago * day).toISOString().slice(0, 10);
  const choices: readonly (readonly [name: string, values: readonly (string | undefined)[]])[] = [
    ['q', words],
    ['kind', [undefined, undefined, ...workedKinds]],
    ['status', [undefined, undefined, ...leadStatuses]],
    ['owner', [undefined, undefined, 'none', ...owners]],
    ['response', [undefined, undefined, ...leadResponses]],
    ['spam', ['without', undefined, 'only']],
    ['from', [undefined, undefined, undefined, date(30), date(400)]],
    ['to', [undefined, undefined, undefined, date(20), date(390)]],
    ['sort', [undefined, undefined, 'due']],
  ];
  const random = randomNumbers(11);
  return Array.from({ length: count }, () => {
    const search = new URLSearchParams();
    for (const [name, values] of choices) {
      const value = values[Math.floor(random() * values.length)];
      if (value) search.set(name, value);
    }
    return search.toString();
  });
}

/** A linear congruential generator (Numerical Recipes). @returns a function that returns numbers from 0 to 1 */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
