import { resolve } from 'node:path';
import { staffAccounts } from '@dune-tide/db/accounts';
import { describeOutage, connectForMaintenance, DatabaseUnavailableError } from '@dune-tide/db/connection';
import { leadSearchIndex, analyzeLeads, storeSettledLeads, type SettledLead } from '@dune-tide/db/leads';
import { checkReadiness, MigrationHistoryError, migrateUp } from '@dune-tide/db/schema';
import { brand } from '@dune-tide/domain/brand';
import { createProgress, progressOf } from '@dune-tide/platform/progress';
import { rejectMisspelledSettings } from '@dune-tide/platform/setting-names';
import { readSettings, SettingsError } from '@dune-tide/platform/settings';
import { ClusterError } from './cluster.ts';
import { runningDatabaseUrl, startLocalDatabase } from './local-database.ts';
import { sampleLeads, type SampleOptions } from './seed/sample-leads.ts';
import { rejectArguments } from './reject-arguments.ts';

/** Leads per statement, enough that the cost of a statement itself does not matter. */
const batchSize = 500;

/** Concurrent statements, so that the next batch is generated while the database stores one. */
const lanes = 2;

type Database = ReturnType<typeof connectForMaintenance>;

const progress = createProgress();
const interruption = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Batches that have started are stored first. A second signal does not wait for them.
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort();
    process.exitCode = 130;
  });
}

try {
  rejectArguments('N, SEED and SEED_INTO are settings, as in make seed N=100');
  rejectMisspelledSettings(process.env);
  const { DATABASE_URL, DATA_DIRECTORY, DATABASE_PORT, N, SEED, SEED_INTO } = readSettings(process.env, {
    required: [],
    optional: ['DATABASE_URL', 'DATA_DIRECTORY', 'DATABASE_PORT', 'N', 'SEED', 'SEED_INTO'],
  });
  if (DATABASE_URL !== undefined) requireMeant(DATABASE_URL, SEED_INTO);
  progress.show('Opening the database');
  const local = await openDatabase(DATABASE_URL, resolve(DATA_DIRECTORY), DATABASE_PORT);
  try {
    if (DATABASE_URL === undefined) await migrate(local.databaseUrl);
    await seed(local.databaseUrl, { count: N, seed: SEED, until: new Date() });
  } finally {
    await local.stop();
  }
} catch (error) {
  progress.clear();
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (error instanceof DatabaseUnavailableError) return describeOutage(error);
  if (error instanceof SettingsError || error instanceof ClusterError || error instanceof MigrationHistoryError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Protects other databases, from which sample leads could not be removed again. @throws {SettingsError} */
function requireMeant(databaseUrl: string, meant: string | undefined): void {
  const target = targetOf(databaseUrl);
  if (meant === target) return;
  throw new SettingsError(
    `DATABASE_URL is set, so the leads would be stored in ${target} and not in the database of make run. They cannot be removed again. To store them there anyway: make seed SEED_INTO=${target}`,
  );
}

function targetOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return host + pathname;
}

/** Opens the named database, or that of the local stack. Starts the stack's server if it is not running. */
async function openDatabase(
  named: string | undefined,
  dataDirectory: string,
  port: number,
): Promise<{ readonly databaseUrl: string; stop(): Promise<void> }> {
  // The owner, because the seed also migrates the local database and updates the statistics of its tables.
  const databaseUrl = named ?? (await runningDatabaseUrl(dataDirectory, 'migrate'));
  if (databaseUrl !== undefined) return { databaseUrl, stop: async () => undefined };
  const { url, stop } = await startLocalDatabase(dataDirectory, port);
  return { databaseUrl: url('migrate'), stop };
}

/** Stores the leads. The connection does not have the time limits of requests. */
async function seed(databaseUrl: string, options: SampleOptions): Promise<void> {
  const started = performance.now();
  const database = connectForMaintenance({ url: databaseUrl, applicationName: 'seed' });
  let stored = 0;
  const report = (end: string): void => {
    progress.clear();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const leads =
      interruption.signal.aborted || stored < options.count
        ? progressOf(stored, options.count)
        : stored.toLocaleString('en-US');
    process.stdout.write(
      `${end}Stored ${leads} leads in ${targetOf(databaseUrl)} (seed ${options.seed}, ${seconds} s); their emails count as sent.\n`,
    );
  };
  try {
    await checkReadiness(database);
    progress.show('Choosing the times of the leads');
    try {
      await store(database, sampleLeads({ ...options, staff: await activeAccounts(database) }), (count) => {
        stored += count;
        progress.show(`Storing leads, ${progressOf(stored, options.count)}`);
      });
    } catch (error) {
      report('Failed. ');
      throw error;
    }
    await makeSearchable(database);
    progress.show('Updating the statistics of the tables');
    await analyzeLeads(database);
    report(interruption.signal.aborted ? 'Interrupted. ' : '');
  } finally {
    progress.clear();
    await database.destroy();
  }
}

/** Returns the accounts that the sample leads belong to. */
async function activeAccounts(database: Database): Promise<NonNullable<SampleOptions['staff']>> {
  const accounts = await staffAccounts(database).list();
  return accounts.filter(({ isActive }) => isActive).map(({ id, name }) => ({ id, name }));
}

/** Makes the leads searchable, as the next pass of a worker would. */
async function makeSearchable(database: Database): Promise<void> {
  const index = leadSearchIndex(database);
  let filled = 0;
  let before: string | undefined;
  while (!interruption.signal.aborted) {
    progress.show(`Making the leads searchable, ${filled.toLocaleString('en-US')} done`);
    const slice = await index.fillOlder(before);
    filled += slice.filled;
    before = slice.next;
    if (before === undefined) return;
  }
}

async function migrate(databaseUrl: string): Promise<void> {
  const database = connectForMaintenance({ url: databaseUrl, applicationName: 'seed' });
  try {
    await migrateUp(database);
  } finally {
    await database.destroy();
  }
}

async function store(
  database: Database,
  leads: Generator<SettledLead>,
  onStored: (count: number) => void,
): Promise<void> {
  const storeBatches = async (): Promise<void> => {
    while (!interruption.signal.aborted) {
      const batch = [...take(leads, batchSize)];
      if (batch.length === 0) return;
      await storeSettledLeads(database, brand.mailDomain, batch);
      onStored(batch.length);
    }
  };
  await Promise.all(Array.from({ length: lanes }, storeBatches));
}

/** Yields at most `count` items. Unlike a `for … of` with `break`, it does not close the iterator. */
function* take<Item>(items: Iterator<Item>, count: number): Generator<Item> {
  for (let taken = 0; taken < count; taken++) {
    const { done, value } = items.next();
    if (done === true) return;
    yield value;
  }
}
