import { randomUUID } from 'node:crypto';
import { followUpKinds } from '@dune-tide/domain/follow-ups';
import { createTestDatabase } from '@dune-tide/e2e/support/database';
import { memoryLogger } from '@dune-tide/e2e/support/log';
import { startProcess } from '@dune-tide/e2e/support/processes';
import { startTestProxy } from '@dune-tide/e2e/support/proxy';
import { until } from '@dune-tide/e2e/support/until';
import { expect } from 'chai';
import {
  migrateQueue,
  openProducer,
  QueueUnavailableError,
  startConsumer,
  type FollowUpConsumer,
  type FollowUpProducer,
  type QueueSettings,
  type WakeUp,
} from '../src/queue.ts';
import { backends, cutListeners, type TestQueue, type TestServer } from './queue-backends.ts';

const wakeUp = (id: string = randomUUID()): WakeUp => ({ id, kind: 'acknowledgement' });
const wakeUps = (count: number): WakeUp[] => Array.from({ length: count }, () => wakeUp());

/** @returns what the promise was rejected with, and after how many seconds */
async function failure(promise: Promise<unknown>): Promise<{ error: unknown; seconds: number }> {
  const started = performance.now();
  const error = await promise.then(
    () => expect.fail('resolved'),
    (reason: unknown) => reason,
  );
  return { error, seconds: (performance.now() - started) / 1000 };
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** Opened producers and consumers, closed after each test. */
function parts() {
  const open: { close(): Promise<void> }[] = [];
  const log = memoryLogger();
  return {
    log,
    producer(settings: QueueSettings): FollowUpProducer {
      const producer = openProducer(settings, log.logger);
      open.push(producer);
      return producer;
    },
    async consumer(
      settings: QueueSettings,
      handle: (handled: WakeUp) => Promise<void> | void,
      concurrency = 1,
    ): Promise<FollowUpConsumer> {
      const consumer = await startConsumer(settings, async (handled) => handle(handled), concurrency, log.logger);
      open.push(consumer);
      return consumer;
    },
    async close(): Promise<void> {
      for (const part of open.reverse()) await part.close();
    },
  };
}

for (const backend of backends) {
  describe(`the queue on ${backend.name}`, () => {
    let using: ReturnType<typeof parts>;
    beforeEach(() => {
      using = parts();
    });

    describe('between a producer and its consumers', () => {
      let queue: TestQueue;
      beforeEach(async () => {
        queue = await backend.createQueue();
      });
      afterEach(async () => {
        await using.close();
        await queue.drop();
      });

      const emptied = () => until('the queue is empty', async () => (await queue.raw.count()) === 0);

      it('tells how many jobs there are', async () => {
        const producer = using.producer(queue.settings);
        expect(await producer.depth()).to.deep.equal({ waiting: 0, active: 0, delayed: 0 });
        await producer.enqueue(wakeUps(3));
        expect(await producer.depth()).to.deep.equal({ waiting: 3, active: 0, delayed: 0 });
      });

      it('hands each wake-up on, with its kind and id', async () => {
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one), 5);
        const added = followUpKinds.map((kind) => ({ id: randomUUID(), kind }));
        await using.producer(queue.settings).enqueue(added);
        await until('all are handled', () => handled.length === added.length);
        expect(handled).to.have.deep.members(added);
        await emptied();
      });

      it('hands on what was added before there was a consumer, in order', async () => {
        const added = wakeUps(10);
        const producer = using.producer(queue.settings);
        for (const one of added) await producer.enqueue([one]);
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one));
        await until('all are handled', () => handled.length === added.length);
        expect(handled).to.deep.equal(added);
      });

      it('wakes up for several rows of a kind with one job, each of them once', async () => {
        const producer = using.producer(queue.settings);
        const added = [...wakeUps(25), ...followUpKinds.map((kind) => ({ id: randomUUID(), kind }))];
        await producer.enqueue(added, 10);
        // 26 acknowledgements, and one of each other kind.
        expect(await queue.raw.count()).to.equal(3 + 1 + 1);
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one), 2);
        await until('all are handled', () => handled.length >= added.length);
        await emptied();
        expect(handled).to.have.deep.members(added);
      });

      it('wakes up for the other rows of a job when one fails, and says which failed', async () => {
        const added = wakeUps(4);
        const handled: string[] = [];
        await using.consumer(queue.settings, ({ id }) => {
          if (id === added[1]?.id || id === added[2]?.id) throw new TypeError(`row ${added[1]?.id === id ? 1 : 2}`);
          handled.push(id);
        });
        await using.producer(queue.settings).enqueue(added, 4);
        await emptied();
        expect(handled).to.deep.equal([added[0]?.id, added[3]?.id]);
        await until('the failure is logged', () => using.log.lines().find(({ msg }) => msg === 'job failed'));
        const failed = using.log.lines().filter(({ msg }) => msg === 'follow-up not handled');
        expect(failed.map(({ followUpId }) => followUpId)).to.have.members([added[1]?.id, added[2]?.id]);
        for (const line of failed) {
          const expected = line['followUpId'] === added[1]?.id ? 'row 1' : 'row 2';
          expect(line).to.have.nested.property('error.message', expected);
          expect(line).to.include({ kind: 'acknowledgement' });
        }
      });

      it('takes no further row of a job once it is closing', async () => {
        const added = wakeUps(5);
        const handled: WakeUp[] = [];
        const [begun, letGo] = [deferred(), deferred()];
        const consumer = await using.consumer(queue.settings, async (one) => {
          handled.push(one);
          begun.resolve();
          await letGo.promise;
        });
        await using.producer(queue.settings).enqueue(added, 5);
        await begun.promise;
        const closed = consumer.close();
        letGo.resolve();
        await closed;
        expect(handled).to.deep.equal([added[0]]);
      });

      it('takes nothing when there is nothing to add', async () => {
        await using.producer(queue.settings).enqueue([]);
        expect(await queue.raw.count()).to.equal(0);
      });

      it('keeps a row that is added again while it waits the only one', async () => {
        const [twice, last] = [wakeUp(), wakeUp()];
        const producer = using.producer(queue.settings);
        await producer.enqueue([twice, twice]);
        await producer.enqueue([twice]);
        await producer.enqueue([last]);
        expect(await queue.raw.count()).to.equal(2);
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one));
        await until('the last is handled', () => handled.some(({ id }) => id === last.id));
        expect(handled).to.deep.equal([twice, last]);
      });

      it('wakes up for every row, though a job of as many that begins with the same row waits', async () => {
        const producer = using.producer(queue.settings);
        const [first = wakeUp(), ...others] = wakeUps(3);
        await producer.enqueue([first, ...others.slice(0, 1)], 2);
        await producer.enqueue([first, ...others.slice(1)], 2);
        const handled = new Set<string>();
        await using.consumer(queue.settings, ({ id }) => void handled.add(id));
        await emptied();
        expect(handled).to.have.all.keys(first.id, ...others.map(({ id }) => id));
      });

      it('hands a row on again that is added again after it was handled', async () => {
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one));
        const producer = using.producer(queue.settings);
        const again = wakeUp();
        for (let times = 1; times <= 3; times++) {
          await producer.enqueue([again]);
          await until(`it is handled ${times} times`, () => handled.length === times);
          await emptied();
        }
        expect(handled).to.deep.equal([again, again, again]);
      });

      it('drops a job whose handling failed, logs it, and takes the row again', async () => {
        const failing = wakeUp();
        let tries = 0;
        const next: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => {
          if (one.id !== failing.id) return void next.push(one);
          tries++;
          throw new Error('noura@example.com was refused');
        });
        const producer = using.producer(queue.settings);
        await producer.enqueue([failing]);
        await until('it was tried', () => tries === 1);
        await emptied();

        await producer.enqueue([failing, wakeUp()]);
        await until('the one after it is handled', () => next.length === 1);
        expect(tries).to.equal(2);
        await emptied();
        const lines = using.log.lines().filter(({ msg }) => msg === 'job failed');
        expect(lines).to.have.length(2);
        expect(lines[0]).to.include({ level: 'error', jobId: failing.id });
        expect(JSON.stringify(lines)).to.not.include('noura');
      });

      it('drops foreign jobs without handing them on', async () => {
        const foreign: readonly (readonly [name: string, data: unknown])[] = [
          ['birthday_card', { followUpIds: [randomUUID()] }],
          ['__proto__', { followUpIds: [randomUUID()] }],
          ['acknowledgement', {}],
          ['acknowledgement', { followUpIds: null }],
          ['acknowledgement', { followUpIds: 7 }],
          ['acknowledgement', { followUpIds: ['abc'] }],
          ['acknowledgement', { followUpIds: [randomUUID(), `${randomUUID()}\n`] }],
          ['acknowledgement', { followUpIds: [randomUUID().toUpperCase().replace(/^./, 'A')] }],
          ['acknowledgement', { followUpIds: [] }],
          ['acknowledgement', { leadId: randomUUID() }],
          ['acknowledgement', []],
          ['acknowledgement', 'text'],
          ['acknowledgement', null],
        ];
        for (const [index, [name, data]] of foreign.entries()) await queue.raw.add(name, data, `foreign-${index}`);
        const last = wakeUp();
        await using.producer(queue.settings).enqueue([last]);

        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one));
        await until('the last is handled', () => handled.length > 0);
        expect(handled).to.deep.equal([last]);
        await emptied();
      });

      it('handles as many at once as asked for, and no more', async () => {
        let [underWay, most] = [0, 0];
        let release = (): void => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        await using.consumer(
          queue.settings,
          async () => {
            underWay++;
            most = Math.max(most, underWay);
            await released;
            underWay--;
          },
          3,
        );
        await using.producer(queue.settings).enqueue(wakeUps(12));
        await until('three are under way', () => underWay === 3);
        release();
        await emptied();
        expect(most).to.equal(3);
      });

      it('finishes the job under way when the consumer closes, and leaves the next to another', async () => {
        const started: WakeUp[] = [];
        const finished: WakeUp[] = [];
        let release = (): void => undefined;
        const released = new Promise<void>((resolve) => (release = resolve));
        const consumer = await using.consumer(queue.settings, async (one) => {
          started.push(one);
          await released;
          finished.push(one);
        });
        const [first, second] = [wakeUp(), wakeUp()];
        const producer = using.producer(queue.settings);
        await producer.enqueue([first, second]);
        await until('the first is under way', () => started.length === 1);

        let isClosed = false;
        const closing = consumer.close().then(() => (isClosed = true));
        await producer.check();
        expect(isClosed).to.equal(false);
        release();
        await closing;
        expect(started).to.deep.equal([first]);
        expect(finished).to.deep.equal([first]);
        expect(await queue.raw.count()).to.equal(1);

        const others: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void others.push(one));
        await until('the second is handled', () => others.length === 1);
        expect(others).to.deep.equal([second]);
        expect(started).to.deep.equal([first]);
      });

      it('closes an idle consumer at once', async () => {
        const consumer = await using.consumer(queue.settings, () => undefined);
        await until('it waits for a job', async () => (await queue.idleConsumers()) === 1);
        const started = performance.now();
        await consumer.close();
        expect(performance.now() - started).to.be.below(2_000);
      });

      it('shares a hundred jobs between two consumers, each handled once', async () => {
        const handledBy: [WakeUp[], WakeUp[]] = [[], []];
        const added = wakeUps(100);
        await using.producer(queue.settings).enqueue(added);
        // A turn of the event loop each, so that neither takes them all before the other is there.
        await Promise.all(
          handledBy.map((handled) =>
            using.consumer(
              queue.settings,
              async (one) => {
                handled.push(one);
                await queue.raw.count();
              },
              2,
            ),
          ),
        );
        await until('all are handled', () => handledBy.flat().length >= added.length);
        await emptied();
        expect(handledBy.flat()).to.have.deep.members(added);
        for (const handled of handledBy) expect(handled).to.not.deep.equal([]);
      });

      it('reaches an idle consumer within a second', async () => {
        const arrived: number[] = [];
        await using.consumer(queue.settings, () => void arrived.push(performance.now()));
        const producer = using.producer(queue.settings);
        await producer.check();
        for (let times = 1; times <= 5; times++) {
          await until('it waits for a job', async () => (await queue.idleConsumers()) === 1);
          const added = performance.now();
          await producer.enqueue([wakeUp()]);
          await until('it arrived', () => arrived.length === times);
          expect((arrived[times - 1] ?? Infinity) - added, `time ${times}`).to.be.below(1_000);
        }
      });

      it('says that it can be reached', async () => {
        await using.producer(queue.settings).check();
      });

      it('does not open a producer again that was closed', async () => {
        const producer = openProducer(queue.settings, using.log.logger);
        await producer.check();
        await producer.close();
        const error: unknown = await producer.enqueue([wakeUp()]).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(QueueUnavailableError);
        await producer.close();
      });

      it('closes a producer that was never used', async () => {
        await openProducer(queue.settings, using.log.logger).close();
      });
    });

    describe('whose server goes away', () => {
      let server: TestServer;
      before(async () => {
        server = await backend.prepareServer();
      });
      afterEach(async () => {
        await using.close();
        await server.kill();
      });
      after(() => server.remove());

      it('refuses soon when the server is not there at first, and works with the same producer once it is', async () => {
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

      it('refuses soon when the server was killed, and works with the same producer once it is back', async () => {
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
        await until(
          'a wake-up is taken again',
          () =>
            producer.enqueue([wakeUp()]).then(
              () => true,
              () => false,
            ),
          10,
        );
        await producer.check();
      });

      it('refuses soon when the server hangs, and works again once it goes on', async () => {
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
        await until(
          'a wake-up is taken again',
          () =>
            producer.enqueue([wakeUp()]).then(
              () => true,
              () => false,
            ),
          10,
        );
      });

      it('works again with the same producer after its connection went half-open', async () => {
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
          await until('a wake-up is taken again', () =>
            producer.enqueue([wakeUp()]).then(
              () => true,
              () => false,
            ),
          );
        } finally {
          await using.close();
          await proxy.close();
        }
      });

      it('closes a producer whose server is not there', async () => {
        const producer = openProducer(server.settings, using.log.logger);
        const added = failure(producer.enqueue([wakeUp()]));
        await producer.close();
        expect((await added).error).to.be.instanceOf(Error);
        await producer.close();
      });

      it('lets a process close in order that lost its server', async () => {
        await server.start();
        const { databaseUrl, redisUrl } = server.settings;
        const consuming = await startProcess(new URL('consumer-process.ts', import.meta.url).href, {
          DATABASE_URL: databaseUrl,
          ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
        });
        await using.producer(server.settings).enqueue([wakeUp()]);
        await until('one is handled', () => consuming.output().includes('"handled"'));
        await server.kill();
        const started = performance.now();
        expect(await consuming.stop()).to.equal(0);
        expect(performance.now() - started).to.be.below(10_000);
      });

      it('gives a consumer jobs again after the server was killed and came back', async () => {
        await server.start();
        const handled: string[] = [];
        await using.consumer(server.settings, ({ id }) => void handled.push(id), 2);
        const producer = using.producer(server.settings);
        const before = wakeUp();
        await producer.enqueue([before]);
        await until('one is handled before', () => handled.includes(before.id));

        await server.kill();
        await server.start();
        const after = wakeUp();
        await until(
          'a wake-up is taken again',
          () =>
            producer.enqueue([after]).then(
              () => true,
              () => false,
            ),
          10,
        );
        await until('it is handled', () => handled.includes(after.id), 10);
        // The server may have kept jobs of another test.
        expect(handled.filter((id) => id === before.id || id === after.id)).to.deep.equal([before.id, after.id]);
      });
    });
  });
}

