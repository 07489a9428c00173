import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startProcess, type RunningProcess } from '@dune-tide/testkit/processes';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { startTransactionPooler } from '@dune-tide/testkit/transaction-pooler';
import { until } from '@dune-tide/testkit/until';
import { freePort } from '@dune-tide/local/ports';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { brand } from '@dune-tide/domain/brand';
import { emailLimits } from '@dune-tide/domain/limits';
import { expect } from 'chai';
import { portfolioFileName } from '../src/portfolio/file-name.ts';
import {
  countStates,
  only,
  queueBackends,
  staffAddress,
  makeDue,
  testKey,
  requireFollowUps,
  typedByVisitor,
  type RequiredRow,
  type TestQueue,
} from './support.ts';

const module = '@dune-tide/worker/main';

/** Returns the log lines of a worker process. */
const linesOf = (worker: RunningProcess): Record<string, unknown>[] =>
  worker
    .output()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Returns the output of a process that fails to start. */
async function endingOf(environment: Record<string, string>): Promise<string> {
  return startProcess(module, environment).then(
    async (worker) => {
      await worker.stop();
      throw new Error('It started');
    },
    (error: unknown) => String(error),
  );
}

describe('the worker process with invalid settings', () => {
  it('lists every missing setting in one message and exits with 1', async () => {
    const ending = await endingOf({});
    expect(ending).to.include('ended (1)');
    for (const name of ['DATABASE_URL', 'SMTP_URL', 'PUBLIC_URL', 'SESSION_KEYS', 'CACHE_DIRECTORY']) {
      expect(ending).to.include(`${name} is missing`);
    }
    expect(ending).to.not.include('WEBHOOK');
    expect(ending, 'a stack').to.not.match(/\n\s+at /);
  });

  it('needs a WEBHOOK_SECRET if it has a WEBHOOK_URL', async () => {
    const ending = await endingOf({ WEBHOOK_URL: 'https://crm.example/hooks' });
    expect(ending).to.include('WEBHOOK_SECRET is missing');
  });

  it('lists every invalid setting without its value', async () => {
    const ending = await endingOf({
      DATABASE_URL: 'mysql://secret@host/db',
      DATABASE_POOL_SIZE: '99',
      REDIS_URL: 'http://secret',
      SMTP_URL: 'secret',
      PUBLIC_URL: 'https://secret.example/path',
      SESSION_KEYS: 'secret',
      EMAIL_LIMIT: '-1',
      CACHE_DIRECTORY: '/nowhere',
      MAIL_FROM: 'secret',
      WORKER_CONCURRENCY: '0',
      LOG_LEVEL: 'secret',
    });
    expect(ending).to.include('ended (1)');
    for (const name of [
      'DATABASE_URL',
      'DATABASE_POOL_SIZE',
      'REDIS_URL',
      'SMTP_URL',
      'PUBLIC_URL',
      'SESSION_KEYS',
      'EMAIL_LIMIT',
      'MAIL_FROM',
      'WORKER_CONCURRENCY',
      'LOG_LEVEL',
    ]) {
      expect(ending).to.include(`${name} is invalid`);
    }
    expect(ending).to.not.include('secret');
  });
});

describe('the worker process without its database', function () {
  let cacheDirectory: string;
  before(async () => {
    cacheDirectory = await mkdtemp(join(tmpdir(), 'portfolio-'));
  });
  after(() => rm(cacheDirectory, { recursive: true, force: true }));

  /** Returns the output of a worker that fails to start on this database. */
  const endingWith = (databaseUrl: string): Promise<string> =>
    endingOf({
      DATABASE_URL: databaseUrl,
      SMTP_URL: 'smtp://127.0.0.1:1',
      PUBLIC_URL: 'https://site.example',
      SESSION_KEYS: testKey,
      CACHE_DIRECTORY: cacheDirectory,
    });

  it('reports a refused connection and exits with 1', async () => {
    const port = await freePort(0, '127.0.0.1');
    const ending = await endingWith(`postgres://studio@127.0.0.1:${port}/studio`);
    expect(ending).to.include('ended (1)');
    expect(ending).to.include(
      `\nThe database 127.0.0.1:${port} is unavailable (ECONNREFUSED: no server is listening there).\n`,
    );
    expect(ending, 'a stack').to.not.match(/\n\s+at /);
  });

  it('refuses PgBouncer in transaction mode and exits with 1', async () => {
    const database = await createTestDatabase();
    const pooler = await startTransactionPooler(database.url);
    try {
      const ending = await endingWith(pooler.instead(database.appUrl));
      expect(ending).to.include('ended (1)');
      expect(ending).to.include('\nPgBouncer must be in session mode.\n');
    } finally {
      await pooler.close();
      await database.drop();
    }
  });

  it('reports that the migration has not run and exits with 1', async () => {
    const empty = await createTestDatabase('template0');
    try {
      const ending = await endingWith(empty.url);
      expect(ending).to.include('ended (1)');
      expect(ending).to.include('\nTables are missing in the database. Run the migration first.\n');
      expect(ending, 'a stack').to.not.match(/\n\s+at /);
    } finally {
      await empty.drop();
    }
  });
});

