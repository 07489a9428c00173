import { createTestDatabase } from '@dune-tide/testkit/database';
import { startProcess } from '@dune-tide/testkit/processes';
import { startTestProxy } from '@dune-tide/testkit/proxy';
import { startTestRedis } from '@dune-tide/testkit/redis';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describeError } from '../src/log.ts';
import { postgresPool } from '../src/queue/connections.ts';
import { openProducer } from '../src/queue/producer.ts';
import { backends, cutListeners, type TestServer } from './queue-backends.ts';
import { failure, parts, untilTaken, wakeUp } from './queue-support.ts';

/** Shorter than that of the product, so that the tests do not wait for it. */
const silenceMs = 3_000;

for (const backend of backends) {
  describe(`the queue on ${backend.name}`, () => {
    let using: ReturnType<typeof parts>;
    beforeEach(() => {
      using = parts();
    });

    describe('when its server fails', () => {
      let server: TestServer;
      before(async () => {
        server = await backend.prepareServer();
      });
      afterEach(async () => {
        await using.close();
        await server.kill();
      });
      after(() => server.remove());

      it('fails fast before the server has started, then works with the same producer', async () => {
        const producer = using.producer(server.settings);
        for (const call of [() => producer.enqueue([wakeUp()]), () => producer.check()]) {
          const { error, seconds } = await failure(call());
          expect(error).to.be.instanceOf(Error).with.property('name', 'QueueUnavailableError');
          expect(seconds).to.be.below(3);
        }
        await server.start();
        await producer.enqueue([wakeUp()]);
        await producer.check();
      });

      it('fails fast after the server was killed, then works with the same producer', async () => {
        await server.start();
        const producer = using.producer(server.settings);
        await producer.enqueue([wakeUp()]);
        await server.kill();
        for (let times = 0; times < 3; times++) {
          const { error, seconds } = await failure(producer.enqueue([wakeUp()]));
          expect(error).to.be.instanceOf(Error);
          expect(seconds).to.be.below(3);
        }
        expect((await failure(producer.check())).seconds).to.be.below(3);
        await server.start();
        await untilTaken(producer);
        await producer.check();
      });

      it('fails fast while the server hangs, then works again', async () => {
        await server.start();
        const producer = using.producer(server.settings);
        await producer.enqueue([wakeUp()]);
        const pids = await server.pids();
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        try {
          for (const open of [producer, using.producer(server.settings)]) {
            const { error, seconds } = await failure(open.enqueue([wakeUp()]));
            expect(error).to.be.instanceOf(Error);
            expect(seconds).to.be.below(3.5);
          }
        } finally {
          for (const pid of pids) process.kill(pid, 'SIGCONT');
        }
        await untilTaken(producer);
      });

      it('works again with the same producer after its connection was half-open', async () => {
        await server.start();
        const { databaseUrl, redisUrl } = server.settings;
        const proxy = await startTestProxy(redisUrl ?? databaseUrl);
        try {
          const producer = using.producer(
            redisUrl === undefined
              ? { databaseUrl: proxy.instead(databaseUrl) }
              : { databaseUrl, redisUrl: proxy.instead(redisUrl) },
          );
          await producer.enqueue([wakeUp()]);
          expect(proxy.halfOpen()).to.be.above(0);
          expect((await failure(producer.enqueue([wakeUp()]))).error).to.be.instanceOf(Error);
          await untilTaken(producer);
        } finally {
          await using.close();
          await proxy.close();
        }
      });

      it('gives a consumer jobs again after its connections went half-open', async () => {
        await server.start();
        const { databaseUrl, redisUrl } = server.settings;
        const proxy = await startTestProxy(redisUrl ?? databaseUrl);
        try {
          const handled: string[] = [];
          await using.consumer(
            redisUrl === undefined
              ? { databaseUrl: proxy.instead(databaseUrl), silenceMs }
              : { databaseUrl, redisUrl: proxy.instead(redisUrl), silenceMs },
            ({ id }) => void handled.push(id),
          );
          const producer = using.producer(server.settings);
          const [before, after] = [wakeUp(), wakeUp()];
          await producer.enqueue([before]);
          // The job must be finished too, because the consumer handles one job at a time.
          await until('the first wake-up is handled', async () => {
            const { waiting, active } = await producer.depth();
            return handled.includes(before.id) && waiting + active === 0;
          });
          expect(proxy.halfOpen()).to.be.above(0);
          await producer.enqueue([after]);
          await until('it is handled', () => handled.includes(after.id));
        } finally {
          await using.close();
          await proxy.close();
        }
      });

      if (backend.name === 'PostgreSQL') {
        it('keeps a connection that has nothing to receive', async () => {
          await server.start();
          const pool = postgresPool({ databaseUrl: server.settings.databaseUrl, silenceMs: 50 }, 1);
          const database = new pg.Client({ connectionString: server.settings.databaseUrl });
          await database.connect();
          const listening = await pool.connect();
          try {
            const notified = new Promise((resolve) => listening.on('notification', resolve));
            const { rows } = await listening.query('select pg_backend_pid() as pid');
            await listening.query('listen jobs');
            await until('the server was asked for a response', async () => {
              const asked = `select from pg_stat_activity where pid = $1 and query = 'select'`;
              return (await database.query(asked, [rows[0]?.pid])).rowCount === 1;
            });
            await database.query('notify jobs');
            await notified;
          } finally {
            listening.release();
            await pool.end();
            await database.end();
          }
        });

        const stalls: readonly (readonly [title: string, isStalling: (chunk: Buffer) => boolean])[] = [
          ['starts a consumer whose first connection took longer than its time limit', () => true],
          [
            'gives a consumer jobs whose connection was half-open before it listened',
            (chunk) => chunk.includes('LISTEN'),
          ],
        ];
        for (const [title, isStalling] of stalls) {
          it(title, async () => {
            await server.start();
            const { databaseUrl } = server.settings;
            const proxy = await startTestProxy(databaseUrl);
            let isStalled = false;
            proxy.rules.judge = (chunk) => {
              if (isStalled || !isStalling(chunk)) return 'pass';
              isStalled = true;
              return 'stall';
            };
            try {
              const handled: string[] = [];
              await using.consumer(
                { databaseUrl: proxy.instead(databaseUrl), silenceMs },
                ({ id }) => void handled.push(id),
              );
              await until('a connection has stalled', () => isStalled);
              const job = wakeUp();
              await using.producer(server.settings).enqueue([job]);
              await until('it is handled', () => handled.includes(job.id));
            } finally {
              await using.close();
              await proxy.close();
            }
          });
        }
      }

      it('closes a producer that cannot connect', async () => {
        const producer = openProducer(server.settings, using.log.logger);
        const added = failure(producer.enqueue([wakeUp()]));
        await producer.close();
        expect((await added).error).to.be.instanceOf(Error);
        await producer.close();
      });

      /** Starts a process that handles a wake-up, and then kills the server. */
      const loseServer = async (file: string) => {
        await server.start();
        const { databaseUrl, redisUrl } = server.settings;
        const consuming = await startProcess(new URL(file, import.meta.url).href, {
          DATABASE_URL: databaseUrl,
          ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
        });
        await using.producer(server.settings).enqueue([wakeUp()]);
        await until('a wake-up is handled', () => consuming.output().includes('"handled"'));
        await server.kill();
        return consuming;
      };

      it('leaves nothing running after a consumer closed without the server', async () => {
        const consuming = await loseServer('ending-process.ts');
        let exit: unknown;
        void consuming.ended.then((how) => (exit = how));
        consuming.signal('SIGTERM');
        try {
          await until('the process ends', () => exit !== undefined);
        } finally {
          consuming.signal('SIGKILL');
        }
        expect(exit).to.equal(0);
      });

      it('lets a process shut down in order after it lost the server', async () => {
        const consuming = await loseServer('consumer-process.ts');
        const started = performance.now();
        expect(await consuming.stop()).to.equal(0);
        expect(performance.now() - started).to.be.below(10_000);
      });

      it('delivers jobs to a consumer again after the server was killed and restarted', async () => {
        await server.start();
        const handled: string[] = [];
        await using.consumer(server.settings, ({ id }) => void handled.push(id), 2);
        const producer = using.producer(server.settings);
        const before = wakeUp();
        await producer.enqueue([before]);
        await until('the first wake-up is handled', () => handled.includes(before.id));

        await server.kill();
        await server.start();
        const after = wakeUp();
        await untilTaken(producer, () => after);
        await until('it is handled', () => handled.includes(after.id));
        // The server may have kept jobs of another test.
        expect(handled.filter((id) => id === before.id || id === after.id)).to.deep.equal([before.id, after.id]);
      });
    });
  });
}

