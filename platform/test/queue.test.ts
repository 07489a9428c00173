import { randomUUID } from 'node:crypto';
import { emailKinds } from '@dune-tide/domain/follow-ups';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { WakeUp } from '../src/queue/jobs.ts';
import { openProducer, type FollowUpProducer } from '../src/queue/producer.ts';
import { backends, type TestQueue } from './queue-backends.ts';
import { failure, parts, wakeUp, wakeUps } from './queue-support.ts';

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
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

      it('counts the jobs by state', async () => {
        const producer = using.producer(queue.settings);
        expect(await producer.depth()).to.deep.equal({ waiting: 0, active: 0, delayed: 0 });
        await producer.enqueue(wakeUps(3), 1);
        expect(await producer.depth()).to.deep.equal({ waiting: 3, active: 0, delayed: 0 });
      });

      it('delivers each wake-up with its kind and id', async () => {
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one), 5);
        const added = emailKinds.map((kind) => ({ id: randomUUID(), kind }));
        await using.producer(queue.settings).enqueue(added);
        await until('all are handled', () => handled.length === added.length);
        expect(handled).to.have.deep.members(added);
        await emptied();
      });

      it('adds no job for a webhook, which workers find in the database', async () => {
        const producer = using.producer(queue.settings);
        await producer.enqueue([{ id: randomUUID(), kind: 'webhook' }]);
        expect(await producer.depth()).to.deep.equal({ waiting: 0, active: 0, delayed: 0 });
      });

      it('removes erased follow-ups from their jobs, and keeps the other rows of these jobs', async () => {
        const producer = using.producer(queue.settings);
        const [alone, ...together] = wakeUps(4);
        await producer.enqueue(alone ? [alone] : []);
        await producer.enqueue(together, 3);
        await producer.remove([alone?.id ?? '', together[0]?.id ?? '', randomUUID()]);
        expect(await producer.depth()).to.include({ waiting: 1 });
        const handled: string[] = [];
        await using.consumer(queue.settings, ({ id }) => void handled.push(id));
        await until('the others are handled', () => handled.length === 2);
        expect(handled).to.have.members(together.slice(1).map(({ id }) => id));
        await emptied();
      });

      it('delivers jobs that were added before the consumer started, in order', async () => {
        const added = wakeUps(10);
        const producer = using.producer(queue.settings);
        for (const one of added) await producer.enqueue([one]);
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one));
        await until('all are handled', () => handled.length === added.length);
        expect(handled).to.deep.equal(added);
      });

      it('groups rows of a kind into jobs and delivers each row once', async () => {
        const producer = using.producer(queue.settings);
        const added = [...wakeUps(25), ...emailKinds.map((kind) => ({ id: randomUUID(), kind }))];
        await producer.enqueue(added);
        // Two jobs of acknowledgements (20 and 6 rows), and one job of each other kind.
        expect(await queue.raw.count()).to.equal(2 + emailKinds.length - 1);
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one), 2);
        await until('all are handled', () => handled.length >= added.length);
        await emptied();
        expect(handled).to.have.deep.members(added);
      });

      it('delivers the other rows of a job if some fail, and logs the failed ones', async () => {
        const added = wakeUps(4);
        const handled: string[] = [];
        await using.consumer(queue.settings, ({ id }) => {
          if (id === added[1]?.id || id === added[2]?.id) throw new TypeError(`row ${added[1]?.id === id ? 1 : 2}`);
          handled.push(id);
        });
        await using.producer(queue.settings).enqueue(added);
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

      it('starts no further row of a job while the consumer is closing', async () => {
        const added = wakeUps(5);
        const handled: WakeUp[] = [];
        const [started, letGo] = [deferred(), deferred()];
        const consumer = await using.consumer(queue.settings, async (one) => {
          handled.push(one);
          started.resolve();
          await letGo.promise;
        });
        await using.producer(queue.settings).enqueue(added);
        await started.promise;
        const closed = consumer.close();
        letGo.resolve();
        await closed;
        expect(handled).to.deep.equal([added[0]]);
      });

      it('adds no job for an empty list', async () => {
        await using.producer(queue.settings).enqueue([]);
        expect(await queue.raw.count()).to.equal(0);
      });

      it('adds no second job for a row that already has a waiting one', async () => {
        const [twice, last] = [wakeUp(), wakeUp()];
        const producer = using.producer(queue.settings);
        await producer.enqueue([twice, twice], 1);
        await producer.enqueue([twice]);
        await producer.enqueue([last]);
        expect(await queue.raw.count()).to.equal(2);
        const handled: WakeUp[] = [];
        await using.consumer(queue.settings, (one) => void handled.push(one));
        await until('the last is handled', () => handled.some(({ id }) => id === last.id));
        expect(handled).to.deep.equal([twice, last]);
      });

      it('delivers every row of two jobs with the same first row', async () => {
        const producer = using.producer(queue.settings);
        const [first = wakeUp(), ...others] = wakeUps(3);
        await producer.enqueue([first, ...others.slice(0, 1)]);
        await producer.enqueue([first, ...others.slice(1)]);
        const handled = new Set<string>();
        await using.consumer(queue.settings, ({ id }) => void handled.add(id));
        await emptied();
        expect(handled).to.have.all.keys(first.id, ...others.map(({ id }) => id));
      });

      it('delivers a row again if it is added after it was handled', async () => {
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

      it('removes and logs a failed job, and accepts its row again', async () => {
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
        const logged = () => using.log.lines().filter(({ msg }) => msg === 'job failed');
        await until('both failures are logged', () => logged().length === 2);
        const lines = logged();
        expect(lines[0]).to.include({ level: 'error', jobId: failing.id });
        expect(JSON.stringify(lines)).to.not.include('noura');
      });

      it('removes invalid jobs without delivering them', async () => {
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

      it('limits how many wake-ups are handled concurrently', async () => {
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
        await until('three are running', () => underWay === 3);
        release();
        await emptied();
        expect(most).to.equal(3);
      });

      it('finishes the running job when a consumer closes and leaves the next to another consumer', async () => {
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
        await producer.enqueue([first, second], 1);
        await until('the first is running', () => started.length === 1);

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

      it('closes an idle consumer without waiting for a job', async () => {
        const consumer = await using.consumer(queue.settings, () => undefined);
        await until('it waits for a job', async () => (await queue.idleConsumers()) === 1);
        const started = performance.now();
        await consumer.close();
        expect(performance.now() - started).to.be.below(2_000);
      });

      it('shares a hundred jobs between two consumers and delivers each once', async () => {
        const handledBy: [WakeUp[], WakeUp[]] = [[], []];
        const added = wakeUps(100);
        const producer = using.producer(queue.settings);
        // In parts, because an addition has a time limit.
        for (let from = 0; from < 100; from += 10) await producer.enqueue(added.slice(from, from + 10), 1);
        // The handlers wait, so that one consumer cannot handle every job before the other has started.
        await Promise.all(
          handledBy.map((handled) =>
            using.consumer(
              queue.settings,
              async (one) => {
                handled.push(one);
                await until('both have a job', () => handledBy.every(({ length }) => length > 0));
              },
              2,
            ),
          ),
        );
        await until('all are handled', () => handledBy.flat().length >= added.length);
        await emptied();
        expect(handledBy.flat()).to.have.deep.members(added);
      });

      // bench-follow-ups measures how long this takes.
      it('delivers jobs to a consumer that was idle', async () => {
        let arrived = 0;
        await using.consumer(queue.settings, () => void arrived++);
        const producer = using.producer(queue.settings);
        await producer.check();
        for (let times = 1; times <= 5; times++) {
          await until('it waits for a job', async () => (await queue.idleConsumers()) === 1);
          await producer.enqueue([wakeUp()]);
          await until('it arrived', () => arrived === times);
        }
      });

      it('passes its check', async () => {
        await using.producer(queue.settings).check();
      });

      it('closes a producer that was never used', async () => {
        await openProducer(queue.settings, using.log.logger).close();
      });

      for (const [what, use] of [
        ['was used', (producer: FollowUpProducer) => producer.check()],
        ['was never used', async () => undefined],
      ] as const) {
        it(`opens no connection for a closed producer that ${what}`, async () => {
          const producer = openProducer(queue.settings, using.log.logger);
          await use(producer);
          await Promise.all([producer.close(), producer.close()]);
          for (const call of [() => producer.enqueue([wakeUp()]), () => producer.check(), () => producer.depth()]) {
            expect((await failure(call())).error).to.have.property('name', 'QueueUnavailableError');
          }
          await producer.close();
        });
      }
    });
  });
}
