import { connectForMaintenance } from '@dune-tide/db/connection';
import { leadSearchIndex } from '@dune-tide/db/leads';
import { leadResponses, leadStatuses, workedKinds } from '@dune-tide/domain/leads';
import { storeLeads, type TestLead } from '@dune-tide/testkit/leads';
import type { Knex } from 'knex';
import { say, showProgress, table, type Goal } from './harness/report.ts';
import { median, percentile } from './harness/statistics.ts';

/*
 * Measures the search of staff: combinations of words and filters over HTTP, the slowest of them by name, people of whom
 * staff know little, and what a search without its tables takes.
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
  readonly search: string;
  readonly first: number;
  readonly next: number | undefined;
}

const day = 86_400_000;
const goalMs = { median: 15, p95: 80 };
/** The number of times that each of the slowest combinations is measured again. */
const again = 11;
const slowest = 8;

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
  const people = await storePeople(database);
  await makeSearchable(database);
  const searches = await someSearches(database, combinations);
  for (const search of searches.slice(0, 50)) await measure(office, search);
  showProgress('Searching');
  const measured: Measured[] = [];
  for (const search of searches) measured.push(await measure(office, search));
  const worst = measured.toSorted((a, b) => b.first - a.first).slice(0, slowest);
  const worstRows: string[][] = [];
  for (const { search } of worst) {
    const times: Measured[] = [];
    for (let time = 0; time < again; time++) times.push(await measure(office, search));
    const firsts = times.map(({ first }) => first);
    worstRows.push([decodeURIComponent(search), ...[median(firsts), percentile(firsts, 1)].map(milliseconds)]);
  }
  const found: string[][] = [];
  for (const person of people) found.push(await findPerson(office, person));
  const oldWay = [];
  for (const word of ['xqzjw', 'looking']) oldWay.push([`%${word}%`, milliseconds(await oldSearch(database, word))]);

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
      '',
      `The slowest of them, ${again} times:`,
      '',
      ...table(['search', 'median', 'slowest'], worstRows),
      '',
      'Half-remembered people, and where they are on the first page:',
      '',
      ...table(['remembered', 'search', 'place', 'ms'], found),
      '',
      'The newest 100 leads by `answers::text ilike`, for comparison:',
      '',
      ...table(['pattern', 'ms'], oldWay),
    ],
    goals: [
      ...goalsOf('first page', firsts),
      ...goalsOf('next page', nexts),
      {
        what: 'people found on the first page',
        goal: `${people.length}`,
        found: String(found.filter(([, , place]) => place !== '–').length),
        isMet: found.every(([, , place]) => place !== '–'),
      },
    ],
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
  if (next === undefined) return { search, first, next };
  const then = performance.now();
  await office.page(next);
  return { search, first, next: performance.now() - then };
}

