import { setTimeout as pause } from 'node:timers/promises';
import { migrateQueue } from '@dune-tide/platform/queue/migrate';
import { connectDatabase } from '@dune-tide/db/connection';
import { freePort } from '@dune-tide/local/ports';
import { machineTime, processTime } from './harness/machine.ts';
import { contactMessage, type LoadGenerator, type LoadResult } from './harness/load.ts';
import type { Product } from './harness/product.ts';
import { queuedFollowUps } from '@dune-tide/testkit/queued-follow-ups';
import { startProgram, type Program } from './harness/program.ts';
import type { Ends } from './harness/run.ts';
import type { Services } from './harness/services.ts';
import type { Backend } from './harness/settings.ts';

/** A server that accepts leads. */
export interface Contender {
  readonly name: string;
  readonly url: string;
  readonly program: Program;
  readonly formToken?: string;
  /** Returns the number of leads in its database. */
  stored(): Promise<number>;
  /** Waits for the work after the last response. @returns when that ended, by `performance.now()` */
  settle(): Promise<number>;
}

/** The results of one contender in one round. */
export interface Turn extends LoadResult {
  readonly perSecond: number;
  /** Seconds from the last response until all work for those leads was done. */
  readonly behind: number;
  /** Processor time per request in milliseconds, of the whole machine and of the contender's process. */
  readonly machineTime: number;
  readonly ownTime: number;
}

/** Starts a small server of bench/src/contenders with its own database. */
export async function startReference(
  { services, ends }: { readonly services: Services; readonly ends: Ends },
  { name, file, databaseName, backend }: { name: string; file: string; databaseName: string; backend?: Backend },
): Promise<Contender> {
  const databaseUrl = await services.createDatabase(databaseName);
  const environment: Record<string, string> = {
    PORT: String(await freePort(0, '127.0.0.1')),
    DATABASE_URL: databaseUrl,
    ...(backend === 'Redis' && { REDIS_URL: services.redisDatabase() }),
  };
  if (backend === 'PostgreSQL') await migrateQueue({ databaseUrl });
  const database = connectDatabase({ url: databaseUrl, applicationName: 'bench', poolSize: 1 });
  ends.add({ stop: () => database.destroy() });
  const program = await startProgram({
    file: `bench/src/contenders/${file}.ts`,
    environment,
    logFile: services.logFile(`${file}-${backend ?? ''}`),
  });
  ends.add(program);
  return {
    name,
    url: `http://127.0.0.1:${environment['PORT']}`,
    program,
    stored: () => countLeads(database),
    settle: async () => performance.now(),
  };
}

/** Starts the product's API without a worker, so that its jobs stay in the queue. */
export async function startProduct(product: Product, ends: Ends): Promise<Contender> {
  const program = ends.add(await product.startApi());
  return {
    name: `the product, ${product.backend}`,
    url: product.url,
    program,
    formToken: await product.formToken(),
    stored: () => countLeads(product.database),
    settle: () => untilJobsStay(product),
  };
}

async function countLeads(database: ReturnType<typeof connectDatabase>): Promise<number> {
  const { rows } = await database.raw<{ rows: { count: string }[] }>('select count(*) from leads');
  return Number(rows[0]?.count);
}

/** Waits until the number of jobs is stable. The API adds jobs after the response and may leave some to the sweep. */
async function untilJobsStay(product: Product): Promise<number> {
  let lastChange = performance.now();
  let jobs = (await queuedFollowUps(product)).size;
  for (let same = 0; same < 3; same++) {
    await pause(100);
    const now = (await queuedFollowUps(product)).size;
    if (now === jobs) continue;
    same = -1;
    jobs = now;
    lastChange = performance.now();
  }
  return lastChange;
}

/** Measures one contender under load and checks that it has stored each lead that it acknowledged. */
export async function measureTurn(
  generator: LoadGenerator,
  contender: Contender,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<Turn> {
  const storedBefore = await contender.stored();
  const before = { machine: await machineTime(), own: await processTime(contender.program.pid) };
  const load = await generator.send({
    ...contactMessage,
    url: contender.url,
    connections,
    seconds,
    ...(contender.formToken === undefined ? {} : { formToken: contender.formToken }),
  });
  const responded = performance.now();
  const behind = ((await contender.settle()) - responded) / 1_000;
  const after = { machine: await machineTime(), own: await processTime(contender.program.pid) };
  const stored = (await contender.stored()) - storedBefore;
  if (stored !== load.requests) {
    throw new Error(`${contender.name} acknowledged ${load.requests} leads and stored ${stored}`);
  }
  return {
    ...load,
    perSecond: load.requests / load.seconds,
    behind,
    machineTime: (after.machine - before.machine) / load.requests,
    ownTime: (after.own - before.own) / load.requests,
  };
}
