import { readFile } from 'node:fs/promises';
import { followUpAdmin } from '@dune-tide/db/follow-ups';
import { measureTurn, startProduct, startReference, type Contender, type Turn } from './intake-contenders.ts';
import { backendGoal, loneGoal } from './harness/intake-goals.ts';
import { startLoadGenerator, contactMessage, type LoadGenerator } from './harness/load.ts';
import { describeMachine, watchMemory } from './harness/machine.ts';
import { prepareProduct, type Product } from './harness/product.ts';
import { queuedFollowUps } from '@dune-tide/testkit/queued-follow-ups';
import { goalTable, report, say, showProgress, spreadText, table, type Goal } from './harness/report.ts';
import { run, type Ends } from './harness/run.ts';
import { startServices, type Services } from './harness/services.ts';
import { backends, chosen, positiveNumber } from './harness/settings.ts';
import { median, ratios, spread } from './harness/statistics.ts';

/*
 * Measures how fast the product accepts leads by POST /api/contact with all its work: validation, rate limits, a log
 * file, the commit of lead and follow-up, and the job. It is compared with the limit of Node and PostgreSQL and with
 * the usual way, on one PostgreSQL with fsync and synchronous_commit on. The contenders take turns within each round.
 */

const parts = ['throughput', 'lone', 'memory'] as const;

const wanted = chosen('PARTS', parts);
const chosenBackends = chosen('BACKENDS', backends);
const rounds = positiveNumber('ROUNDS', 5);
const roundSeconds = positiveNumber('ROUND_SECONDS', 10);
const loneSeconds = positiveNumber('LONE_SECONDS', 5);
const warmUpSeconds = positiveNumber('WARM_UP_SECONDS', 5);
const connections = positiveNumber('CONNECTIONS', 64);
const memoryLeads = positiveNumber('MEMORY_LEADS', 500_000);

const memoryStep = 50_000;
/** Garbage collection changes resident memory by this factor. */
const tolerance = 1.05;

interface Field {
  readonly limit: Contender;
  readonly usual: readonly Contender[];
  readonly products: readonly Product[];
  readonly shipped: readonly Contender[];
}

await run(async (ends) => {
  const services = await startServices(ends);
  const machine = await describeMachine(services.versions);
  say(machine.join('\n'));
  const generator = ends.add(await startLoadGenerator(services.logFile('load')));
  const tell = (part: (typeof parts)[number], lines: readonly string[]): Promise<void> =>
    report(`bench-intake ${part}`, machine, lines);
  if (wanted.includes('throughput') || wanted.includes('lone')) {
    const field = await startField(services, ends);
    if (wanted.includes('throughput')) await tell('throughput', await throughput(generator, field, services));
    if (wanted.includes('lone')) await tell('lone', await lone(generator, field));
    const all = [field.limit, ...field.usual, ...field.shipped];
    await Promise.all(all.map(({ program }) => program.stop()));
  }
  if (wanted.includes('memory')) await tell('memory', await memory(services, generator, ends));
});

async function startField(services: Services, ends: Ends): Promise<Field> {
  const parties = { services, ends };
  const limit = await startReference(parties, { name: '(a) the limit', file: 'limit', databaseName: 'limit' });
  const usual: Contender[] = [];
  const products: Product[] = [];
  const shipped: Contender[] = [];
  for (const backend of chosenBackends) {
    const databaseName = `usual_${backend.toLowerCase()}`;
    const name = `(b) the usual way, ${backend}`;
    usual.push(await startReference(parties, { name, file: 'usual-way', databaseName, backend }));
    const product = ends.add(await prepareProduct(services, `product_${backend.toLowerCase()}`, backend));
    products.push(product);
    shipped.push(await startProduct(product, ends));
  }
  return { limit, usual, products, shipped };
}

type Turns = ReadonlyMap<Contender, readonly Turn[]>;