describe('the worker process', function () {
  // The first one renders the portfolio.

  let cacheDirectory: string;
  before(async () => {
    cacheDirectory = await mkdtemp(join(tmpdir(), 'portfolio-'));
  });
  after(() => rm(cacheDirectory, { recursive: true, force: true }));

  for (const { name, open } of queueBackends) {
    describe(`with the queue on ${name}`, () => {
      const test = withTestDatabase();
      let queue: TestQueue;
      let smtp: TestSmtp;
      let worker: RunningProcess;
      let metricsPort: number;

      before(async () => {
        metricsPort = await freePort(0, '127.0.0.1');
        queue = await open(test().appUrl, test().database);
      });
      after(() => queue.stop());

      const start = (): Promise<RunningProcess> =>
        startProcess(module, {
          DATABASE_URL: test().appUrl,
          SMTP_URL: smtp.url,
          PUBLIC_URL: 'https://site.example',
          SESSION_KEYS: testKey,
          CACHE_DIRECTORY: cacheDirectory,
          METRICS_PORT: String(metricsPort),
          ...(queue.settings.redisUrl === undefined ? {} : { REDIS_URL: queue.settings.redisUrl }),
        });

      beforeEach(async () => {
        await queue.flush();
        for (const table of ['leads', 'follow_ups', 'recent_emails']) await test().database(table).delete();
        smtp = await startTestSmtp();
        worker = await start();
      });
      afterEach(async () => {
        worker.signal('SIGKILL');
        await worker.ended;
        await smtp.close();
      });

      async function enqueue(rows: readonly RequiredRow[]): Promise<void> {
        const producer = openProducer(queue.settings, memoryLogger().logger);
        await producer.enqueue(rows);
        await producer.close();
      }

      const statesOf = (rows: readonly RequiredRow[]) =>
        countStates(
          test().database,
          rows.map(({ id }) => id),
        );

      it('delivers all emails of the leads and logs a line for each, without personal data', async () => {
        const rows = [
          ...(await requireFollowUps(test().app, 'portfolio_request', {
            email: 'private-one@visitor.example',
            tellsStaff: true,
          })),
          ...(await requireFollowUps(test().app, 'contact', {
            email: 'private-two@visitor.example',
            tellsStaff: true,
          })),
        ];
        await enqueue(rows);
        await until('all are sent', async () => (await statesOf(rows))['sent'] === rows.length);

        const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        expect(metrics.split('\n')).to.include.members([
          `follow_ups{state="sent",transport="email"} ${rows.length}`,
          'follow_ups_oldest_waiting_seconds{transport="email"} 0',
          'metrics_source_up{source="queue"} 1',
        ]);
        expect(smtp.accepted.map(({ to }) => to).sort()).to.deep.equal(rows.map(({ recipient }) => recipient).sort());
        const portfolio = await smtp.parse(only(smtp.accepted.filter(({ to }) => to.startsWith('private-one'))));
        const attachment = only(portfolio.attachments);
        expect(attachment.filename).to.equal(portfolioFileName);
        const pdf = Buffer.from(attachment.content as ArrayBuffer);
        expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-');
        expect(pdf.length).to.be.within(50_000, 1_000_000);

        expect(await worker.stop()).to.equal(0);
        const followUps = linesOf(worker).filter(({ msg }) => msg === 'follow-up');
        const described = ({ followUpId, leadId, kind, outcome }: Record<string, unknown>) =>
          [followUpId, leadId, kind, outcome].join(' ');
        expect(followUps.map(described).sort()).to.deep.equal(
          rows.map(({ id, leadId, kind }) => described({ followUpId: id, leadId, kind, outcome: 'sent' })).sort(),
        );
        for (const personal of [
          'private-one',
          'private-two',
          typedByVisitor,
          'Noura',
          staffAddress,
          portfolio.subject,
        ]) {
          expect(worker.output()).to.not.include(personal);
        }
      });

      it('logs no personal data when emails are rejected or deferred', async () => {
        const rows = [
          ...(await requireFollowUps(test().app, 'contact', { email: 'private-refused@visitor.example' })),
          ...(await requireFollowUps(test().app, 'contact', { email: 'private-later@visitor.example' })),
        ];
        smtp.script = {
          onRecipient: (address) => ({ code: address.includes('refused') ? 550 : 450, text: `Not for ${address}` }),
        };
        await enqueue(rows);
        await until('both are settled', async () => {
          const { failed, pending, sending } = await statesOf(rows);
          return failed === 1 && pending === 1 && sending === undefined && smtp.recipientsTried.length === 2;
        });
        expect(await worker.stop()).to.equal(0);
        const outcomes = linesOf(worker).filter(({ msg }) => msg === 'follow-up');
        expect(outcomes.map(({ outcome }) => outcome)).to.have.members(['permanent', 'temporary']);
        const faults = linesOf(worker).filter(({ msg }) => msg === 'not sent');
        for (const { error } of faults) expect(error).to.include({ code: 'EENVELOPE' });
        expect(faults).to.have.length(2);
        expect(worker.output()).to.not.include('private-');
      });

      it('finishes the sends in progress on SIGTERM and leaves no row in `sending`', async () => {
        let letGo = (): void => undefined;
        const held = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
        let bodies = 0;
        smtp.script = {
          onBody() {
            bodies++;
            return held;
          },
        };
        const rows: RequiredRow[] = [];
        for (let leads = 0; leads < 12; leads++) rows.push(...(await requireFollowUps(test().app, 'contact')));
        await enqueue(rows);
        await until('sends are in progress', () => bodies === 5);
        worker.signal('SIGTERM');
        await until('it is closing', () => worker.output().includes('"closing"'));
        letGo();
        expect(await worker.ended).to.equal(0);

        expect(await statesOf(rows)).to.deep.equal({ sent: smtp.accepted.length, pending: 12 - smtp.accepted.length });
        expect(new Set(smtp.accepted.map(({ to }) => to)).size).to.equal(smtp.accepted.length);
        expect(smtp.accepted.length, 'started few others').to.be.within(5, 10);
        expect(linesOf(worker).filter(({ msg }) => msg === 'not closed')).to.deep.equal([]);
      });

      it('sends one digest of many notices, even if workers are killed between the steps', async () => {
        const notices: RequiredRow[] = [];
        for (let lead = 0; lead < emailLimits.noticesPerHour + 3; lead++) {
          const email = `visitor-${lead}@example.com`;
          notices.push(...(await requireFollowUps(test().database, 'contact', { email, tellsStaff: true })).slice(1));
        }
        const digest = () =>
          test().database('follow_ups').where({ kind: 'staff_digest' }).first<RequiredRow | undefined>();
        const toStaff = () => smtp.accepted.filter(({ to }) => to === staffAddress);
        await enqueue(notices);
        await until('three notices are collected', async () => {
          const { sent, pending } = await statesOf(notices);
          const collected = await test().database('digest_entries');
          return sent === emailLimits.noticesPerHour && pending === 3 && collected.length === 3;
        });
        worker.signal('SIGKILL');
        await worker.ended;
        const collected = await digest();
        if (!collected) throw new Error('No digest');

        // The second worker is killed while it waits for the response to the digest.
        let bodies = 0;
        smtp.script = {
          onBody: ({ to }) => (to === staffAddress && ++bodies === 1 ? new Promise(() => undefined) : undefined),
        };
        await makeDue(test().database, [collected.id]);
        await test().database('follow_ups').where({ id: collected.id }).update({ available_at: new Date() });
        worker = await start();
        await until('the digest is sent', () => bodies === 1);
        worker.signal('SIGKILL');
        await worker.ended;
        expect(await statesOf(notices)).to.deep.equal({ sent: emailLimits.noticesPerHour, pending: 3 });

        await test()
          .database('follow_ups')
          .where({ id: collected.id })
          .update({ available_at: new Date(), sweep_at: new Date() });
        worker = await start();
        await until('all are sent', async () => (await statesOf(notices))['sent'] === notices.length);

        const mail = only(toStaff().filter(({ messageId }) => messageId.includes(collected.id)));
        expect(toStaff()).to.have.length(emailLimits.noticesPerHour + 1);
        const { text, subject, replyTo } = await smtp.parse(mail);
        expect(subject).to.equal(`3 new leads – ${brand.name}`);
        expect(replyTo).to.equal(undefined);
        const alone = new Set(toStaff().map(({ messageId }) => messageId));
        const listed = notices.filter(({ id }) => ![...alone].some((messageId) => messageId.includes(id)));
        expect(listed).to.have.length(3);
        for (const { leadId } of listed) expect(text).to.include(`https://site.example/admin/leads/${leadId}`);
      });

      it('exits with the process that started it', async () => {
        worker.disconnect();
        expect(await worker.ended).to.equal(0);
      });
    });
  }
});
