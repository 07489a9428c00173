import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { previousRelease } from '@dune-tide/db/schema';
import { createTestDatabase } from '@dune-tide/testkit/database';
import type { RunningProcess } from '@dune-tide/testkit/processes';
import { runWithServices } from '@dune-tide/testkit/services/run-with-services';
import { until } from '@dune-tide/testkit/until';
import { secret, startReceiver, type TestReceiver } from '@dune-tide/testkit/webhook-receiver';
import type { Knex } from 'knex';
import { openLedger } from '../faults/ledger.ts';
import { startLoad } from '../faults/load.ts';
import { drain, judge } from '../faults/oracle.ts';
import { signIn } from '../faults/replies.ts';
import { prepareSystem, type RunningApi, type RunningSystem } from '../faults/running-system.ts';
import { takesIn } from '../faults/under-load.ts';
import { buildPreviousRelease, runMigration } from './previous-checkout.ts';
import { signInOnce } from './returning-member.ts';

/*
 * Upgrades from the previous release and goes back to it, as docs/RUNBOOK.md describes, while visitors send forms and
 * staff work. Fails if a form is refused or lost, if an email or a webhook is missing or arrives twice, or if a process
 * of the previous release logs an error.
 */

const thisCheckout = fileURLToPath(new URL('../../..', import.meta.url));
const drainSeconds = 300;
const pauseMs = 500;

