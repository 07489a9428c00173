import { postLead } from '@dune-tide/testkit/post-lead';
import { queuedFollowUps } from '@dune-tide/testkit/queued-follow-ups';
import { until } from '@dune-tide/testkit/until';
import { workerConcurrency } from './running-system.ts';
import { untilAvailable } from './database.ts';
import { bothBackends, type Fault, type Scene } from './fault.ts';
import { hold } from './sending.ts';
import { takesIn } from './under-load.ts';

/** The follow-ups that were sent but whose rows could not be updated, read from a worker's log. */
const unwrittenOutcomes = (log: string): ReadonlySet<string> =>
  new Set(
    log
      .split('\n')
      .filter((line) => line.includes('"outcome":"sent"') && line.includes('outcome not written'))
      .map((line) => (JSON.parse(line) as { readonly followUpId: string }).followUpId),
  );

const killedAt = (moment: 'before' | 'during' | 'after'): Fault => ({
  name: `worker killed ${moment} the body`,
  backends: bothBackends,
  async run(scene) {
    const { system } = scene;
    const load = scene.load({ requests: 100 });
    await scene.mailed(40);
    const [worker] = scene.workers;
    if (!worker) throw new Error('No worker');
    if (moment === 'during') {
      let bodies = 0;
      await new Promise<void>((resolve) => {
        system.smtp.script = {
          cutsInsideBody() {
            if (++bodies === 3) {
              worker.signal('SIGKILL');
              resolve();
            }
            return bodies >= 3;
          },
        };
      });
      await scene.killWorker(worker);
    } else {
      const { held, letGo } = hold(scene, moment === 'before' ? 'onRecipient' : 'onBody');
      // All sends are held, so emails accepted earlier are settled and cannot be sent twice.
      await until('every send is held', () => held() === workerConcurrency);
      await scene.killWorker(worker, moment === 'before' ? 'before the body' : undefined);
      letGo();
    }
    system.smtp.script = {};
    await load.done;
    await system.startWorker();
  },
});

export const processFaults: readonly Fault[] = [
  killedAt('before'),
  killedAt('during'),
  killedAt('after'),
  {
    name: 'worker killed while the database is unavailable, with accepted emails',
    backends: bothBackends,
    inTests: 'PostgreSQL',
    cluster: [],
    async run(scene) {
      const { system } = scene;
      const { held, letGo } = hold(scene, 'onBody');
      const load = scene.load({ requests: 20 });
      await load.done;
      await until('every send is held', () => held() === workerConcurrency);
      const [worker] = scene.workers;
      if (!worker) throw new Error('No worker');
      await scene.cluster.stop('immediate');
      letGo();
      await until(
        'the worker logs that no outcome can be stored',
        // Counts each sent email once. The worker logs every attempt to store an outcome, and also the emails that wait for
        // a turn and could not be postponed.
        () => unwrittenOutcomes(worker.output()).size === held(),
      );
      await scene.kill(worker);
      await scene.cluster.start();
      await untilAvailable(system.database);
      // End the leases in the rows instead of waiting for three minutes.
      await system
        .database('follow_ups')
        .where({ state: 'sending' })
        .update({ available_at: system.database.fn.now(), sweep_at: system.database.fn.now() });
      system.smtp.script = {};
      await system.startWorker();
    },
  },
  {
    name: 'worker stopped past its lease, before the body',
    backends: bothBackends,
    async run(scene) {
      const { database, smtp } = scene.system;
      const { held, letGo } = hold(scene, 'onRecipient');
      const load = scene.load({ requests: 20 });
      await until('every send is held', () => held() === workerConcurrency);
      const [worker] = scene.workers;
      worker?.signal('SIGSTOP');
      // End the leases in the rows instead of waiting for three minutes.
      await database('follow_ups')
        .where({ state: 'sending' })
        .update({ available_at: database.fn.now(), sweep_at: database.fn.now() });
      smtp.script = {};
      await scene.system.startWorker();
      await load.done;
      await scene.mailed(40);
      letGo();
      worker?.signal('SIGCONT');
      await until(
        'the suspended worker has released its rows',
        () => (worker?.output().match(/leaseLost/g) ?? []).length === held(),
      );
    },
  },
  {
    name: 'api killed mid-request 200 times',
    backends: bothBackends,
    apis: 3,
    limitSeconds: 600,
    run: (scene) => killApis(scene, 200),
  },
  {
    name: '50 identical concurrent requests',
    backends: bothBackends,
    apis: 2,
    async run({ apis, ledger }) {
      const body = { email: 'one@example.com', source: 'portfolio_view' };
      const posted = Array.from({ length: 50 }, async (_, attempt) => {
        const key = 'the-same-key';
        ledger.asks({ at: new Date().toISOString(), key, kind: 'portfolio_request', body, attempt });
        const started = performance.now();
        const { status, id = '' } = await postLead(apis[attempt % apis.length]?.url ?? '', 'portfolio-lead', body, {
          'Idempotency-Key': key,
        });
        ledger.hears({ key, attempt, status: status ?? 0, id, seconds: (performance.now() - started) / 1000 });
        return status;
      });
      const statuses = await Promise.all(posted);
      if (statuses.some((status) => status !== 201)) throw new Error(`Responded with ${statuses.join(' ')}`);
    },
  },
  {
    name: '4 workers on 5,000 rows',
    backends: bothBackends,
    workers: 0,
    limitSeconds: 300,
    async run(scene) {
      await scene.load({ requests: 2_500, atOnce: 16 }).done;
      await Promise.all(Array.from({ length: 4 }, () => scene.system.startWorker()));
    },
  },
  {
    name: 'rolling restart every 20 s under load',
    backends: bothBackends,
    apis: 2,
    workers: 2,
    limitSeconds: 180,
    run: (scene) => restartInTurn(scene, 3, 20_000),
  },
  {
    name: 'SIGTERM with sends in progress',
    backends: bothBackends,
    async run(scene) {
      const { held, letGo } = hold(scene, 'onBody', 10);
      const load = scene.load({ requests: 50 });
      await until('sends are in progress', () => held() === workerConcurrency);
      const [worker] = scene.workers;
      worker?.signal('SIGTERM');
      await until('it is closing', () => worker?.output().includes('"closing"'));
      letGo();
      const ended = await worker?.ended;
      if (ended !== 0) throw new Error(`The worker exited with ${String(ended)}`);
      const [left] = await scene.system.database('follow_ups').where({ state: 'sending' }).count('* as count');
      if (Number(left?.['count']) > 0) throw new Error(`${String(left?.['count'])} rows are in an intermediate state`);
      await scene.system.startWorker();
      await load.done;
    },
  },
  {
    name: 'a poison row',
    backends: bothBackends,
    async run(scene) {
      const { database, smtp } = scene.system;
      const { held, letGo } = hold(scene, 'onRecipient');
      const load = scene.load({ requests: 40 });
      await load.done;
      await until('sends are held', () => held() === workerConcurrency);
      const poisoned = await database('follow_ups')
        .where({ state: 'pending' })
        .first<{ id: string; recipient: string }>();
      await database('follow_ups').where({ id: poisoned.id }).update({ recipient: 'no address, @@', attempts: 54 });
      smtp.script = {};
      letGo();
      await until('the other emails are sent', async () => {
        await database('follow_ups')
          .where({ state: 'pending' })
          .update({ available_at: database.fn.now(), sweep_at: database.fn.now() });
        const [left] = await database('follow_ups').whereNot({ state: 'sent' }).count('* as count');
        const { state } = await database('follow_ups').where({ id: poisoned.id }).first<{ state: string }>();
        return Number(left?.['count']) === 1 && state === 'failed';
      });
      await database('follow_ups').where({ id: poisoned.id }).update({
        recipient: poisoned.recipient,
        state: 'pending',
        attempts: 0,
        available_at: database.fn.now(),
        sweep_at: database.fn.now(),
      });
    },
  },
];

