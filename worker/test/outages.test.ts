import { connectDatabase, probeDatabase } from '@dune-tide/db/connection';
import { openOutage, type Outage } from '@dune-tide/platform/outage';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { testService } from '@dune-tide/testkit/environment';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { startWorker } from '../src/worker.ts';
import { deliveryDependencies, makeDue, queueBackends, requireFollowUp, type TestQueue } from './support.ts';

const concurrency = 5;
const emails = 60;

for (const { name, open } of queueBackends) {
  describe(`an outage, with the queue on ${name}`, () => {
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

    it('of the mail server uses one connection at a time, one line and no row', async () => {
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

    it('of PostgreSQL is logged once, is tried in one place and uses no attempt', async () => {
      const { logger, lines } = memoryLogger();
      const administrator = new pg.Client({ connectionString: testService('TEST_DATABASE_URL') });
      await administrator.connect();
      toClose.push(() => administrator.end());
      const databaseName = new URL(test().appUrl).pathname.slice(1);
      const letIn = async (isOpen: boolean): Promise<void> => {
        await administrator.query(`alter database ${databaseName} allow_connections ${isOpen}`);
        if (!isOpen) {
          await administrator.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [
            databaseName,
          ]);
        }
      };
      toClose.push(() => letIn(true));
      let probes = 0;
      const databaseOutage = openOutage({
        part: 'database',
        address: 'db.example:5432',
        logger,
        probe: () => {
          probes++;
          return probeDatabase(test().appUrl, 'probe');
        },
        isProof: true,
        isConfirmed: true,
        times: { pauseMs: () => 100, lineMs: 60_000 },
      });
      const outages = queue.settings.redisUrl === undefined ? { outage: databaseOutage, failsFast: true } : {};
      const settings = { ...queue.settings, ...outages };
      const database = connectDatabase({
        url: test().appUrl,
        applicationName: 'worker',
        poolSize: 4,
        outage: databaseOutage,
        failsFast: true,
      });
      toClose.push(() => database.destroy());
      const rows = await Promise.all(Array.from({ length: emails }, () => requireFollowUp(test().app, 'contact')));
      const dependencies = { ...deliveryDependencies(database, smtp), database, databaseOutage, concurrency, logger };
      const producer = openProducer(settings, logger);
      toClose.push(
        () => producer.close(),
        () => dependencies.mailer.close(),
      );
      let isOpen = true;
      smtp.script = {
        async onBody() {
          if (smtp.accepted.length < 10 || !isOpen) return undefined;
          isOpen = false;
          await letIn(false);
          return undefined;
        },
      };
      await producer.enqueue(rows);
      const worker = await startWorker({ ...dependencies, producer, queue: settings });
      toClose.push(() => worker.close());
      await until('it was tried', () => probes >= 10);
      const about = lines().filter(({ level, msg }) => level !== 'debug' && msg !== 'follow-up');
      expect(about.map(({ msg }) => msg).filter((msg) => msg !== 'outcome not written')).to.deep.equal([
        'The database db.example:5432 is unavailable (55000).',
      ]);
      expect(about.length, 'lines').to.be.at.most(10);
      await letIn(true);
      await until('it has ended', () => !databaseOutage.isOut);
      await makeDue(
        test().database,
        rows.map(({ id }) => id),
      );
      await allSent();
      expect(smtp.accepted).to.have.length(emails);
      expect(await sum('attempts')).to.equal(emails);
    });

    it('of a mail server that rejects the sender is tried with one email at a time', async () => {
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
      // The emails take a little more or less time than the tries.
      expect(performance.now() - since, 'milliseconds').to.be.at.least(9 * 100);
      expect(warnings().map(({ msg }) => msg)).to.deep.equal([
        'The mail server mail.example:25 is unavailable (550: it rejects the address of the sender).',
      ]);
      isRejected = false;
      await allSent();
      expect(await sum('attempts')).to.equal(emails);
    });
  });
}
