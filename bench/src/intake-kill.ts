import { setTimeout as pause } from 'node:timers/promises';
import { contactMessage, type LoadGenerator } from './harness/load.ts';
import type { Product } from './harness/product.ts';
import { queuedFollowUps } from './harness/queued.ts';
import type { Program } from './harness/program.ts';
import type { Ends } from './harness/run.ts';
import type { Services } from './harness/services.ts';
import { startSmtpSink } from './harness/smtp-sink.ts';

/** The fate of leads whose API was killed under load. */
export interface KillResult {
  readonly acknowledged: number;
  /** The number of requests without a response, including those while the API was down. */
  readonly cut: number;
  readonly stored: number;
  /** The number of leads that were acknowledged but not stored. */
  readonly missing: number;
  /** Seconds from each restart until every follow-up that was committed before it has a job or has been claimed. */
  readonly enqueuedAfter: readonly number[];
  readonly mails: number;
  readonly unsent: number;
  /** The number of emails that the mail server accepted more than once. */
  readonly twice: number;
}

interface KillOptions {
  readonly product: Product;
  readonly generator: LoadGenerator;
  readonly services: Services;
  readonly ends: Ends;
  readonly connections: number;
  readonly kills: number;
}

const loadBeforeSeconds = 2;
const loadAfterSeconds = 2;
const enqueueLimitSeconds = 60;
const drainLimitSeconds = 600;

/** Kills the API while visitors post, restarts it, and waits until the worker has sent all emails. */
export async function killUnderLoad(options: KillOptions): Promise<KillResult> {
  const { product, generator, services, ends, connections, kills } = options;
  const sink = ends.add(await startSmtpSink(services.logFile('smtp')));
  const worker = ends.add(await product.startWorker(sink.url));
  let api: Program | undefined;
  ends.add({ stop: async () => api?.stop() });
  const acknowledged: string[] = [];
  const enqueuedAfter: number[] = [];
  let cut = 0;
  api = await product.startApi();
  const formToken = await product.formToken();
  for (let kill = 0; kill < kills; kill++) {
    const load = generator.send({
      ...contactMessage,
      url: product.url,
      connections,
      formToken,
      seconds: loadBeforeSeconds + loadAfterSeconds,
      toleratesCuts: true,
      keepsIds: true,
    });
    await pause(loadBeforeSeconds * 1_000);
    await api.kill();
    const restarted = performance.now();
    const before = await now(product);
    api = await product.startApi();
    enqueuedAfter.push((await untilEnqueued(product, before)) - restarted);
    const result = await load;
    acknowledged.push(...result.ids);
    cut += result.cut;
  }
  await untilDrained(product);
  const mails = await sink.take();
  await api.stop();
  await worker.stop();
  await sink.stop();

  const stored = new Set(await product.database('leads').pluck<string[]>('id'));
  const required = await product.database<{ message_id: string }>('follow_ups').pluck<string[]>('message_id');
  const copies = new Map<string, number>();
  for (const { messageId } of mails) copies.set(messageId, (copies.get(messageId) ?? 0) + 1);
  return {
    acknowledged: acknowledged.length,
    cut,
    stored: stored.size,
    missing: acknowledged.filter((id) => !stored.has(id)).length,
    enqueuedAfter: enqueuedAfter.map((milliseconds) => milliseconds / 1_000),
    mails: mails.length,
    unsent: required.filter((messageId) => !copies.has(messageId)).length,
    twice: [...copies.values()].filter((count) => count > 1).length,
  };
}

async function now({ database }: Product): Promise<string> {
  const { rows } = await database.raw<{ rows: { now: string }[] }>('select clock_timestamp()::text as now');
  return rows[0]?.now ?? '';
}

/** @returns when every follow-up from before the restart had a job or was claimed, by `performance.now()` */
async function untilEnqueued(product: Product, before: string): Promise<number> {
  const deadline = performance.now() + enqueueLimitSeconds * 1_000;
  for (;;) {
    // Jobs are read before rows: a follow-up whose job ends in between has been claimed by then.
    const enqueued = await queuedFollowUps(product);
    const waiting = await product
      .database('follow_ups')
      .where({ state: 'pending', attempts: 0 })
      .where('created_at', '<=', before)
      .pluck<string[]>('id');
    if (waiting.every((id) => enqueued.has(id))) return performance.now();
    if (performance.now() > deadline) throw new Error(`Not within ${enqueueLimitSeconds} s: every follow-up enqueued`);
    await pause(100);
  }
}

async function untilDrained({ database }: Product): Promise<void> {
  const deadline = performance.now() + drainLimitSeconds * 1_000;
  for (;;) {
    const left = await database('follow_ups').whereIn('state', ['pending', 'sending']).first('id');
    if (!left) return;
    if (performance.now() > deadline) throw new Error(`Not within ${drainLimitSeconds} s: every email sent`);
    await pause(500);
  }
}