describe('the queue on PostgreSQL', () => {
  it('gives a consumer jobs again after the connection it listens on was cut', async () => {
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
        await until('it is handled', () => handled.includes(added.id), 5);
      }
      expect(handled).to.have.length(3);
    } finally {
      await using.close();
      await queue.drop();
    }
  });

  it('takes and hands on jobs again once a database that only read for a while writes', async () => {
    const database = await createTestDatabase();
    const using = parts();
    const change = async (text: string) => {
      await database.database.raw(`alter database ${new URL(database.url).pathname.slice(1)} ${text}`);
    };
    try {
      const settings = { databaseUrl: database.url };
      await database.database.raw('select');
      await change('set default_transaction_read_only = on');
      const handled: string[] = [];
      await using.consumer(settings, ({ id }) => void handled.push(id));
      const producer = using.producer(settings);
      expect((await failure(producer.enqueue([wakeUp()]))).error).to.be.instanceOf(Error);
      await until('the consumer was refused as well', () => using.log.lines().length > 0);
      await change('reset default_transaction_read_only');
      const added = wakeUp();
      await producer.enqueue([added]);
      await until('it is handled', () => handled.includes(added.id), 5);
    } finally {
      await using.close();
      await database.drop();
    }
  });

  for (const [moment, last] of [
    ['before the first statement', 1],
    ['after a statement', 2],
  ] as const) {
    it(`outlives a connection that the server ends ${moment} of its opening`, async () => {
      const database = await createTestDatabase();
      const proxy = await startTestProxy(database.url);
      const using = parts();
      try {
        const ready = Buffer.from('Z\0\0\0\x05I', 'latin1');
        const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
        const ended = Buffer.from(`E\0\0\0${String.fromCharCode(4 + fields.length)}${fields}`, 'latin1');
        let answers = 0;
        // In the same bytes, so that nobody has asked for anything meanwhile.
        proxy.rules.judge = (chunk, direction) => {
          if (direction === 'to server' || !chunk.subarray(-ready.length).equals(ready)) return 'pass';
          answers += 1;
          return answers === last ? Buffer.concat([chunk, ended]) : 'pass';
        };
        const producer = using.producer({ databaseUrl: proxy.instead(database.url) });
        await producer.check().catch(() => undefined);
        expect(answers).to.be.at.least(last);
        await producer.check();
      } finally {
        await using.close();
        await proxy.close();
        await database.drop();
      }
    });
  }

  it('makes its own tables, from several processes at once', async () => {
    const database = await createTestDatabase('template0');
    const using = parts();
    try {
      const settings = { databaseUrl: database.url };
      await Promise.all([migrateQueue(settings), migrateQueue(settings), migrateQueue(settings)]);
      await migrateQueue(settings);
      await using.producer(settings).enqueue([wakeUp()]);
    } finally {
      await using.close();
      await database.drop();
    }
  });

  it('gives up making them while another process does for too long, or when the connection is lost', async () => {
    const database = await createTestDatabase('template0');
    const settings = { databaseUrl: database.url };
    try {
      await database.database.transaction(async (other) => {
        await other.raw('create schema bullmq');
        const late = await failure(migrateQueue(settings, 300));
        expect(late.error).to.have.property('code', '57014');

        const cut = failure(migrateQueue(settings));
        await until('it waits, and is cut', async () => {
          const { rows } = await database.database.raw<{ rows: unknown[] }>(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rows.length > 0;
        });
        expect((await cut).error).to.be.instanceOf(Error);
        await other.rollback();
      });
      await migrateQueue(settings);
    } finally {
      await database.drop();
    }
  });

  it('refuses a database without them, and works once they are there', async () => {
    const database = await createTestDatabase('template0');
    const using = parts();
    try {
      const settings = { databaseUrl: database.url };
      const producer = using.producer(settings);
      const { error } = await failure(producer.check());
      expect(error).to.have.property('name', 'QueueUnavailableError');
      await migrateQueue(settings);
      await producer.enqueue([wakeUp()]);
    } finally {
      await using.close();
      await database.drop();
    }
  });
});

describe('the queue on Redis', () => {
  it('needs no tables, and no database', async () => {
    await migrateQueue({ databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing', redisUrl: 'redis://127.0.0.1:1' });
  });
});