/** Measures the contenders in turns (A B C A B C …) after a warm-up of each. */
async function alternate(
  generator: LoadGenerator,
  contenders: readonly Contender[],
  load: { readonly connections: number; readonly seconds: number },
): Promise<Turns> {
  const turns = new Map<Contender, Turn[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) {
    showProgress(`Warming up ${contender.name}`);
    await measureTurn(generator, contender, { ...load, seconds: warmUpSeconds });
  }
  for (let round = 1; round <= rounds; round++) {
    for (const contender of contenders) {
      showProgress(`Round ${round} of ${rounds}, ${contender.name}`);
      const turn = await measureTurn(generator, contender, load);
      turns.get(contender)?.push(turn);
      say(
        `round ${round}  ${contender.name.padEnd(28)} ${turn.perSecond.toFixed(0).padStart(6)}/s  ` +
          `p50 ${turn.p50.toFixed(2)} ms  p99 ${turn.p99.toFixed(1)} ms  ${turn.machineTime.toFixed(3)} ms of the machine`,
      );
    }
  }
  return turns;
}

function rate({ perSecond }: Turn): number {
  return perSecond;
}

/** Returns one figure of each round. */
function each(turns: Turns, contender: Contender | undefined, pick: (turn: Turn) => number): number[] {
  return (contender && turns.get(contender)?.map(pick)) ?? [];
}

function turnTable(turns: Turns, limit: Contender): string[] {
  return table(
    ['contender', 'requests/s', '× (a)', 'p50 ms', 'p99 ms', 'machine ms/request', 'own ms/request', 'jobs behind s'],
    [...turns].map(([contender, own_]) => [
      contender.name,
      spreadText(spread(own_.map(rate)), 0),
      spreadText(spread(ratios(own_.map(rate), each(turns, limit, rate))), 2),
      spreadText(spread(own_.map(({ p50 }) => p50)), 2),
      spreadText(spread(own_.map(({ p99 }) => p99)), 1),
      spreadText(spread(own_.map(({ machineTime }) => machineTime)), 3),
      spreadText(spread(own_.map(({ ownTime }) => ownTime)), 3),
      median(own_.map(({ behind }) => behind)).toFixed(1),
    ]),
  );
}

async function throughput(generator: LoadGenerator, field: Field, services: Services): Promise<string[]> {
  const { limit, usual, shipped, products } = field;
  const pairs = usual.flatMap((contender, index) => [contender, shipped[index] ?? contender]);
  const turns = await alternate(generator, [limit, ...pairs], { connections, seconds: roundSeconds });

  const goals: Goal[] = [];
  const added: string[] = [];
  for (const [index, product] of products.entries()) {
    const [own_, other] = [shipped[index], usual[index]];
    const goal = (
      what: string,
      target: string,
      pick: (turn: Turn) => number,
      beside: Contender | undefined,
      isMet: (value: number) => boolean,
    ): void => {
      const found = spread(ratios(each(turns, own_, pick), each(turns, beside, pick)));
      const text = `${spreadText(found, 2)} ×`;
      goals.push({ what: `${what}, ${product.backend}`, goal: target, found: text, isMet: isMet(found.median) });
    };
    goal('requests per second', '≥ 1.0 × (a)', rate, limit, (value) => value >= 1);
    goal(
      'p99',
      '≤ 1.0 × (a)',
      ({ p99 }) => p99,
      limit,
      (value) => value <= 1,
    );
    goal(
      'time of the machine per request',
      '≤ 0.2 × (b)',
      ({ machineTime }) => machineTime,
      other,
      (v) => v <= 0.2,
    );
    added.push(await addedJobs(product));
  }
  const rates = new Map(products.map(({ backend }, index) => [backend, each(turns, shipped[index], rate)]));
  const [onPostgres, onRedis] = [rates.get('PostgreSQL'), rates.get('Redis')];
  if (onPostgres && onRedis) goals.push(backendGoal(onRedis, onPostgres));
  return [
    `### ${connections} connections`,
    '',
    `${rounds} rounds of ${roundSeconds} s, each contender after the other; medians (lowest–highest). Each lead requires one email. Each visitor has an address, an Idempotency-Key and a form token. No worker runs, so jobs stay in the queue. “own” is the processor time of the contender’s process; “jobs behind” is the time from its last response until its last job was added.`,
    '',
    ...turnTable(turns, limit),
    '',
    ...goalTable(goals),
    '',
    ...added,
    ...(await warnings(services, products)),
  ];
}

