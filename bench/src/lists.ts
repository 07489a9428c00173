import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cursorBehind } from '@dune-tide/api/http/requests/pagination';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import pg from 'pg';
import { Client } from 'undici';
import { describeMachine, watchMemory } from './harness/machine.ts';
import { prepareProduct, type Product } from './harness/product.ts';
import type { Program } from './harness/program.ts';
import { goalTable, report, say, showProgress, spreadText, table, type Goal } from './harness/report.ts';
import { run, type Ends } from './harness/run.ts';
import { startServices, type Services } from './harness/services.ts';
import { chosen, positiveNumber } from './harness/settings.ts';
import { median, ratios, spread } from './harness/statistics.ts';
import { measureSearch, type SearchedOffice } from './lists-search.ts';

/*
 * Measures the first and the deepest page of the staff's lists and the counts, with few and with many leads. Both
 * products run concurrently, and each call is sent to one and then to the other.
 */

const fewLeads = positiveNumber('FEW_LEADS', 100_000);
const manyLeads = positiveNumber('MANY_LEADS', 1_000_000);
const rounds = positiveNumber('ROUNDS', 5);
const samples = positiveNumber('SAMPLES', 100);
/** The number of combinations of words and filters. */
const searches = positiveNumber('SEARCHES', 600);
const parts = chosen('PARTS', ['pages', 'search']);
/** The number of calls before the measurement, because the code of the API and of the benchmark is slow at first. */
const warmUpSamples = 2 * samples;
const pageSize = 100;
const seedLimitMs = 30 * 60_000;
const memoryTolerance = 1.1;

/** The product with a number of leads and a signed-in member of staff. */
interface Office {
  readonly leads: number;
  readonly product: Product;
  readonly api: Program;
  /** Requests a path of the staff API. @throws if the status is not 200 */
  get(path: string): Promise<unknown>;
  /** Requests a page of leads. @throws as `get` does */
  readonly page: SearchedOffice['page'];
}

/** A request or a query that is measured with few and with many leads. */
interface Question {
  readonly name: string;
  ask(office: Office): Promise<void>;
}

await run(async (ends) => {
  const services = await startServices(ends);
  const machine = await describeMachine(services.versions);
  say(machine.join('\n'));
  const many = await openOffice(services, ends, manyLeads);
  if (parts.includes('pages')) await measurePages(await openOffice(services, ends, fewLeads), many, machine);
  if (parts.includes('search')) {
    const { page, product } = many;
    const { lines, goals } = await measureSearch({ databaseUrl: product.databaseUrl, page }, searches);
    await report('bench-lists search', machine, [
      `${manyLeads.toLocaleString('en-US')} leads of \`make seed\`. ${lines[0]}`,
      ...lines.slice(1),
      '',
      ...goalTable(goals),
    ]);
  }
});

async function measurePages(few: Office, many: Office, machine: readonly string[]): Promise<void> {
  const pages = [...(await pageQuestions([few, many]))];
  const counts = countQuestions();
  await timesOf(pages, [few, many], warmUpSamples);
  await timesOf(counts, [few, many], warmUpSamples);
  const memory = { few: [] as number[], many: [] as number[] };
  const found = new Map<Question, { few: number[]; many: number[] }>();
  for (let round = 1; round <= rounds; round++) {
    showProgress(`Round ${round} of ${rounds}`);
    const stopWatching = { few: watchMemory(few.api.pid), many: watchMemory(many.api.pid) };
    for (const [question, [fewTimes, manyTimes]] of await timesOf([...pages, ...counts], [few, many], samples)) {
      const kept = found.get(question) ?? { few: [], many: [] };
      kept.few.push(median(fewTimes));
      kept.many.push(median(manyTimes));
      found.set(question, kept);
    }
    memory.few.push(median(stopWatching.few()));
    memory.many.push(median(stopWatching.many()));
    say(`round ${round} of ${rounds}`);
  }

  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const [question, times] of found) {
    const ratio = spread(ratios(times.many, times.few));
    rows.push([
      question.name,
      spreadText(spread(times.few), 2),
      spreadText(spread(times.many), 2),
      spreadText(ratio, 2),
    ]);
    if (counts.includes(question)) {
      const milliseconds = spread(times.many);
      const text = `${spreadText(milliseconds, 2)} ms`;
      goals.push({ what: question.name, goal: '≤ 2 ms', found: text, isMet: milliseconds.median <= 2 });
    } else {
      const text = `${spreadText(ratio, 2)} ×`;
      goals.push({ what: question.name, goal: '≤ 1.3 ×', found: text, isMet: ratio.median <= 1.3 });
    }
  }
  const flat = (what: string, growth: number): Goal => ({
    what,
    goal: `≤ ${memoryTolerance} ×`,
    found: `${growth.toFixed(2)} ×`,
    isMet: growth <= memoryTolerance,
  });
  const [manyFirst = Number.NaN, manyLast = Number.NaN] = [memory.many[0], memory.many.at(-1)];
  goals.push(
    flat('memory of the API, many ÷ few', manyLast / (memory.few.at(-1) ?? Number.NaN)),
    flat('memory of the API, the last round ÷ the first', manyLast / manyFirst),
  );
  await report('bench-lists pages', machine, [
    `Milliseconds with ${fewLeads.toLocaleString('en-US')} and with ${manyLeads.toLocaleString('en-US')} leads of \`make seed\`, ${rounds} rounds of ${samples} calls, each call to one and then to the other: the medians of the rounds (lowest–highest). Pages have ${pageSize} entries and are requested from the API with a session.`,
    '',
    ...table(['what', 'few', 'many', 'many ÷ few'], rows),
    '',
    ...table(
      ['memory of the API in MB, median of round', ...memory.few.map((_, index) => String(index + 1))],
      [
        [`${fewLeads.toLocaleString('en-US')} leads`, ...memory.few.map((megabytes) => megabytes.toFixed(0))],
        [`${manyLeads.toLocaleString('en-US')} leads`, ...memory.many.map((megabytes) => megabytes.toFixed(0))],
      ],
    ),
    '',
    ...goalTable(goals),
  ]);
}