describe('the queue on Redis', () => {
  it('delivers jobs again after a failover, while the old master is still running', async () => {
    const [old, next] = [await startTestRedis(), await startTestRedis()];
    const proxy = await startTestProxy(old.url);
    const administrator = new Redis(old.url);
    const using = parts();
    try {
      const settings = { databaseUrl: 'postgres://unused', redisUrl: proxy.instead(old.url) };
      const handled: string[] = [];
      await using.consumer(settings, ({ id }) => void handled.push(id));
      const producer = using.producer(settings);
      const before = wakeUp();
      await producer.enqueue([before]);
      await until('the first wake-up is handled', () => handled.includes(before.id));

      proxy.rules = { server: next.url };
      await administrator.replicaof('127.0.0.1', next.port);
      const after = wakeUp();
      await untilTaken(producer, () => after);
      await until('one is handled by the new master', () => handled.includes(after.id));
    } finally {
      await using.close();
      administrator.disconnect();
      await proxy.close();
      await old.stop();
      await next.stop();
    }
  });
});

describe('the queue on a Redis that rejects writes', () => {
  const refusals: readonly (readonly [why: string, code: string, order: (redis: Redis) => Promise<unknown>])[] = [
    ['is a replica', 'READONLY', (redis) => redis.replicaof('127.0.0.1', 1)],
    ['is full', 'OOM', (redis) => redis.config('SET', 'maxmemory', '1')],
  ];
  for (const [why, code, order] of refusals) {
    it(`is unavailable and logs the cause if it ${why}`, async () => {
      const redis = await startTestRedis();
      const administrator = new Redis(redis.url);
      const using = parts();
      try {
        const producer = using.producer({ databaseUrl: 'postgres://unused', redisUrl: redis.url });
        await producer.check();
        await order(administrator);
        const refused = [await failure(producer.check()), await failure(producer.enqueue([wakeUp()]))];
        for (const { seconds } of refused) expect(seconds).to.be.below(3);
        const told = [...refused.map(({ error }) => describeError(error)), ...using.log.lines()];
        expect(JSON.stringify(told)).to.include(`"code":"${code}"`);
        const own = using.log.lines().filter(({ msg }) => msg === 'redis');
        expect(own.length, 'lines of the connection').to.be.at.most(1);
      } finally {
        await using.close();
        administrator.disconnect();
        await redis.stop();
      }
    });
  }
});