/** Makes all leads searchable. Indexes are built afterwards, which takes a third of the time. */
async function makeSearchable(database: Knex): Promise<void> {
  const { rows } = await database.raw<{ rows: { name: string; definition: string }[] }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'lead_search' and indexname <> 'lead_search_pkey'`,
  );
  for (const { name } of rows) await database.raw(`drop index ${name}`);
  const index = leadSearchIndex(database);
  let filled = 0;
  for (let before: string | undefined; ;) {
    const step = await index.fillOlder(before);
    filled += step.filled;
    showProgress(`Making leads searchable: ${filled.toLocaleString('en-US')}`);
    if (step.next === undefined) break;
    before = step.next;
  }
  for (const { name, definition } of rows) {
    showProgress(`Building ${name}`);
    await database.raw(definition);
  }
  await database.raw('vacuum (analyze) lead_search');
  say(`${filled.toLocaleString('en-US')} leads made searchable`);
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

/** A person of whom staff know a few letters, or something to filter by. */
interface Person {
  readonly remembered: string;
  readonly search: Readonly<Record<string, string>>;
  readonly lead: TestLead & { readonly id: string };
}

async function storePeople(database: Knex): Promise<Person[]> {
  const people = somePeople();
  await storeLeads(
    database,
    people.map(({ lead }) => lead),
  );
  const held = people.filter(({ search }) => search['spam'] === 'only').map(({ lead }) => lead.id);
  await database('leads').whereIn('id', held).update({ spam_sign: 'too_fast' });
  return people;
}

function somePeople(): Person[] {
  let ago = 13;
  const at = (): Pick<TestLead, 'createdAt'> => ({ createdAt: new Date(Date.now() - (ago += 71) * day) });
  const person = (remembered: string, search: Person['search'], lead: TestLead): Person => {
    return { remembered, search, lead: { ...at(), ...lead, id: globalThis.crypto.randomUUID() } };
  };
  const inquiry = (name: string, company: string, projectDetails: string, phone: string, email: string): TestLead => ({
    kind: 'service_inquiry',
    email,
    answers: {
      name,
      company,
      phone,
      projectDetails,
      service: 'B2B Email Marketing',
      serviceType: 'Lead Generation',
      budget: '$3,000-$5,000/month',
      timeframe: '3-6 months',
      urgency: 'Medium - Steady growth',
    },
  });
  const contact = (firstName: string, lastName: string, message: string, email: string): TestLead => {
    return { kind: 'contact', email, answers: { firstName, lastName, service: 'ugc', message } };
  };
  const applied = (firstName: string, lastName: string, position: string, coverLetter: string): TestLead => ({
    kind: 'career_application',
    email: `${firstName}@applicants.example`,
    answers: { firstName, lastName, phone: '+27 82 555 0199', position, experience: 'mid', coverLetter },
  });
  const pastDay = new Date(Date.now() - 501 * day).toISOString().slice(0, 10);
  return [
    person(
      'the woman from the perfume company',
      { q: 'attar' },
      inquiry('Hessa al-Dosari', 'Attar & Oud Perfumery', 'We sell oils.', '+966 55 718 2391', 'hessa@attar.example'),
    ),
    person('a name, in Arabic', { q: 'غنيمة' }, contact('غَنيمة', 'الدوسري', 'نريد مقاطع قصيرة.', 'g@majlis.example')),
    person(
      'digits of a phone number',
      { q: '713942' },
      inquiry('Pieter Botha', 'Botha Boats', 'We build boats.', '(021) 371-3942', 'pieter@boats.example'),
    ),
    person('an Irish name', { q: "o'gorm" }, contact('Siobhán', 'O’Gorman', 'Hello there, studio.', 's@example.com')),
    person('a name with an accent', { q: 'ngugi' }, contact('Wanjiru', 'Ngũgĩ', 'Good morning.', 'w@example.com')),
    person('a part of a company', { q: 'falcn' }, inquiry('Ana', 'Blufalcn', 'We fly.', '0555550101', 'a@bf.example')),
    person('the host of an address', { q: 'zaytun' }, contact('Maha', 'Said', 'A short note.', 'maha@zaytuna.example')),
    person('what the message was about', { q: 'beekee' }, contact('Jo', 'Li', 'I am a beekeeper.', 'jo@example.com')),
    person('an unusual position', { q: 'taxide' }, applied('Themba', 'Dube', 'Taxidermist', 'Dear studio, hire me.')),
    person(
      'an application that was held as spam, and the day',
      { from: pastDay, to: pastDay, spam: 'only' },
      { ...applied('Yara', 'Haddad', 'Editor', 'Dear studio.'), createdAt: new Date(`${pastDay}T09:00:00Z`) },
    ),
  ];
}

async function findPerson(office: SearchedOffice, { remembered, search, lead }: Person): Promise<string[]> {
  const query = new URLSearchParams(search).toString();
  const times: number[] = [];
  let place = -1;
  for (let time = 0; time < again; time++) {
    const since = performance.now();
    const { leads } = await office.page(`/api/admin/leads?${query}`);
    times.push(performance.now() - since);
    place = leads.findIndex(({ id }) => id === lead.id);
  }
  const shown = Object.values(search).join(', ');
  return [remembered, shown, place < 0 ? '–' : String(place + 1), milliseconds(median(times))];
}

/** Returns the milliseconds of a search in the answers themselves. */
async function oldSearch(database: Knex, word: string): Promise<number> {
  const since = performance.now();
  await database.raw(
    `select id from leads where kind <> 'portfolio_request' and answers::text ilike ? order by created_at desc limit 100`,
    [`%${word}%`],
  );
  return performance.now() - since;
}
