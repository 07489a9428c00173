import { openOutage, type Outage } from '@dune-tide/platform/outage';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { startWorker } from '../src/worker.ts';
import { deliveryDependencies, makeDue, queueBackends, requireFollowUp, type TestQueue } from './support.ts';

const concurrency = 5;
const emails = 60;

for (const { name, open } of queueBackends) {
  describe(`an outage of the mail server, with the queue on ${name}`, () => {
    const test = withTestDatabase();
    let queue: TestQueue;
    let smtp: TestSmtp;
    let toClose: (() => Promise<unknown>)[];

    before(async () => {
      queue = await open(test().appUrl, test().database);
    });
    after(() => queue.stop());
    beforeEach(async () => {
      toClose = [];
      await queue.flush();
      await test().database('leads').delete();
      smtp = await startTestSmtp();
    });
    afterEach(async () => {
      for (const close of toClose.reverse()) await close();
      await smtp.close();
    });

    /** Starts a worker with waiting emails. @returns its log and the state of the mail server */
    async function workOn(url: string) {
      const { logger, lines } = memoryLogger();
      let probes = 0;
      const mailOutage: Outage = openOutage({
        part: 'mail server',
        address: 'mail.example:25',
        logger,
        probe: () => {
          probes++;
          return dependencies.mailer.check();
        },
        times: { pauseMs: () => 100, lineMs: 60_000 },
      });
      const dependencies = deliveryDependencies(test().app, { url }, { mailOutage });
      const producer = openProducer(queue.settings, logger);
      toClose.push(
        () => producer.close(),
        () => dependencies.mailer.close(),
      );
      const rows = await Promise.all(Array.from({ length: emails }, () => requireFollowUp(test().app, 'contact')));
      await producer.enqueue(rows);
      const worker = await startWorker({
        ...dependencies,
        database: test().app,
        producer,
        queue: queue.settings,
        concurrency,
        logger,
      });
      toClose.push(() => worker.close());
      const warnings = () => lines().filter(({ level }) => level === 'warn' || level === 'error');
      return { rows, warnings, lines, probes: () => probes };
    }

    const writes = async (): Promise<string> => {
      const { rows } = await test().database.raw<{ rows: { state: string }[] }>(
        `select string_agg(xmin::text, ',' order by id) as state from follow_ups`,
      );
      return rows[0]?.state ?? '';
    };
    const sum = async (column: string): Promise<number> => {
      const { rows } = await test().database.raw<{ rows: { sum: number }[] }>(
        `select sum(${column})::integer as sum from follow_ups`,
      );
      return rows[0]?.sum ?? 0;
    };
    const allSent = () =>
      until(
        'all are sent',
        async () => (await test().database('follow_ups').where({ state: 'sent' })).length === emails,
      );

    it('uses one connection at a time, no row and few lines, and all emails are sent when it ends', async () => {
      await smtp.goAway();
      const { rows, warnings, lines, probes } = await workOn(smtp.url);
      await until('it was tried', () => probes() >= 3);
      await until('the rows in progress are released', async () => (await sum('attempts')) === 0);
      const before = await writes();
      const tried = probes();
      await until('it was tried again', () => probes() >= tried + 10);
      expect(await writes(), 'rows').to.equal(before);
      expect(warnings().map(({ msg }) => msg)).to.deep.equal([
        'The mail server mail.example:25 is unavailable (ECONNREFUSED: no server is listening there).',
      ]);

      await smtp.comeBack();
      await makeDue(
        test().database,
        rows.map(({ id }) => id),
      );
      await allSent();
      expect(smtp.accepted.map(({ to }) => to).sort()).to.deep.equal(rows.map(({ recipient }) => recipient).sort());
      expect(await sum('attempts')).to.equal(emails);
      expect(lines().map(({ msg }) => msg)).to.include('The mail server mail.example:25 is available again.');
    });

    it('sends one email at a time if the server rejects the sender', async () => {
      let senders = 0;
      let isRejected = true;
      smtp.script = {
        onMail() {
          senders++;
          return isRejected ? { code: 550, text: 'Sender not allowed' } : undefined;
        },
      };
      const { warnings } = await workOn(smtp.url);
      await until('it was tried', () => senders >= concurrency + 3);
      const [tried, since] = [senders, performance.now()];
      await until('it was tried again', () => senders >= tried + 11);
      expect(performance.now() - since, 'milliseconds').to.be.at.least(10 * 100);
      expect(warnings().map(({ msg }) => msg)).to.deep.equal([
        'The mail server mail.example:25 is unavailable (550: it rejects the address of the sender).',
      ]);
      isRejected = false;
      await allSent();
      expect(await sum('attempts')).to.equal(emails);
    });
  });
}
