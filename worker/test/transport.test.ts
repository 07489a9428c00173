import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import type { ClaimedFollowUp } from '@dune-tide/db/follow-ups';
import { followUpKinds, type FollowUpKind } from '@dune-tide/domain/follow-ups';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { expect } from 'chai';
import { deliver, settleNotes } from '../src/delivery/deliver.ts';
import { maxAttempts } from '../src/delivery/retry-delay.ts';
import { openSentNotes } from '../src/delivery/sent-notes.ts';
import { sweep } from '../src/delivery/sweep.ts';
import type { Lease, Outcome, Transport, Transports } from '../src/delivery/transport.ts';
import { startWorker } from '../src/worker.ts';
import {
  countStates,
  deliveryOver,
  makeDue,
  only,
  queueBackends,
  readRow,
  requireFollowUp,
  type TestQueue,
} from './support.ts';

/** A kind of follow-up that exists only in this file's databases: not an email, and not limited to one per lead. */
const ping = 'ping' as FollowUpKind;

const sent: Outcome = { result: 'sent', serverResponse: 'pong' };

describe('a transport other than email', () => {
  const test = withTestDatabase();
  let calls: { readonly followUp: ClaimedFollowUp; readonly isFirstTry: boolean }[];
  let respond: (followUp: ClaimedFollowUp, lease: Lease) => Promise<Outcome>;
  let ofThisRelease: Transports;
  let transports: Transports;
  let dependencies: ReturnType<typeof deliveryOver>;

  before(async () => {
    const kinds = [...followUpKinds, ping].map((kind) => `'${kind}'`).join(', ');
    await test().database.raw(`
      alter table follow_ups
        drop constraint follow_ups_kind_known,
        add constraint follow_ups_kind_known check (kind in (${kinds}))
    `);
  });

  beforeEach(async () => {
    await test().database('follow_ups').delete();
    calls = [];
    respond = async () => sent;
    const transport: Transport = {
      limits: { sendSeconds: 10, prolongedSeconds: 60 },
      send(followUp, lease, isFirstTry) {
        calls.push({ followUp, isFirstTry });
        return respond(followUp, lease);
      },
    };
    ofThisRelease = {
      portfolio_pdf: transport,
      acknowledgement: transport,
      staff_notice: transport,
      staff_digest: transport,
      reminder: transport,
      lead_notification: transport,
      account_notice: transport,
      erasure_notice: transport,
      reply: transport,
    };
    transports = { ...ofThisRelease, [ping]: transport };
    dependencies = deliveryOver(test().app, transports);
  });

  /** Stores a follow-up that is due. */
  async function writePing(leadId: string | null = null): Promise<WakeUp> {
    const id = randomUUID();
    await test().database('follow_ups').insert({ id, lead_id: leadId, kind: ping });
    return { id, kind: ping };
  }
  const row = ({ id }: WakeUp) => readRow(test().database, id);
  const deliverAgain = async (wakeUp: WakeUp): Promise<void> => {
    await makeDue(test().database, [wakeUp.id]);
    await deliver(wakeUp, dependencies);
  };

  it('receives the row, with no recipient, no Message-ID and no lead', async () => {
    const wakeUp = await writePing();
    await deliver(wakeUp, dependencies);
    const { followUp, isFirstTry } = only(calls);
    const nothing = { recipient: null, messageId: null, leadId: null };
    expect(followUp).to.deep.equal({ ...wakeUp, ...nothing, attempts: 1, lease: followUp.lease });
    expect(isFirstTry).to.equal(true);
    expect(await row(wakeUp)).to.include({ state: 'sent', attempts: 1, lease: null, server_answer: 'pong' });
    expect(dependencies.lines()).to.have.length(1);
    expect(dependencies.lines()[0]).to.include({ followUpId: wakeUp.id, leadId: null, kind: ping, outcome: 'sent' });
  });

  it('sends two follow-ups for one lead, and one without a lead', async () => {
    const { leadId } = await requireFollowUp(test().app, 'contact');
    const wakeUps = [await writePing(leadId), await writePing(leadId), await writePing()];
    await Promise.all(wakeUps.map((wakeUp) => deliver(wakeUp, dependencies)));
    expect(calls.map(({ followUp }) => followUp.id)).to.have.members(wakeUps.map(({ id }) => id));
    expect(calls.map(({ followUp }) => followUp.leadId)).to.have.members([leadId, leadId, null]);
    for (const wakeUp of wakeUps) expect(await row(wakeUp)).to.include({ state: 'sent' });
  });

  it('determines the length of the lease by its time limits', async () => {
    const wakeUp = await writePing();
    respond = async (_, lease) => {
      expect((await row(wakeUp)).delay, 'the wait for a connection, the send, a statement').to.equal(30 + 10 + 10);
      expect(await lease.holdsUntil()).to.be.within(performance.now() + 40_000, performance.now() + 50_000);
      lease.prolong();
      await until('the lease is prolonged', async () => (await row(wakeUp)).delay === 60 + 10);
      return sent;
    };
    await deliver(wakeUp, dependencies);
    expect(await row(wakeUp)).to.include({ state: 'sent' });
  });

  const failure = (result: 'temporary' | 'permanent' | 'outage'): Outcome => ({
    result,
    serverResponse: `${result} response`,
    error: new Error(result),
  });

  it('is retried after a temporary failure, and each attempt counts', async () => {
    const wakeUp = await writePing();
    respond = async () => failure('temporary');
    await deliver(wakeUp, dependencies);
    expect(await row(wakeUp)).to.include({ state: 'pending', attempts: 1, server_answer: 'temporary response' });
    expect((await row(wakeUp)).delay).to.be.within(7.5, 15);
    respond = async () => sent;
    await deliverAgain(wakeUp);
    expect(await row(wakeUp)).to.include({ state: 'sent', attempts: 2 });
    expect(calls.map(({ isFirstTry }) => isFirstTry)).to.deep.equal([true, false]);
  });

  it('fails on the last attempt, and immediately on a permanent failure', async () => {
    const [last, permanent] = [await writePing(), await writePing()];
    await test()
      .database('follow_ups')
      .where({ id: last.id })
      .update({ attempts: maxAttempts - 1 });
    respond = async ({ id }) => failure(id === last.id ? 'temporary' : 'permanent');
    for (const wakeUp of [last, permanent]) await deliver(wakeUp, dependencies);
    expect(await row(last)).to.include({ state: 'failed', attempts: maxAttempts, server_answer: 'temporary response' });
    expect(await row(permanent)).to.include({ state: 'failed', attempts: 1, server_answer: 'permanent response' });
  });

  it('uses no attempt in an outage', async () => {
    const wakeUp = await writePing();
    respond = async () => failure('outage');
    for (let tries = 0; tries < 3; tries++) await deliverAgain(wakeUp);
    expect(await row(wakeUp)).to.include({ state: 'pending', attempts: 0, server_answer: 'outage response' });
  });

  it('uses no attempt and keeps the response if it cannot read from the database', async () => {
    const wakeUp = await writePing();
    await test().database('follow_ups').where({ id: wakeUp.id }).update({ attempts: 2, server_answer: 'a response' });
    respond = () => Promise.reject(new DatabaseUnavailableError(new Error('unavailable')));
    await deliver(wakeUp, dependencies);
    expect(await row(wakeUp)).to.include({ state: 'pending', attempts: 2, lease: null, server_answer: 'a response' });
    expect((await row(wakeUp)).delay).to.be.within(2.5, 5);
  });

  it('is retried after an unexpected error', async () => {
    const wakeUp = await writePing();
    respond = () => Promise.reject(new TypeError('Cannot read properties of undefined'));
    await deliver(wakeUp, dependencies);
    expect(await row(wakeUp)).to.include({ state: 'pending', attempts: 1, server_answer: 'TypeError' });
    const warnings = dependencies.lines().filter(({ msg }) => msg === 'not sent');
    expect(warnings.map(({ fault }) => fault)).to.deep.equal(['temporary']);
  });

  it('is noted as sent if its worker ends while the database is unavailable', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'notes-'));
    try {
      const wakeUp = await writePing();
      const sentNotes = openSentNotes(directory);
      const ending = new Error('the worker ends');
      let isNoted = false;
      const ended: unknown = await deliver(wakeUp, {
        ...dependencies,
        sentNotes: {
          ...sentNotes,
          async add(...note) {
            const remove = await sentNotes.add(...note);
            isNoted = true;
            return remove;
          },
        },
        followUps: {
          ...dependencies.followUps,
          markSent: () => Promise.reject(isNoted ? ending : new DatabaseUnavailableError(new Error('unavailable'))),
        },
      }).catch((error: unknown) => error);
      expect(ended).to.equal(ending);
      expect(await row(wakeUp)).to.include({ state: 'sending' });
      await settleNotes({ ...dependencies, sentNotes });
      expect(await row(wakeUp)).to.include({ state: 'sent', server_answer: 'pong' });
      expect(calls).to.have.length(1);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('gets no wake-ups from a worker of an earlier release, which does not have it', async () => {
    const { id, kind } = await requireFollowUp(test().app, 'contact');
    const wakeUp = await writePing();
    await makeDue(test().database, [id, wakeUp.id]);
    const enqueued: WakeUp[] = [];
    await sweep({
      ...dependencies,
      transports: ofThisRelease,
      producer: {
        enqueue: async (wakeUps) => void enqueued.push(...wakeUps),
        remove: async () => undefined,
        depth: async () => ({ waiting: 0, active: 0, delayed: 0 }),
        check: async () => undefined,
        close: async () => undefined,
      },
    });
    expect(enqueued).to.deep.equal([{ id, kind }]);
  });

  for (const { name, open } of queueBackends) {
    describe(`with the queue on ${name}`, () => {
      let queue: TestQueue;
      before(async () => {
        queue = await open(test().appUrl, test().database);
      });
      after(() => queue.stop());

      it('sends every follow-up once: enqueued, found by the sweep or left by a dead worker', async () => {
        const { leadId } = await requireFollowUp(test().app, 'contact');
        const enqueued = [await writePing(leadId), await writePing()];
        const found = [await writePing(leadId), await writePing()];
        const left = [await writePing()];
        for (const { id } of left)
          expect(await dependencies.followUps.claim(id, 60)).to.include({ outcome: 'claimed' });
        await makeDue(
          test().database,
          [...found, ...left].map(({ id }) => id),
        );
        const { logger } = memoryLogger();
        const producer = openProducer(queue.settings, logger);
        const worker = await startWorker({
          database: test().database,
          producer,
          queue: queue.settings,
          transports,
          sentNotes: dependencies.sentNotes,
          concurrency: 2,
          limits: null,
          logger,
        });
        try {
          await producer.enqueue(enqueued);
          const ids = [...enqueued, ...found, ...left].map(({ id }) => id);
          await until('all are sent', async () => (await countStates(test().database, ids))['sent'] === ids.length);
          expect(
            calls.filter(({ followUp }) => followUp.kind === ping).map(({ followUp }) => followUp.id),
          ).to.have.members(ids);
        } finally {
          await worker.close();
          await producer.close();
        }
      });
    });
  }
});