/** Reports how many jobs the API added. It leaves jobs to the sweep if the queue is slower than the leads arrive. */
async function addedJobs(product: Product): Promise<string> {
  const required = Object.values(await followUpAdmin(product.database).countByState()).reduce((sum, n) => sum + n, 0);
  const jobs = (await queuedFollowUps(product)).size;
  return `- ${product.backend}: ${jobs} of ${required} follow-ups have their job from the API (${((100 * jobs) / required).toFixed(1)} %); a sweep would find the rest.`;
}

async function lone(generator: LoadGenerator, { limit, usual, shipped }: Field): Promise<string[]> {
  const pairs = usual.flatMap((contender, index) => [contender, shipped[index] ?? contender]);
  const turns = await alternate(generator, [limit, ...pairs], { connections: 1, seconds: loneSeconds });
  const p50 = (turn: Turn): number => turn.p50;
  const goals = shipped.map((contender, index) =>
    loneGoal(contender.name, each(turns, contender, p50), each(turns, usual[index], p50)),
  );
  return ['### One connection', '', ...turnTable(turns, limit), '', ...goalTable(goals)];
}

/** Lists the warnings that the product logged under load, e.g. of rate limits that were not counted. */
async function warnings(services: Services, products: readonly Product[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { backend } of products) {
    const counts = new Map<string, number>();
    for (const line of (await readFile(services.logFile(`product_${backend.toLowerCase()}-api`), 'utf8')).split('\n')) {
      if (line.includes('"level":"info"') || line === '') continue;
      const message = /"msg":"([^"]*)"/.exec(line)?.[1] ?? line.slice(0, 80);
      counts.set(message, (counts.get(message) ?? 0) + 1);
    }
    const found = [...counts].map(([message, count]) => `“${message}” ${count} ×`).join(', ');
    lines.push(`- Warnings in the log of the API on ${backend}: ${found || 'none'}.`);
  }
  return lines;
}

async function memory(services: Services, generator: LoadGenerator, ends: Ends): Promise<string[]> {
  const step = Math.min(memoryStep, Math.floor(memoryLeads / 2));
  const columns: { backend: string; medians: number[]; highest: number[] }[] = [];
  for (const backend of chosenBackends) {
    const product = ends.add(await prepareProduct(services, `memory_${backend.toLowerCase()}`, backend));
    const contender = await startProduct(product, ends);
    const column = { backend, medians: [] as number[], highest: [] as number[] };
    for (let taken = 0; taken < memoryLeads; taken += step) {
      showProgress(`${backend}, ${taken} of ${memoryLeads} leads`);
      const stopWatching = watchMemory(contender.program.pid);
      await generator
        .send({
          ...contactMessage,
          url: contender.url,
          connections,
          requests: Math.min(step, memoryLeads - taken),
          ...(contender.formToken === undefined ? {} : { formToken: contender.formToken }),
        })
        .finally(stopWatching);
      const samples = stopWatching();
      column.medians.push(median(samples));
      column.highest.push(Math.max(...samples));
      say(`${backend}  ${taken + step} leads  ${median(samples).toFixed(0)} MB`);
    }
    await contender.program.stop();
    columns.push(column);
  }
  const steps = columns[0]?.medians.length ?? 0;
  return [
    `### Memory of the API over ${memoryLeads} leads`,
    '',
    `Resident memory in MB for every ${step} leads, over ${connections} connections: median (highest).`,
    '',
    ...table(
      ['leads', ...columns.map(({ backend }) => backend)],
      Array.from({ length: steps }, (_, index) => [
        String(Math.min(memoryLeads, (index + 1) * step)),
        ...columns.map(({ medians, highest }) => `${medians[index]?.toFixed(0)} (${highest[index]?.toFixed(0)})`),
      ]),
    ),
    '',
    ...goalTable(
      columns.map(({ backend, medians, highest }) => {
        const found = (medians.at(-1) ?? Number.NaN) / (highest[0] ?? Number.NaN);
        return {
          what: `memory over the last ${step}, ${backend}`,
          goal: `≤ ${tolerance} × the highest of the first`,
          found: `${found.toFixed(2)} ×`,
          isMet: found <= tolerance,
        };
      }),
    ),
  ];
}
