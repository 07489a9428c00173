import { followUpQueue } from '@dune-tide/domain/follow-ups';
import type { Knex } from 'knex';
import { until } from '@dune-tide/testkit/until';
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

const restart = (mode: 'fast' | 'immediate'): Fault => ({
  name: `PostgreSQL, ${mode} restart under load`,
  backends: bothBackends,
  cluster: [],
  slowestRefusal: refusedWithin,
  inTests: mode === 'immediate' ? ['PostgreSQL'] : [],
  run: (scene) =>
    underLoad(scene, async (load) => {
      for (let times = 0; times < 2; times++) {
        await scene.cluster.stop(mode);
        await refuses(scene);
        await scene.cluster.start();
        await untilAvailable(scene.system.database);
        await takesIn(load, 20);
      }
    }),
});

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
  restart('immediate'),
  {
    name: 'one backend stopped',
    backends: bothBackends,
    slowestRefusal: refusedWithin,
    cluster: [],
    run: (scene) =>
      underLoad(scene, async (load) => {
        const [pid] = await scene.cluster.backends('api');
        await Promise.all([stopped(scene, pid === undefined ? [] : [pid]), takesIn(load, 10)]);
      }),
  },
  {
    name: 'postmaster stopped, with all backends',
    backends: bothBackends,
    slowestRefusal: refusedWithin,
    cluster: [],
    run: (scene) =>
      underLoad(scene, async () => {
        const backends = [...(await scene.cluster.backends('api')), ...(await scene.cluster.backends('worker'))];
        await stopped(scene, [scene.cluster.pid(), ...backends]);
      }),
  },
  {
    name: 'postmaster stopped, all connections cut',
    backends: bothBackends,
    slowestRefusal: refusedWithin,
    cluster: [],
    through: ['database'],
    run: (scene) =>
      underLoad(scene, async () => {
        process.kill(scene.cluster.pid(), 'SIGSTOP');
        try {
          scene.databaseProxy.drop();
          await refuses(scene, 2);
        } finally {
          process.kill(scene.cluster.pid(), 'SIGCONT');
        }
      }),
  },
  {
    name: 'backends terminated repeatedly',
    backends: bothBackends,
    slowestRefusal: refusedWithin,
    run: (scene) =>
      underLoad(scene, async (load) => {
        for (let times = 0; times < 20; times++) {
          await scene.system.database.raw(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name <> 'test' and random() < 0.5`,
          );
          await takesIn(load, 3);
        }
      }),
  },
  {
    name: 'reply to COMMIT dropped',
    backends: bothBackends,
    through: ['database'],
    slowestRefusal: refusedWithin,
    inTests: ['PostgreSQL'],
    async run(scene) {
      await underLoad(scene, async () => {
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
      });
    },
  },
  {
    name: 'connections half-open',
    backends: bothBackends,
    through: ['database'],
    slowestRefusal: refusedWithin,
    async run(scene) {
      await underLoad(scene, async (load) => {
        scene.databaseProxy.halfOpen();
        await refuses(scene);
        await takesIn(load, 20);
      });
    },
  },
  {
    name: 'every reply delayed by 1 s',
    backends: bothBackends,
    through: ['database'],
    slowestRefusal: refusedWithin,
    run: (scene) =>
      underLoad(scene, async (load) => {
        scene.databaseProxy.rules = { delay: { 'to client': 1_000 } };
        await takesIn(load, 10);
        scene.databaseProxy.rules = {};
      }),
  },
  {
    name: 'LISTEN connection terminated',
    backends: ['PostgreSQL'],
    run: (scene) =>
      underLoad(scene, async (load) => {
        for (let times = 0; times < 5; times++) {
          await until('a process listens', async () => {
            const { rows } = await scene.system.database.raw<{ rows: unknown[] }>(
              `select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and application_name like ?`,
              [`${followUpQueue}%`],
            );
            return rows.length > 0;
          });
          await takesIn(load, 10);
        }
      }),
  },
  {
    name: 'connections exhausted',
    backends: bothBackends,
    cluster: [],
    slowestRefusal: refusedWithin,
    run: (scene) =>
      underLoad(scene, async () => {
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
      }),
  },
];
