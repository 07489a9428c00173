import { contactForm } from '@dune-tide/domain/forms/contact';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { validExample } from '@dune-tide/domain/test/examples';
import { createTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import { expect } from 'chai';
import { wakeUps } from '../src/leads/wake-up.ts';
import { deferred, fakeProducer, startTestApi, withTestApi, type FakeProducer } from './support.ts';

const staffEmail = 'team@studio.example';
const refused = async (): Promise<void> => {
  throw new Error('the queue refused noura@example.com');
};
const rows = (count: number): WakeUp[] =>
  Array.from({ length: count }, (_, index) => ({ id: `row-${index}`, kind: 'acknowledgement' }));

describe("a visitor's answer", () => {
  describe('while the queue is stalled', () => {
    const release = deferred();
    const producer = fakeProducer(() => release.promise);
    const api = withTestApi(() => ({ producer, staffEmail }));

    it('does not wait for it', async () => {
      const started = performance.now();
      for (let count = 0; count < 5; count++) {
        const answer = await api().post('/api/portfolio-lead', validExample(portfolioRequestForm));
        expect(answer.status).to.equal(201);
      }
      expect(performance.now() - started, 'no wait of a second each').to.be.below(5000);
      expect(await api().leads()).to.have.length(5);
      expect(producer.batches, 'one add is under way').to.have.length(1);

      release.resolve();
      await until('the rest is added', () => producer.batches.length === 2);
      expect(producer.batches[1], 'all that came meanwhile, in one add').to.have.length(8);
      const owed = (await api().followUps()).map(({ id, kind }) => ({ id, kind }));
      expect(producer.batches.flat()).to.have.deep.members(owed);
    });
  });

  describe('while the queue refuses', () => {
    const producer = fakeProducer(refused);
    const api = withTestApi(() => ({ producer, staffEmail }));

    it('stands, and the failure is logged without what the queue said', async () => {
      const answer = await api().post('/api/contact', validExample(contactForm));

      expect(answer.status).to.equal(201);
      expect(await api().followUps()).to.have.length(2);
      const line = await until('the failure is logged', () =>
        api()
          .logLines()
          .find(({ msg }) => msg === 'follow-ups not queued; the sweep will find them'),
      );
      expect(line).to.include({ level: 'warn', followUps: 2 });
      expect(JSON.stringify(line)).to.not.include('noura');
    });

    it('stands the next time, and the queue is asked again', async () => {
      const asked = producer.batches.length;
      expect((await api().post('/api/contact', validExample(contactForm))).status).to.equal(201);
      await until('the queue is asked again', () => producer.batches.length === asked + 1);
    });
  });

  it('is only given once the lead and its follow-ups are committed', async () => {
    const database = await createTestDatabase();
    const committed: number[] = [];
    const producer: FakeProducer = fakeProducer(async () => {
      const { rows: counted } = await database.database.raw<{ rows: { count: number }[] }>(
        'select count(*)::integer as count from follow_ups join leads on leads.id = lead_id',
      );
      committed.push(counted[0]?.count ?? 0);
    });
    const api = await startTestApi(database, { producer, staffEmail });

    await api.post('/api/contact', validExample(contactForm));
    await api.close();

    expect(committed, 'seen by another connection when the job is added').to.deep.equal([2]);
    await database.drop();
  });

  it('replayed for its Idempotency-Key adds no second job', async () => {
    const database = await createTestDatabase();
    const producer = fakeProducer(async () => undefined);
    const api = await startTestApi(database, { producer, staffEmail });

    for (let count = 0; count < 3; count++) {
      await api.post('/api/contact', validExample(contactForm), { 'Idempotency-Key': 'once' });
    }
    await api.close();

    expect(producer.batches.flat()).to.have.length(2);
    await database.drop();
  });
});

describe('wake-ups', () => {
  it('that come in a burst are added in bulk, each once and in order', async () => {
    const producer = fakeProducer(() => new Promise((resolve) => setImmediate(resolve)));
    const wakes = wakeUps(producer, memoryLogger().logger);

    const all = rows(1000);
    for (const row of all) wakes.add([row]);
    await wakes.close();

    expect(producer.batches.flat()).to.deep.equal(all);
    expect(producer.batches).to.have.length(2);
  });

  it('are waited for at the close', async () => {
    const release = deferred();
    const producer = fakeProducer(() => release.promise);
    const wakes = wakeUps(producer, memoryLogger().logger);
    wakes.add(rows(1));
    wakes.add(rows(2));

    let isClosed = false;
    const closing = wakes.close().then(() => (isClosed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).to.equal(false);

    release.resolve();
    await closing;
    expect(producer.batches.flat()).to.have.length(3);
  });

  it('close at once when there are none', async () => {
    await wakeUps(fakeProducer(refused), memoryLogger().logger).close();
  });

  it('go on after a queue that failed at once', async () => {
    const producer = fakeProducer(async () => undefined);
    let isBroken = true;
    const broken = {
      ...producer,
      enqueue: (wakes: readonly WakeUp[]): Promise<void> => {
        if (isBroken) throw new Error('broken');
        return producer.enqueue(wakes);
      },
    };
    const wakes = wakeUps(broken, memoryLogger().logger);
    wakes.add(rows(1));
    await wakes.close();

    isBroken = false;
    wakes.add(rows(3));
    await wakes.close();
    expect(producer.batches).to.deep.equal([rows(3)]);
  });

  it('go on after nothing was added', async () => {
    const producer = fakeProducer(async () => undefined);
    const wakes = wakeUps(producer, memoryLogger().logger);
    wakes.add([]);
    wakes.add(rows(1));
    await wakes.close();

    expect(producer.batches).to.deep.equal([rows(1)]);
  });

  it('beyond the maximum are left to the sweep, with a warning in the log', async () => {
    const release = deferred();
    const producer = fakeProducer(() => release.promise);
    const { logger, lines } = memoryLogger();
    const wakes = wakeUps(producer, logger);

    wakes.add(rows(1));
    for (let count = 0; count < 60; count++) wakes.add(rows(100));
    release.resolve();
    await wakes.close();

    expect(producer.batches.flat()).to.have.length(5001);
    expect(lines().filter(({ msg }) => msg === 'too many wake-ups waiting; the sweep will find these')).to.have.length(
      10,
    );
  });
});