const started = performance.now();
const say = (line: string): void =>
  void process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}\n`);

await runWithServices(async (interrupted) => {
  say(`Building ${previousRelease.version} from ${previousRelease.commit}`);
  const previous = await buildPreviousRelease(interrupted);
  const test = await createTestDatabase('template0');
  await runMigration(previous, test.ownerUrl);
  say(`Migrated the database of ${previousRelease.version}`);
  const created = await createTestDatabase('template0');
  await runMigration(thisCheckout, created.ownerUrl);
  say(`${previousRelease.version} on a new database: ${await runMigration(previous, created.ownerUrl)}`);
  await created.drop();
  const receiver = await startReceiver();
  const system = await prepareSystem({
    database: test,
    settings: { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret },
  });
  try {
    return await upgradeAndGoBack(system, receiver, previous, test.ownerUrl);
  } finally {
    await system.kill();
    await system.stop();
    await receiver.close();
  }
});

interface Programs {
  readonly api: RunningApi;
  readonly worker: RunningProcess;
}

async function upgradeAndGoBack(
  system: RunningSystem,
  receiver: TestReceiver,
  previous: string,
  ownerUrl: string,
): Promise<boolean> {
  const ledger = openLedger(join(await mkdtemp(join(tmpdir(), 'upgrade-check-')), 'ledger.jsonl'));
  const wrong: string[] = [];
  /** The addresses of the running APIs, which the visitors read before each request. */
  const urls: string[] = [];
  const previousOnes: RunningProcess[] = [];

  const start = async (checkout: string): Promise<Programs> => {
    const programs = { api: await system.startApi(undefined, checkout), worker: await system.startWorker(checkout) };
    if (checkout === previous) previousOnes.push(programs.api, programs.worker);
    urls.push(programs.api.url);
    return programs;
  };
  const stop = async ({ api, worker }: Programs): Promise<void> => {
    urls.splice(urls.indexOf(api.url), 1);
    const codes = await Promise.all([api.stop(), worker.stop()]);
    if (codes.some((code) => code !== 0)) wrong.push(`Processes exited with ${codes.join(' and ')}`);
  };

  const first = await start(previous);
  const member = await signInOnce(system.database, first.api.url);
  const load = startLoad(ledger, { urls, requests: Infinity, pause: pauseMs });
  /** Lets visitors and staff work with all APIs that are running. */
  const work = async (what: string): Promise<void> => {
    await takesIn(load, 50);
    for (const url of urls) {
      const faults = [...(await workOnLeads(system.database, url)), ...(await member.work(url))];
      wrong.push(...faults.map((fault) => `${what}: ${fault}`));
    }
    await takesIn(load, 50);
    say(`${what}: ${load.taken()} forms accepted so far`);
  };
  try {
    await work(`${previousRelease.version} alone`);
    say(`Migration: ${await runMigration(thisCheckout, ownerUrl)}`);
    await work(`${previousRelease.version} on the new schema`);
    const today = await start(thisCheckout);
    await work('Both releases');
    wrong.push(...(await member.signInAgain(today.api.url)));
    await stop(first);
    await work('This release alone');
    const again = await start(previous);
    await work('Both releases, going back');
    await stop(today);
    const back = await runMigration(thisCheckout, ownerUrl, ['--back-to-release', previousRelease.version, '--yes']);
    say(`Migration back: ${back}`);
    await work(`${previousRelease.version} on its own schema again`);
    await start(previous);
    await stop(again);
    await work(`${previousRelease.version}, started again`);
  } catch (error) {
    // Usually the cause, e.g. a CHECK that refuses what the previous release writes.
    for (const line of previousOnes.flatMap(errorsOf).slice(0, 3)) say(`✗ ${line}`);
    throw error;
  } finally {
    load.stop();
    await load.done;
  }

  await drain(system.database, drainSeconds);
  const verdict = await judge(system.database, ledger, system.smtp.accepted, { cut: new Set(), refused: new Set() });
  wrong.push(...verdict.wrong);
  if (verdict.created !== verdict.requests) wrong.push(`${verdict.requests - verdict.created} forms were not accepted`);
  const refused = ledger.read().responded.filter(({ status }) => status !== 201);
  if (refused.length > 0)
    wrong.push(`${refused.length} requests did not return 201, e.g. ${JSON.stringify(refused[0])}`);
  const webhooks = await judgeWebhooks(system.database, receiver);
  wrong.push(...webhooks.wrong, ...previousOnes.flatMap(errorsOf));

  say(
    `${verdict.requests} forms, ${verdict.leads} leads, ${verdict.mails} emails, ${verdict.doubles} of them twice, ` +
      `${webhooks.sent} webhooks, slowest response ${verdict.slowest.toFixed(1)} s`,
  );
  for (const what of wrong) say(`✗ ${what}`);
  return wrong.length === 0;
}

/** Adds a note to the newest contact message and changes its status. @returns what failed */
async function workOnLeads(database: Knex, url: string): Promise<string[]> {
  const staff = await signIn(database, url);
  const [id] = await database('leads').where({ kind: 'contact' }).orderBy('id', 'desc').limit(1).pluck<string[]>('id');
  const calls = [
    [`/leads/${id}/notes`, { text: 'Called back' }],
    ['/leads/bulk', { ids: [id], status: 'contacted' }],
  ] as const;
  const failures: string[] = [];
  for (const [path, body] of calls) {
    const status = await staff.post(path, body);
    if (status === undefined || status >= 300) failures.push(`POST ${path} returned ${status ?? 'no response'}`);
  }
  return failures;
}

/** Checks that each lead was reported as created, and that each webhook arrived once. */
async function judgeWebhooks(
  database: Knex,
  receiver: TestReceiver,
): Promise<{ readonly sent: number; readonly wrong: string[] }> {
  const rows = await database('webhook_events')
    .join('follow_ups', 'follow_ups.id', 'webhook_events.id')
    .select<{ id: string; type: string; state: string }[]>('webhook_events.id', 'type', 'state');
  await until('all webhooks have arrived', () => receiver.received.length >= rows.length);
  const [leads] = await database('leads').count<{ count: string }[]>('* as count');
  const created = rows.filter(({ type }) => type === 'lead.created').length;
  const unsent = rows.filter(({ state }) => state !== 'sent').length;
  const copies = new Set(receiver.received.map(({ id }) => id)).size;
  return {
    sent: rows.length,
    wrong: [
      ...(created === Number(leads?.count) ? [] : [`${created} leads were reported instead of ${leads?.count}`]),
      ...(unsent === 0 ? [] : [`${unsent} webhooks were not sent`]),
      ...(copies === rows.length && receiver.received.length === rows.length
        ? []
        : [`${receiver.received.length} webhooks arrived, ${copies} different ones, instead of ${rows.length}`]),
    ],
  };
}

/** Returns the errors in the log of a process. */
function errorsOf({ output }: RunningProcess): string[] {
  return output()
    .split('\n')
    .filter((line) => /"level":"(?:error|fatal)"/.test(line));
}