async function openOffice(services: Services, ends: Ends, leads: number): Promise<Office> {
  const product = ends.add(await prepareProduct(services, `leads_${leads}`, 'PostgreSQL'));
  const member = await addAccount(product.database);
  for (let colleague = 0; colleague < 9; colleague++) await addAccount(product.database);
  const seed = fileURLToPath(new URL('../../local/dist/src/seed-main.js', import.meta.url));
  const { host, pathname } = new URL(product.databaseUrl);
  showProgress(`Storing ${leads.toLocaleString('en-US')} leads`);
  const { stdout } = await promisify(execFile)(process.execPath, [seed], {
    env: { PATH: process.env['PATH'], DATABASE_URL: product.databaseUrl, SEED_INTO: host + pathname, N: String(leads) },
    timeout: seedLimitMs,
  });
  say(stdout.trim());
  await tidy(product.databaseUrl);
  const api = ends.add(await product.startApi());
  const client = new Client(product.url);
  ends.add({ stop: () => client.close() });
  const cookie = await signIn(product, member);
  return {
    leads,
    product,
    api,
    get: async (path) => (await request(path)).body,
    async page(path) {
      const { body: response, link } = await request(path);
      return { leads: response as { id: string }[], next: /^<([^>]+)>/.exec(link)?.[1] };
    },
  };

  async function request(path: string): Promise<{ readonly body: unknown; readonly link: string }> {
    const { statusCode, headers, body } = await client.request({ path, method: 'GET', headers: { cookie } });
    const response = await body.json();
    if (statusCode !== 200) throw new Error(`GET ${path} returned ${statusCode}`);
    return { body: response, link: String(headers['link'] ?? '') };
  }
}

/** Vacuums and analyses now, because autovacuum would do it a minute later, during the measurement. */
async function tidy(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  await client.end();
}

async function signIn({ url }: Product, member: { username: string; password: string }): Promise<string> {
  const response = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: member.username, password: member.password }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`The sign-in returned ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Returns the requests for the first and the deepest page of each list. */
async function pageQuestions(offices: readonly Office[]): Promise<Question[]> {
  const lists = [
    { name: 'contacts', path: '/contacts?', list: 'contact', table: 'leads', where: { kind: 'contact' } },
    {
      name: 'service inquiries',
      path: '/service-inquiries?',
      list: 'service_inquiry',
      table: 'leads',
      where: { kind: 'service_inquiry' },
    },
    {
      name: 'careers',
      path: '/careers?',
      list: 'career_application',
      table: 'leads',
      where: { kind: 'career_application' },
    },
    {
      name: 'follow-ups sent',
      path: '/follow-ups?state=sent&',
      list: 'follow-ups sent newest',
      table: 'follow_ups',
      where: { state: 'sent' },
    },
  ] as const;
  const questions: Question[] = [];
  for (const { name, path, list, table: rows, where } of lists) {
    const first = `/api/admin${path}limit=${pageSize}`;
    const deepest = new Map<Office, string>();
    for (const office of offices) {
      const place = await office.product
        .database(rows)
        .where(where)
        .orderBy([{ column: 'created_at' }, { column: 'id' }])
        .offset(pageSize)
        .first<{ createdAt: Date; id: string } | undefined>({ createdAt: 'created_at', id: 'id' });
      if (!place) throw new Error(`The list has only one page: ${name}`);
      deepest.set(office, `${first}&cursor=${cursorBehind(list, place)}`);
    }
    const page = async (office: Office, address: string): Promise<void> => {
      const response = (await office.get(address)) as unknown[];
      if (response.length !== pageSize) throw new Error(`${name}: ${response.length} rows instead of ${pageSize}`);
    };
    questions.push(
      { name: `${name}, first page`, ask: (office) => page(office, first) },
      { name: `${name}, deepest page`, ask: (office) => page(office, deepest.get(office) ?? '') },
    );
  }
  return questions;
}

function countQuestions(): Question[] {
  const get = (path: string) => async (office: Office) => void (await office.get(`/api/admin${path}`));
  return [
    { name: 'counts of the dashboard', ask: get('/stats') },
    { name: 'counts of the follow-ups', ask: get('/follow-ups/counts') },
  ];
}

/** @returns the milliseconds of each question with few and with many leads */
async function timesOf(
  questions: readonly Question[],
  [few, many]: readonly [Office, Office],
  count: number,
): Promise<Map<Question, readonly [number[], number[]]>> {
  const times = new Map<Question, readonly [number[], number[]]>();
  for (const question of questions) {
    const own: readonly [number[], number[]] = [[], []];
    for (let sample = 0; sample < count; sample++) {
      for (const [index, office] of [few, many].entries()) {
        const since = performance.now();
        await question.ask(office);
        own[index]?.push(performance.now() - since);
      }
    }
    times.set(question, own);
  }
  return times;
}
