import { reminderStore } from '@dune-tide/db/follow-ups';
import { brand } from '@dune-tide/domain/brand';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { personalData } from '@dune-tide/db/personal-data';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { startWriting, writeDue } from '../src/staff-emails/write-due.ts';
import { startWorker } from '../src/worker.ts';
import { deliveryDependencies, queueBackends, requireFollowUps, type TestQueue } from './support.ts';

const studio = 'studio@example.com';

for (const { name, open, unavailable } of queueBackends) {
  describe(`reminders, with the queue on ${name}`, () => {
    const test = withTestDatabase();
    let queue: TestQueue;
    let smtp: TestSmtp;
    before(async () => {
      queue = await open(test().url, test().database);
    });
    after(() => queue.stop());
    beforeEach(async () => {
      await queue.flush();
      await test().database.raw('truncate leads, follow_ups cascade');
      smtp = await startTestSmtp();
      await requireFollowUps(test().database, 'contact');
      await test().database('follow_ups').update({ state: 'sent', sent_at: new Date() });
      await test()
        .database('leads')
        .update({ created_at: new Date(Date.now() - 21 * 3_600_000) });
    });
    afterEach(() => smtp.close());

    const reminders = () => reminderStore(test().database, brand.mailDomain);
    const rows = () => test().database('follow_ups').where({ kind: 'reminder' }).select('state', 'recipient');

    it('are sent by a worker, and so are notices of erasures', async () => {
      const { logger } = memoryLogger();
      const { id } = await addAccount(test().database);
      await personalData(test().app).erase('erased@visitor.example', { id });
      const producer = openProducer(queue.settings, logger);
      const { transports, mailer } = deliveryDependencies(test().database, smtp);
      const worker = await startWorker({
        database: test().database,
        producer,
        queue: queue.settings,
        transports,
        sentNotes: { add: async () => async () => undefined, adopt: async () => undefined },
        concurrency: 1,
        limits: null,
        logger,
        staffEmail: studio,
      });
      try {
        const sent = test()
          .database('follow_ups')
          .whereIn('kind', ['reminder', 'erasure_notice'])
          .where({ state: 'sent' });
        await until('both are sent', async () => (await sent.clone()).length === 2);
        expect(await rows()).to.deep.equal([{ state: 'sent', recipient: studio }]);
        expect(smtp.accepted.map(({ to }) => to)).to.deep.equal([studio, studio]);
        const mails = smtp.accepted.map(({ raw }) => raw.toString());
        expect(mails.filter((mail) => mail.includes('Personal data of 1 address was erased.'))).to.have.length(1);
        expect(mails.join('\n')).to.not.include('visitor.example');
      } finally {
        await worker.close();
        await mailer.close();
        await producer.close();
      }
    });

    it('are written once, and left to the sweep if the queue is unavailable', async () => {
      const { logger, lines } = memoryLogger();
      const producer = openProducer(unavailable(test().url), logger);
      const due = { name: 'reminders', write: () => reminders().write(studio), producer, logger };
      try {
        expect(await writeDue(due)).to.equal(1);
        expect(await writeDue(due)).to.equal(0);
      } finally {
        await producer.close();
      }
      expect(lines().map(({ msg }) => msg)).to.include('reminders not queued; the sweep will find them');
      expect(await rows()).to.deep.equal([{ state: 'pending', recipient: studio }]);
    });
  });
}

describe('reminding', () => {
  it('continues after a failure, and ends when the worker closes', async () => {
    const { logger, lines } = memoryLogger();
    const closing = new AbortController();
    const reminding = startWriting({
      name: 'reminders',
      write: async () => Promise.reject(new RangeError('no database')),
      intervalMs: 30_000,
      producer: { enqueue: async () => undefined },
      logger,
      closing: closing.signal,
    });
    await until('the failure is logged', () => lines().some(({ msg }) => msg === 'reminders not written'));
    closing.abort();
    await reminding;
  });
});
