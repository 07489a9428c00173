import { setTimeout as pause } from 'node:timers/promises';
import type { Load } from './load.ts';
import { redisOnly, type Fault, type Scene } from './fault.ts';
import { takesIn, underLoad } from './under-load.ts';

/** Checks that every visitor gets a 201 while the queue is unavailable. */
async function withoutRefusal(scene: Scene, disturb: (load: Load) => Promise<void>, pauseMs?: number): Promise<void> {
  await underLoad(scene, disturb, pauseMs);
  const failed = scene.ledger.read().responded.filter(({ status }) => status !== 201);
  if (failed.length > 0) throw new Error(`${failed.length} visitors did not get a 201`);
}

export const queueFaults: readonly Fault[] = [
  {
    name: 'Redis absent at start',
    backends: redisOnly,
    withoutRedis: true,
    run: (scene) =>
      withoutRefusal(scene, async () => {
        await scene.redis.start();
      }),
  },
  {
    name: 'Redis killed under load, restarted empty',
    backends: redisOnly,
    inTests: redisOnly,
    run: (scene) =>
      withoutRefusal(scene, async (load) => {
        await scene.redis.kill();
        await takesIn(load, 40);
        await scene.redis.start();
      }),
  },
  {
    name: 'Redis and the worker killed',
    backends: redisOnly,
    run: (scene) =>
      withoutRefusal(scene, async (load) => {
        const [worker] = scene.workers;
        await scene.redis.kill();
        if (worker) await scene.killWorker(worker);
        await takesIn(load, 20);
        await scene.redis.start();
        await scene.system.startWorker();
      }),
  },
  {
    name: 'Redis stopped for 60 s',
    backends: redisOnly,
    limitSeconds: 180,
    run: (scene) =>
      withoutRefusal(
        scene,
        async () => {
          const { pid } = scene.redis.current();
          process.kill(pid, 'SIGSTOP');
          // Longer than the job locks, every time limit and two of BullMQ's checks for stalled jobs.
          await pause(60_000);
          process.kill(pid, 'SIGCONT');
        },
        1_000,
      ),
  },
  {
    name: 'Redis flushed',
    backends: redisOnly,
    run: (scene) =>
      withoutRefusal(scene, async (load) => {
        for (let times = 0; times < 5; times++) {
          await scene.redis.command('FLUSHALL');
          await takesIn(load, 10);
        }
      }),
  },
  {
    name: 'Redis out of memory',
    backends: redisOnly,
    run: (scene) =>
      withoutRefusal(scene, async (load) => {
        await scene.redis.command('CONFIG', 'SET', 'maxmemory', '1');
        await takesIn(load, 40);
        await scene.redis.command('CONFIG', 'SET', 'maxmemory', '0');
      }),
  },
  {
    name: 'Redis half-open',
    backends: redisOnly,
    through: ['queue'],
    run: (scene) =>
      withoutRefusal(scene, async (load) => {
        scene.queueProxy.halfOpen();
        await takesIn(load, 20);
      }),
  },
  {
    name: 'Redis half-open, and silent for new connections',
    backends: redisOnly,
    through: ['queue'],
    run: (scene) =>
      withoutRefusal(scene, async (load) => {
        scene.queueProxy.rules = { isMute: true };
        scene.queueProxy.halfOpen();
        await takesIn(load, 60);
        scene.queueProxy.rules = {};
      }),
  },
];
