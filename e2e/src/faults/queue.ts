import { setTimeout as pause } from 'node:timers/promises';
import type { Load } from './load.ts';
import { redisOnly, type Fault, type Scene } from './fault.ts';
import { takesIn, underLoad } from './under-load.ts';

/** A fault of the queue under load, in which every visitor gets a 201. */
const harmless = (
  name: string,
  disturb: (scene: Scene, load: Load) => Promise<void>,
  { pauseMs, ...options }: Partial<Fault> & { readonly pauseMs?: number } = {},
): Fault => ({
  name,
  backends: redisOnly,
  ...options,
  async run(scene) {
    await underLoad(scene, (load) => disturb(scene, load), pauseMs);
    const failed = scene.ledger.read().responded.filter(({ status }) => status !== 201);
    if (failed.length > 0) throw new Error(`${failed.length} visitors did not get a 201`);
  },
});

export const queueFaults: readonly Fault[] = [
  harmless('Redis absent at start', ({ redis }) => redis.start(), { withoutRedis: true }),
  harmless(
    'Redis killed under load, restarted empty',
    async ({ redis }, load) => {
      await redis.kill();
      await takesIn(load, 40);
      await redis.start();
    },
    { inTests: 'Redis' },
  ),
  harmless('Redis and the worker killed', async (scene, load) => {
    const [worker] = scene.workers;
    await scene.redis.kill();
    if (worker) await scene.killWorker(worker);
    await takesIn(load, 20);
    await scene.redis.start();
    await scene.system.startWorker();
  }),
  harmless(
    'Redis stopped for 60 s',
    async ({ redis }) => {
      const { pid } = redis.current();
      process.kill(pid, 'SIGSTOP');
      // Longer than the job locks, every time limit and two of BullMQ's checks for stalled jobs.
      await pause(60_000);
      process.kill(pid, 'SIGCONT');
    },
    { limitSeconds: 180, pauseMs: 1_000 },
  ),
  harmless('Redis flushed', async ({ redis }, load) => {
    for (let times = 0; times < 5; times++) {
      await redis.command('FLUSHALL');
      await takesIn(load, 10);
    }
  }),
  harmless('Redis out of memory', async ({ redis }, load) => {
    await redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await takesIn(load, 40);
    await redis.command('CONFIG', 'SET', 'maxmemory', '0');
  }),
  harmless(
    'Redis half-open',
    async ({ queueProxy }, load) => {
      queueProxy.halfOpen();
      await takesIn(load, 20);
    },
    { through: ['queue'] },
  ),
  harmless(
    'Redis half-open, and silent for new connections',
    async ({ queueProxy }, load) => {
      queueProxy.rules = { isMute: true };
      queueProxy.halfOpen();
      await takesIn(load, 60);
      queueProxy.rules = {};
    },
    { through: ['queue'] },
  ),
];
