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

describe('the response to a visitor', () => {
  describe('while the queue is stalled', () => {
    const release = deferred();
    const producer = fakeProducer(() => release.promise);
    const api = withTestApi(() => ({ producer, staffEmail }));

    it('does not wait for the queue', async () => {
      const started = performance.now();
      for (let count = 0; count < 5; count++) {
        const response = await api().post('/api/portfolio-lead', validExample(portfolioRequestForm));
        expect(response.status).to.equal(201);
      }
      expect(performance.now() - started, 'no wait of a second each').to.be.below(5000);
      expect(await api().leads()).to.have.length(5);
      expect(producer.batches, 'one batch is being queued').to.have.length(1);

      release.resolve();
      await until('the rest is queued', () => producer.batches.length === 2);
      expect(producer.batches[1], 'all rows that arrived since, in one batch').to.have.length(8);
      const required = (await api().followUps()).map(({ id, kind }) => ({ id, kind }));
      expect(producer.batches.flat()).to.have.deep.members(required);
    });
  });

  describe('while the queue refuses', () => {
    const producer = fakeProducer(refused);
    const api = withTestApi(() => ({ producer, staffEmail }));

    it('is 201, and the failure is logged without the error text of the queue', async () => {
      const response = await api().post('/api/contact', validExample(contactForm));

      expect(response.status).to.equal(201);
      expect(await api().followUps()).to.have.length(2);
      const line = await until('the failure is logged', () =>
        api()
          .logLines()
          .find(({ msg }) => msg === 'follow-ups not queued; the sweep will find them'),
      );
      expect(line).to.include({ level: 'warn', followUps: 2 });
      expect(JSON.stringify(line)).to.not.include('noura');
    });

    it('is 201 for the next lead, and the queue is tried again', async () => {
      const asked = producer.batches.length;
      expect((await api().post('/api/contact', validExample(contactForm))).status).to.equal(201);
      await until('the queue is tried again', () => producer.batches.length === asked + 1);
    });
  });

  it('is sent only after the lead and its follow-ups are committed', async () => {
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

    expect(committed, 'visible to another connection when the job is queued').to.deep.equal([2]);
    await database.drop();
  });

  it('to a retry with the same Idempotency-Key does not add a second job', async () => {
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
  it('of a burst are queued in bulk, each once and in order', async () => {
    const producer = fakeProducer(() => new Promise((resolve) => setImmediate(resolve)));
    const wakes = wakeUps(producer, memoryLogger().logger);

    const all = rows(1000);
    for (const row of all) wakes.add([row]);
    await wakes.close();

    expect(producer.batches.flat()).to.deep.equal(all);
    expect(producer.batches).to.have.length(2);
  });

  it('are queued before close() resolves', async () => {
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

  it('close immediately if none are waiting', async () => {
    await wakeUps(fakeProducer(refused), memoryLogger().logger).close();
  });

  it('continue after the queue threw an error', async () => {
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

  it('continue after an empty list was added', async () => {
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
