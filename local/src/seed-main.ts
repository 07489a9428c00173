import { resolve } from 'node:path';
import { describeOutage } from '@dune-tide/db/describe-outage';
import { connectDatabase, connectForMaintenance } from '@dune-tide/db/connect';
import { migrateUp } from '@dune-tide/db/migrate';
import { checkReadiness } from '@dune-tide/db/readiness';
import { analyzeLeads, storeSettledLeads, type SettledLead } from '@dune-tide/db/settled-leads';
import { DatabaseUnavailableError } from '@dune-tide/db/unavailable';
import { brand } from '@dune-tide/domain/brand';
import { readSettings, SettingsError } from '@dune-tide/platform/settings';
import { ClusterError } from './cluster.ts';
import { runningDatabaseUrl, startLocalDatabase } from './local-database.ts';
import { sampleLeads, type SampleOptions } from './seed/sample-leads.ts';
import { rejectArguments } from './reject-arguments.ts';

/** Large enough that a statement's own cost does not show, small enough for its time limit on a slow machine. */
const batchSize = 500;

/** Statements under way at once: the database works on one while the next is made. */
const lanes = 2;

type Database = ReturnType<typeof connectDatabase>;

try {
  rejectArguments('N, SEED and SEED_INTO are settings, as in make seed N=100');
  const { DATABASE_URL, DATA_DIRECTORY, DATABASE_PORT, N, SEED, SEED_INTO } = readSettings(process.env, {
    required: [],
    optional: ['DATABASE_URL', 'DATA_DIRECTORY', 'DATABASE_PORT', 'N', 'SEED', 'SEED_INTO'],
  });
  if (DATABASE_URL !== undefined) requireMeant(DATABASE_URL, SEED_INTO);
  const local = await openDatabase(DATABASE_URL, resolve(DATA_DIRECTORY), DATABASE_PORT);
  try {
    if (DATABASE_URL === undefined) await migrate(local.databaseUrl);
    await seed(local.databaseUrl, { count: N, seed: SEED, until: new Date() });
  } finally {
    await local.stop();
  }
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (error instanceof DatabaseUnavailableError) return describeOutage(error);
  if (error instanceof SettingsError || error instanceof ClusterError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Nobody can tell made-up leads from real ones, or take them out again. @throws {SettingsError} */
function requireMeant(databaseUrl: string, meant: string | undefined): void {
  const target = targetOf(databaseUrl);
  if (meant === target) return;
  throw new SettingsError(
    `DATABASE_URL is set, so the leads would go into ${target} and not into the database of make run. They cannot be taken out again. If that is meant: make seed SEED_INTO=${target}`,
  );
}

function targetOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return host + pathname;
}

/** The database that is named, or the local stack's, started for as long as it takes unless it runs. */
async function openDatabase(
  named: string | undefined,
  dataDirectory: string,
  port: number,
): Promise<{ readonly databaseUrl: string; stop(): Promise<void> }> {
  const databaseUrl = named ?? (await runningDatabaseUrl(dataDirectory));
  if (databaseUrl !== undefined) return { databaseUrl, stop: async () => undefined };
  return startLocalDatabase(dataDirectory, port);
}

async function seed(databaseUrl: string, options: SampleOptions): Promise<void> {
  const started = performance.now();
  const database = connectDatabase({ url: databaseUrl, applicationName: 'seed', poolSize: lanes });
  try {
    await checkReadiness(database);
    await store(database, sampleLeads(options));
    await analyzeLeads(database);
  } finally {
    await database.destroy();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(
    `Stored ${options.count.toLocaleString('en-US')} leads in ${targetOf(databaseUrl)} (seed ${options.seed}, ${seconds} s); none of them is mailed.\n`,
  );
}

/** On a connection of its own: the pool's time limits would cut the migration of a full database off. */
async function migrate(databaseUrl: string): Promise<void> {
  const database = connectForMaintenance({ url: databaseUrl, applicationName: 'seed' });
  try {
    await migrateUp(database);
  } finally {
    await database.destroy();
  }
}

async function store(database: Database, leads: Generator<SettledLead>): Promise<void> {
  const storeBatches = async (): Promise<void> => {
    for (let batch = [...take(leads, batchSize)]; batch.length > 0; batch = [...take(leads, batchSize)]) {
      await storeSettledLeads(database, brand.mailDomain, batch);
    }
  };
  await Promise.all(Array.from({ length: lanes }, storeBatches));
}

/** Leaves the rest for the next call, which a `for … of` that is broken off would not. */
function* take<Item>(items: Iterator<Item>, count: number): Generator<Item> {
  for (let taken = 0; taken < count; taken++) {
    const { done, value } = items.next();
    if (done === true) return;
    yield value;
  }
}
