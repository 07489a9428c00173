import { randomUUID } from 'node:crypto';
import { connectForMaintenance } from '@dune-tide/db/connection';
import { followUpClaims, webhookStore } from '@dune-tide/db/follow-ups';
import { leadWork } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { openOutage } from '@dune-tide/platform/outage';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { startSendingWebhooks } from '../src/webhooks/send-webhooks.ts';
import { webhookTransport } from '../src/webhooks/transport.ts';
import { startWorker, type RunningWorker } from '../src/worker.ts';
import { secret, startReceiver, type ReceivedWebhook, type TestReceiver } from '@dune-tide/testkit/webhook-receiver';
import { deliveryDependencies, queueBackends, requireFollowUps, type TestQueue } from './support.ts';

const publicUrl = 'https://site.example';
const actor = { id: randomUUID(), name: 'Reem' };

async function addActor(database: Knex): Promise<void> {
  const password_hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g';
  await database('staff').insert({ ...actor, username: 'reem', password_hash });
}

/** Returns the number of webhooks in each state. */
async function statesOf(database: Knex): Promise<Record<string, number>> {
  const { rows } = await database.raw<{ rows: { state: string; count: number }[] }>(
    `select state, count(*)::integer as count from follow_ups where kind = 'webhook' group by state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** Checks that each webhook arrived once, and that the webhooks of each lead arrived in order. */
function expectOnceInOrder(received: readonly ReceivedWebhook[], count: number): void {
  expect(received.length, 'arrivals').to.equal(count);
  expect(new Set(received.map(({ id }) => id)).size, 'without copies').to.equal(count);
  const last = new Map<string, string>();
  for (const { body } of received) {
    const place = `${String(body.data.version).padStart(9, '0')} ${body.type}`;
    const before = last.get(body.data.id) ?? '';
    if (!(before < place)) expect.fail(`${body.data.id}: ${place} after ${before}`);
    last.set(body.data.id, place);
  }
}

for (const { name, open } of queueBackends) {
  describe(`webhooks of a worker, with the queue on ${name}`, () => {
    const test = withTestDatabase();
    let queue: TestQueue;
    const writing = (): Knex => test().appWithWebhooks;
    let receiver: TestReceiver;
    let smtp: TestSmtp;
    let workers: RunningWorker[];
    let closing: (() => Promise<void>)[];

    before(async () => {
      queue = await open(test().appUrl, test().database);
      await addActor(test().database);
    });
    after(() => queue.stop());
    beforeEach(async () => {
      await queue.flush();
      await test().database.raw('truncate leads, follow_ups cascade');
      [receiver, smtp] = await Promise.all([startReceiver(), startTestSmtp()]);
      [workers, closing] = [[], []];
    });
    afterEach(async () => {
      // Ends the requests that the workers would otherwise wait for.
      await receiver.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all(closing.map((close) => close()));
      await smtp.close();
    });

    async function start(): Promise<RunningWorker> {
      const { logger } = memoryLogger();
      const dependencies = deliveryDependencies(test().app, smtp);
      const producer = openProducer(queue.settings, logger);
      const { app: database } = test();
      const webhooks = webhookStore(database);
      const worker = await startWorker({
        ...dependencies,
        database,
        producer,
        queue: queue.settings,
        concurrency: 5,
        logger,
        webhookTransport: webhookTransport({
          url: receiver.url,
          secrets: [secret],
          publicUrl,
          webhooks,
        }),
      });
      workers.push(worker);
      closing.push(
        () => producer.close(),
        () => dependencies.mailer.close(),
      );
      return worker;
    }
    const areSent = (count: number) => async () => (await statesOf(test().database))['sent'] === count;

    it('arrive once and in the order of the changes, from several workers', async () => {
      await start();
      await start();
      const work = leadWork(writing(), brand.mailDomain);
      const leads = await Promise.all(Array.from({ length: 10 }, () => requireFollowUps(writing(), 'contact')));
      await Promise.all(
        leads.flat().map(async ({ leadId }) => {
          await work.change(leadId, { ownerId: actor.id }, actor);
          await work.change(leadId, { status: 'contacted' }, actor);
          await work.change(leadId, { status: 'won', ownerId: null }, actor);
        }),
      );
      await until('all are sent', areSent(50));
      expectOnceInOrder(receiver.received, 50);
    });

    it('delay no email while the receiver responds to none of them', async () => {
      const openRequests = new Set<unknown>();
      let most = 0;
      receiver.respond = (response) => {
        openRequests.add(response);
        most = Math.max(most, openRequests.size);
        response.once('close', () => openRequests.delete(response));
      };
      await start();
      for (let count = 0; count < 40; count++) await requireFollowUps(writing(), 'contact');
      await until('all emails are sent', () => smtp.accepted.length === 40);
      await until('the receiver got a webhook', () => most > 0);
      const { pending = 0, sending = 0, sent = 0 } = await statesOf(test().database);
      expect(pending + sending, 'webhooks that wait').to.equal(40);
      expect(sent).to.equal(0);
      expect(most, 'requests that wait for a response').to.be.at.most(5);
    });

    it('are settled when the worker closes while it sends them', async () => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      receiver.respond = async (response) => {
        await held;
        response.writeHead(204).end();
      };
      const worker = await start();
      await requireFollowUps(writing(), 'contact');
      await until('it is being sent', () => receiver.received.length === 1);
      const closed = worker.close();
      release();
      await closed;
      expect(await statesOf(test().database)).to.deep.equal({ sent: 1 });
    });

    it('of a worker without a WEBHOOK_URL wait', async () => {
      const { logger } = memoryLogger();
      const dependencies = deliveryDependencies(test().app, smtp);
      const producer = openProducer(queue.settings, logger);
      closing.push(
        () => producer.close(),
        () => dependencies.mailer.close(),
      );
      const { app: database } = test();
      workers.push(
        await startWorker({ ...dependencies, database, producer, queue: queue.settings, concurrency: 5, logger }),
      );
      await requireFollowUps(writing(), 'contact');
      await until('the email is sent', () => smtp.accepted.length === 1);
      expect(await statesOf(test().database)).to.deep.equal({ pending: 1 });
    });
  });
}

describe('webhooks while the receiver is down', () => {
  const test = withTestDatabase();
  const [leads, each] = [75, 4];
  const total = leads * each;

  before(async () => {
    const maintenance = connectForMaintenance({ url: test().url, applicationName: 'test' });
    try {
      const [{ leadId } = { leadId: '' }] = await requireFollowUps(test().database, 'contact');
      await maintenance.raw(
        `insert into leads (id, kind, email, answers)
         select gen_random_uuid(), kind, email, answers from leads, generate_series(2, ${leads}) where id = ?`,
        [leadId],
      );
      await maintenance.raw(`delete from follow_ups`);
      for (let version = 1; version <= each; version++) {
        await maintenance.transaction(async (transaction) => {
          await transaction.raw(`set local app.webhooks = 'on'`);
          const status = version % 2 === 1 ? 'qualified' : 'contacted';
          await transaction.raw(`update leads set status = ?, version = version + 1`, [status]);
        });
      }
    } finally {
      await maintenance.destroy();
    }
  });

  it('are all sent once and in order when it is back', async () => {
    const { database } = test();
    expect(await statesOf(database)).to.deep.equal({ pending: total });
    const receiver = await startReceiver();
    const port = Number(new URL(receiver.url).port);
    await receiver.close();
    const closing = new AbortController();
    const webhooks = webhookStore(test().app);
    const { logger, lines } = memoryLogger();
    const times = { pauseMs: () => 50, lineMs: 60_000 };
    const outage = openOutage({ part: 'webhook receiver', address: 'the port', logger, times });
    const ended = startSendingWebhooks({
      followUps: followUpClaims(test().app),
      logger,
      sentNotes: { add: async () => async () => undefined, adopt: async () => undefined },
      webhooks,
      transport: webhookTransport({ url: receiver.url, secrets: [secret], publicUrl, webhooks, outage }),
      closing: closing.signal,
    });
    let isUp = false;
    let back: TestReceiver | undefined;
    try {
      await until('several attempts found it down', async () => {
        const { rows } = await database.raw<{ rows: unknown[] }>(
          `select from follow_ups where server_answer = 'ECONNREFUSED' limit 5`,
        );
        return rows.length === 5;
      });
      expect(
        await database('follow_ups').where('attempts', '>', 0).where({ state: 'pending' }),
        'no attempt',
      ).to.have.length(0);

      const accepted: ReceivedWebhook[] = [];
      back = await startReceiver(port);
      back.respond = (response, webhook) => {
        if (isUp) accepted.push(webhook);
        response.writeHead(isUp ? 204 : 503).end();
      };
      await until('many were rejected', () => (back?.received.length ?? 0) >= 30);
      isUp = true;
      await until('all are sent', async () => {
        // The delays of those that were rejected, or found the receiver down, pass.
        await database('follow_ups')
          .where({ state: 'pending' })
          .whereNotNull('server_answer')
          .where('available_at', '>', database.fn.now())
          .update({ available_at: database.fn.now() });
        return (await statesOf(database))['sent'] === total;
      });
      expectOnceInOrder(accepted, total);
      const told = lines().filter(({ level }) => level === 'warn');
      expect(told.map(({ msg }) => msg)).to.deep.equal([
        'The webhook receiver the port is unavailable (ECONNREFUSED: no server is listening there).',
        'The webhook receiver the port is unavailable (HTTP 503: it responds that it is unavailable).',
      ]);
    } finally {
      closing.abort();
      outage.stopWaiting();
      await ended;
      await back?.close();
    }
  });
});