describe('the queue on PostgreSQL', () => {
  it('delivers jobs to a consumer again after its listening connection was ended', async () => {
    const using = parts();
    const [backend] = backends;
    const queue = await backend?.createQueue();
    if (!queue) expect.fail();
    try {
      const handled: string[] = [];
      await using.consumer(queue.settings, ({ id }) => void handled.push(id));
      const producer = using.producer(queue.settings);
      for (let times = 0; times < 3; times++) {
        await until('it waits for a job', async () => (await queue.idleConsumers()) === 1);
        expect(await cutListeners(queue.settings.databaseUrl)).to.equal(1);
        const added = wakeUp();
        await producer.enqueue([added]);
        await until('it is handled', () => handled.includes(added.id));
      }
      expect(handled).to.have.length(3);
    } finally {
      await using.close();
      await queue.drop();
    }
  });

  it('delivers jobs again after the database was read-only', async () => {
    const database = await createTestDatabase();
    const using = parts();
    const change = async (text: string) => {
      await database.database.raw(`alter database ${new URL(database.url).pathname.slice(1)} ${text}`);
    };
    try {
      const settings = { databaseUrl: database.appUrl };
      await database.database.raw('select');
      await change('set default_transaction_read_only = on');
      const handled: string[] = [];
      await using.consumer(settings, ({ id }) => void handled.push(id));
      const producer = using.producer(settings);
      expect((await failure(producer.enqueue([wakeUp()]))).error).to.be.instanceOf(Error);
      await until('the consumer has failed as well', () => using.log.lines().length > 0);
      await change('reset default_transaction_read_only');
      const added = wakeUp();
      await producer.enqueue([added]);
      await until('it is handled', () => handled.includes(added.id));
    } finally {
      await using.close();
      await database.drop();
    }
  });

  for (const [moment, last] of [
    ['before the first statement', 1],
    ['after a statement', 2],
  ] as const) {
    it(`survives a connection that the server ends ${moment} of its setup`, async () => {
      const database = await createTestDatabase();
      const proxy = await startTestProxy(database.appUrl);
      const using = parts();
      try {
        const ready = Buffer.from('Z\0\0\0\x05I', 'latin1');
        const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
        const ended = Buffer.from(`E\0\0\0${String.fromCharCode(4 + fields.length)}${fields}`, 'latin1');
        let responses = 0;
        // In the same packet, so that the client cannot send a query before it.
        proxy.rules.judge = (chunk, direction) => {
          if (direction === 'to server' || !chunk.subarray(-ready.length).equals(ready)) return 'pass';
          responses += 1;
          return responses === last ? Buffer.concat([chunk, ended]) : 'pass';
        };
        const producer = using.producer({ databaseUrl: proxy.instead(database.appUrl) });
        await producer.check().catch(() => undefined);
        expect(responses).to.be.at.least(last);
        await producer.check();
      } finally {
        await using.close();
        await proxy.close();
        await database.drop();
      }
    });
  }
});