/** Kills one API after another while visitors post. Each restarts at the same address. */
async function killApis(scene: Scene, times: number): Promise<void> {
  const load = scene.load({ requests: 100_000, pause: 30, attempts: 100 });
  let kills = 0;
  await Promise.all(
    scene.apis.map(async ({ url }, place) => {
      while (kills < times) {
        kills++;
        await takesIn(load, 2);
        const api = scene.apis[place];
        if (!api) throw new Error('No API');
        await scene.kill(api);
        scene.apis[place] = await scene.system.startApi(url);
      }
    }),
  );
  await queuesAll(scene, 10);
  load.stop();
  await load.done;
}

/**
 * Waits until each follow-up that is stored when this is called has a job or has been claimed.
 * @throws if it takes longer than `seconds`
 */
async function queuesAll(scene: Scene, seconds: number): Promise<void> {
  const { database } = scene.system;
  const redisUrl = scene.backend === 'Redis' ? scene.redis.current().url : undefined;
  const waiting = async (): Promise<string[]> =>
    database('follow_ups').where({ state: 'pending', attempts: 0 }).pluck<string[]>('id');
  const stored = await waiting();
  await until(
    'every follow-up has a job after a restart',
    async () => {
      // Jobs are read before rows: a follow-up whose job ends in between has been claimed by then.
      const queued = await queuedFollowUps({ database, redisUrl });
      const unclaimed = new Set(await waiting());
      return stored.every((id) => queued.has(id) || !unclaimed.has(id));
    },
    seconds,
  );
}

/** Ends each process with SIGTERM after its replacement has started, as a deployment does. */
async function restartInTurn(scene: Scene, rounds: number, everyMs: number): Promise<void> {
  const { system } = scene;
  const load = scene.load({ requests: 100_000, pause: 250 });
  for (let round = 0; round < rounds; round++) {
    const next = new Promise((resolve) => setTimeout(resolve, everyMs));
    for (const worker of scene.workers.splice(0)) {
      scene.workers.push(await system.startWorker());
      await endsWell(worker.stop());
    }
    for (const [place, api] of scene.apis.entries()) {
      await endsWell(api.stop());
      scene.apis[place] = await system.startApi(api.url);
    }
    await takesIn(load, 10);
    await next;
  }
  load.stop();
  await load.done;
}

async function endsWell(ended: Promise<unknown>): Promise<void> {
  const how = await ended;
  if (how !== 0) throw new Error(`A process exited with ${String(how)}`);
}
