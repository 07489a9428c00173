import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@dune-tide/local/ports';
import { Redis } from 'ioredis';
import pTimeout from 'p-timeout';
import { startTestCluster } from '@dune-tide/testkit/cluster';
import { createTestDatabase } from '@dune-tide/testkit/database';
import { openLedger } from './ledger.ts';
import { startLoad, type Load } from './load.ts';
import { drain, endLeases, judge, type Verdict } from './oracle.ts';
import { secret, startReceiver } from '@dune-tide/testkit/webhook-receiver';
import { startTestProxy, type TestProxy } from '@dune-tide/testkit/proxy';
import { startTestRedis, type TestRedis } from '@dune-tide/testkit/redis';
import { prepareSystem } from './running-system.ts';
import { until } from '@dune-tide/testkit/until';
import type { Backend, Fault, Scene, SceneRedis } from './fault.ts';

const standardLimitSeconds = 300;

/** The result of one fault on one backend. */
export interface FaultResult extends Verdict {
  readonly fault: string;
  readonly backend: Backend;
  /** Seconds from the end of the fault until no follow-up was waiting or being sent; delays are shortened. */
  readonly drainSeconds: number;
}

/**
 * Runs one fault on a separate system and checks the outcome.
 * @param cacheDirectory - where the workers of all faults cache the portfolio
 * @param interrupted - aborts the run
 * @returns the counts, and in `wrong` every violation
 * @throws if the system fails to start, drain or stop, or if the run is aborted; its processes are then stopped
 */
export async function runFault(
  fault: Fault,
  backend: Backend,
  cacheDirectory: string,
  interrupted?: AbortSignal,
): Promise<FaultResult> {
  const closing: (() => Promise<unknown>)[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'fault-'));
  closing.push(() => rm(directory, { recursive: true, force: true }));
  const ledger = openLedger(join(directory, 'ledger.jsonl'));
  closing.push(async () => ledger.close());

  try {
    const redis = backend === 'Redis' ? await prepareRedis() : undefined;
    if (redis) {
      closing.push(() => redis.remove());
      if (fault.withoutRedis !== true) await redis.start();
    }
    const proxies = new Map<string, TestProxy>();
    const through = async (part: 'database' | 'mail' | 'queue', url: string): Promise<string> => {
      if (fault.through?.includes(part) !== true) return url;
      const proxy = await startTestProxy(url);
      closing.push(() => proxy.close());
      proxies.set(part, proxy);
      return proxy.instead(url);
    };
    const cluster = fault.cluster && (await startTestCluster(fault.cluster));
    const test = cluster?.test ?? (await createTestDatabase());
    const redisUrl = redis && (await through('queue', redis.url));
    const receiver = fault.webhooks && (await startReceiver());
    if (receiver) closing.push(() => receiver.close());
    const system = await prepareSystem({
      database: test,
      redisUrl,
      cacheDirectory,
      settings: { ...fault.settings, ...(receiver && { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret }) },
      mailServer: fault.mailServer,
      via: through,
    });
    let isOver = false;
    const stop = (): Promise<void> => system.stop(() => proxies.forEach((proxy) => proxy.dropStalled()));
    closing.push(async () => {
      if (isOver) return;
      await system.kill();
      await stop();
    });

    const loads: Load[] = [];
    const declared = <Part>(part: Part | undefined, name: string): Part => {
      if (part === undefined) throw new Error(`The fault does not declare ${name}`);
      return part;
    };
    const scene: Scene = {
      backend,
      system,
      ledger,
      apis: [],
      workers: [],
      cut: new Set(),
      refused: new Set(),
      load(options) {
        const load = startLoad(ledger, { urls: scene.apis.map(({ url }) => url), ...options });
        loads.push(load);
        return load;
      },
      async kill(running) {
        running.signal('SIGKILL');
        await running.ended;
      },
      async killWorker(worker, moment) {
        await scene.kill(worker);
        const held = await system.database('follow_ups').where({ state: 'sending' }).pluck<string[]>('message_id');
        if (moment === undefined) for (const messageId of held) scene.cut.add(messageId);
        await endLeases(system.database, held);
      },
      mailed: async (count) => void (await until(`${count} emails`, () => system.smtp.accepted.length >= count)),
      get redis() {
        return declared(redis, 'Redis');
      },
      get cluster() {
        return declared(cluster, 'a cluster');
      },
      get databaseProxy() {
        return declared(proxies.get('database'), 'a proxy of the database');
      },
      get mailProxy() {
        return declared(proxies.get('mail'), 'a proxy of the mail server');
      },
      get receiver() {
        return declared(receiver, 'webhooks');
      },
      get queueProxy() {
        return declared(proxies.get('queue'), 'a proxy of the queue');
      },
    };
    const starting = [
      ...Array.from({ length: fault.apis ?? 1 }, async () => void scene.apis.push(await system.startApi())),
      ...Array.from({ length: fault.workers ?? 1 }, async () => void scene.workers.push(await system.startWorker())),
    ];
    await Promise.all(starting);

    const limit = fault.limitSeconds ?? standardLimitSeconds;
    const within = { milliseconds: limit * 1000, ...(interrupted && { signal: interrupted }) };
    await pTimeout(fault.run(scene), within).finally(() => loads.forEach((load) => load.stop()));
    await pTimeout(Promise.all(loads.map(({ done }) => done)), within);
    const drainSeconds = await pTimeout(drain(system.database, limit), within);
    const verdict = await judge(system.database, ledger, system.smtp.accepted, {
      cut: scene.cut,
      refused: scene.refused,
      ...(fault.slowestRefusal === undefined ? {} : { slowestRefusal: fault.slowestRefusal }),
    });
    isOver = true;
    await stop();
    await closeAll(closing);
    return { fault: fault.name, backend, drainSeconds, ...verdict };
  } catch (error) {
    // An error while closing would hide this one, which is its cause.
    await closeAll(closing).catch(() => undefined);
    throw error;
  }
}

async function closeAll(closing: (() => Promise<unknown>)[]): Promise<void> {
  for (let close = closing.pop(); close !== undefined; close = closing.pop()) await close();
}

async function prepareRedis(): Promise<SceneRedis & { readonly url: string; remove(): Promise<void> }> {
  const port = await freePort(0, '127.0.0.1');
  let server: TestRedis | undefined;
  const current = (): TestRedis => {
    if (!server) throw new Error('Redis is not running');
    return server;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    current,
    async start() {
      server = await startTestRedis(port);
    },
    async kill() {
      await current().kill();
      server = undefined;
    },
    async command(name, ...parameters) {
      const client = new Redis(current().url, { maxRetriesPerRequest: 1 });
      try {
        return await client.call(name, ...parameters);
      } finally {
        client.disconnect();
      }
    },
    async remove() {
      await server?.kill();
    },
  };
}
