import { followUpQueue } from '@dune-tide/domain/follow-ups';
import type { Knex } from 'knex';
import { until } from '@dune-tide/testkit/until';
import type { Load } from './load.ts';
import { bothBackends, type Fault, type Scene } from './fault.ts';
import { takesIn, underLoad } from './under-load.ts';

/** Seconds within which a visitor must get a 503 (docs/PRODUCT.md, "Time limits"). */
const refusedWithin = 5;

/** Waits until the database executes statements. */
export async function untilAvailable(database: Knex): Promise<void> {
  await until('PostgreSQL responds', () =>
    database.raw('select 1').then(
      () => true,
      () => false,
    ),
  );
}

/** Counts the 503 responses. @param after - counts only visitors who waited longer, in seconds */
function refusals({ ledger }: Scene, after = 0): number {
  return ledger.read().responded.filter(({ status, seconds }) => status === 503 && seconds >= after).length;
}

/** Waits until another visitor gets a 503. */
async function refuses(scene: Scene, after = 0): Promise<void> {
  const before = refusals(scene, after);
  await until('visitors get a 503', () => refusals(scene, after) > before);
}

/** A fault of the database under load, in which no visitor waits longer for a 503 than allowed. */
const refusing = (
  name: string,
  disturb: (scene: Scene, load: Load) => Promise<void>,
  options: Partial<Fault> = {},
): Fault => ({
  name,
  backends: bothBackends,
  slowestRefusal: refusedWithin,
  ...options,
  run: (scene) => underLoad(scene, (load) => disturb(scene, load)),
});

const restart = (mode: 'fast' | 'immediate', options: Partial<Fault> = {}): Fault =>
  refusing(
    `PostgreSQL, ${mode} restart under load`,
    async (scene, load) => {
      for (let times = 0; times < 2; times++) {
        await scene.cluster.stop(mode);
        await refuses(scene);
        await scene.cluster.start();
        await untilAvailable(scene.system.database);
        await takesIn(load, 20);
      }
    },
    { cluster: [], ...options },
  );

/** Suspends processes of the database until visitors get a 503, then resumes them. */
async function stopped(scene: Scene, pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await refuses(scene);
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

export const databaseFaults: readonly Fault[] = [
  restart('fast'),
  restart('immediate', { inTests: 'PostgreSQL' }),
  refusing(
    'one backend stopped',
    async (scene, load) => {
      const [pid] = await scene.cluster.backends('api');
      await Promise.all([stopped(scene, pid === undefined ? [] : [pid]), takesIn(load, 10)]);
    },
    { cluster: [] },
  ),
  refusing(
    'postmaster stopped, with all backends',
    async (scene) => {
      const backends = [...(await scene.cluster.backends('api')), ...(await scene.cluster.backends('worker'))];
      await stopped(scene, [scene.cluster.pid(), ...backends]);
    },
    { cluster: [] },
  ),
  refusing(
    'postmaster stopped, all connections cut',
    async (scene) => {
      process.kill(scene.cluster.pid(), 'SIGSTOP');
      try {
        scene.databaseProxy.drop();
        await refuses(scene, 2);
      } finally {
        process.kill(scene.cluster.pid(), 'SIGCONT');
      }
    },
    { cluster: [], through: ['database'] },
  ),
  refusing('backends terminated repeatedly', async ({ system }, load) => {
    for (let times = 0; times < 20; times++) {
      await system.database.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name <> 'test' and random() < 0.5`,
      );
      await takesIn(load, 3);
    }
  }),
  refusing(
    'reply to COMMIT dropped',
    async (scene) => {
      let commits = 0;
      let dropped = 0;
      // The intake is one prepared statement, recognized by its name. It commits itself, as claims and outcomes do;
      // the claim of a portfolio email sends COMMIT.
      const commit = /store-leads|COMMIT;|update "?follow_ups"?/;
      scene.databaseProxy.rules = {
        judge(chunk, direction, memory) {
          if (direction === 'to server') {
            if (commit.test(chunk.toString('latin1')) && ++commits % 5 === 0) memory['drops'] = true;
            return 'pass';
          }
          if (memory['drops'] !== true) return 'pass';
          dropped++;
          return 'drop';
        },
      };
      const before = refusals(scene);
      await until(
        'responses are dropped, including those for visitors',
        () => dropped >= 20 && refusals(scene) > before,
      );
      scene.databaseProxy.rules = {};
    },
    { through: ['database'] },
  ),
  refusing(
    'connections half-open',
    async (scene, load) => {
      scene.databaseProxy.halfOpen();
      await refuses(scene);
      await takesIn(load, 20);
    },
    { through: ['database'] },
  ),
  refusing(
    'every reply delayed by 1 s',
    async ({ databaseProxy }, load) => {
      databaseProxy.rules = { delay: { 'to client': 1_000 } };
      await takesIn(load, 10);
      databaseProxy.rules = {};
    },
    { through: ['database'] },
  ),
  refusing(
    'LISTEN connection terminated',
    async ({ system }, load) => {
      for (let times = 0; times < 5; times++) {
        await until('a process listens', async () => {
          const { rows } = await system.database.raw<{ rows: unknown[] }>(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name like ?`,
            [`${followUpQueue}%`],
          );
          return rows.length > 0;
        });
        await takesIn(load, 10);
      }
    },
    { backends: ['PostgreSQL'], slowestRefusal: Infinity },
  ),
  refusing(
    'connections exhausted',
    async (scene) => {
      const { database } = scene.system;
      const taken: (() => Promise<void>)[] = [];
      const before = refusals(scene);
      try {
        // The API competes for each free connection, so it takes several attempts to exhaust them all.
        await until('visitors get a 503', async () => {
          taken.push(await scene.cluster.exhaust());
          await database.raw(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('api', 'worker')`,
          );
          taken.push(await scene.cluster.exhaust());
          return refusals(scene) > before;
        });
      } finally {
        for (const release of taken) await release();
      }
    },
    { cluster: [] },
  ),
];
