import { randomUUID } from 'node:crypto';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { testService } from '@dune-tide/testkit/environment';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { connectDatabase, DatabaseUnavailableError } from '@dune-tide/db/connection';
import { followUpClaims, type LeasedRow } from '@dune-tide/db/follow-ups';
import { openProducer, type FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { expect } from 'chai';
import pg from 'pg';
import { deliver } from '../src/delivery/deliver.ts';
import { startSweeping, sweep } from '../src/delivery/sweep.ts';
import { startWorker } from '../src/worker.ts';
import {
  countStates,
  deliveryDependencies,
  makeDue,
  queueBackends,
  readRow,
  requireFollowUp,
  type RequiredRow,
  type TestQueue,
} from './support.ts';

const concurrency = 5;

for (const { name, open, unavailable } of queueBackends) {
  describe(`the sweep, with the queue on ${name}`, () => {
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

    function producer(): FollowUpProducer {
      const opened = openProducer(queue.settings, memoryLogger().logger);
      toClose.push(() => opened.close());
      return opened;
    }

    /** Returns transports, of which the sweep reads only the kinds. */
    const transports = () => deliveryDependencies(test().app, smtp).transports;

    const sweepOnce = (orphanedClaims = new Set<LeasedRow>()): Promise<number> =>
      sweep({
        followUps: followUpClaims(test().app),
        transports: transports(),
        producer: producer(),
        logger: memoryLogger().logger,
        orphanedClaims,
        closing: new AbortController().signal,
      });

    async function work(): Promise<void> {
      const dependencies = {
        ...deliveryDependencies(test().app, smtp),
        database: test().database,
        producer: producer(),
        queue: queue.settings,
        concurrency,
      };
      toClose.push(() => dependencies.mailer.close());
      const worker = await startWorker(dependencies);
      toClose.push(() => worker.close());
    }

    async function requireMany(count: number): Promise<RequiredRow[]> {
      return Promise.all(Array.from({ length: count }, () => requireFollowUp(test().app, 'contact')));
    }

    const idsOf = (rows: readonly RequiredRow[]): string[] => rows.map(({ id }) => id);

    const allSent = (rows: readonly RequiredRow[]) =>
      until(
        `${rows.length} rows are sent`,
        async () => (await countStates(test().database, idsOf(rows)))['sent'] === rows.length,
      );

    /** Checks that every row was sent exactly once. */
    const expectEachOnce = (rows: readonly RequiredRow[]): void => {
      const recipients = smtp.accepted.map(({ to }) => to).sort();
      expect(recipients).to.deep.equal(rows.map(({ recipient }) => recipient).sort());
    };

    it('delivers a row that has no job', async () => {
      const row = await requireFollowUp(test().app, 'contact');
      await makeDue(test().database, [row.id]);
      await work();
      await allSent([row]);
      expectEachOnce([row]);
    });

    it('adds nothing to a full queue, and adds jobs when it has room', async () => {
      const row = await requireFollowUp(test().app, 'contact');
      // In parts, because an addition has a time limit.
      const filling = producer();
      for (let part = 0; part < 91; part++) {
        await filling.enqueue(
          Array.from({ length: 11 }, () => ({ id: randomUUID(), kind: 'acknowledgement' })),
          1,
        );
      }
      await makeDue(test().database, [row.id]);
      expect(await sweepOnce()).to.equal(0);
      await queue.flush();
      expect(await sweepOnce()).to.equal(1);
    });

    it('ignores a row whose job may still arrive', async () => {
      await requireFollowUp(test().app, 'contact');
      expect(await sweepOnce()).to.equal(0);
    });

    it('delivers a row whose worker died, but not before its lease has expired', async () => {
      const [dead, busy] = (await requireMany(2)) as [RequiredRow, RequiredRow];
      const followUps = followUpClaims(test().app);
      for (const row of [dead, busy]) expect(await followUps.claim(row.id, 180)).to.include({ outcome: 'claimed' });
      await test()
        .database('follow_ups')
        .where({ id: dead.id })
        .update({
          available_at: test().database.raw(`now() - interval '1 second'`),
          sweep_at: test().database.raw('now()'),
        });
      await work();
      await producer().enqueue([busy]);
      await allSent([dead]);
      expectEachOnce([dead]);
      expect(await readRow(test().database, dead.id)).to.include({ attempts: 2 });
      expect(await readRow(test().database, busy.id)).to.include({ state: 'sending', attempts: 1 });
    });

    for (const kind of ['contact', 'portfolio_request'] as const) {
      it(`uses no attempt for a ${kind} if the response to its claim was lost`, async () => {
        const row = await requireFollowUp(test().app, kind);
        const followUps = followUpClaims(test().app);
        const dependencies = deliveryDependencies(test().app, smtp);
        toClose.push(() => dependencies.mailer.close());
        const unheard: typeof followUps = {
          ...followUps,
          async claim(...claim) {
            expect(await followUps.claim(...claim)).to.include({ outcome: 'claimed' });
            throw new DatabaseUnavailableError(new Error('the reply was lost'));
          },
        };
        const failure = await deliver(row, { ...dependencies, followUps: unheard }).catch((error: unknown) => error);
        expect(failure).to.be.instanceOf(DatabaseUnavailableError);
        expect(await readRow(test().database, row.id)).to.include({ state: 'sending', attempts: 1 });

        expect(await sweepOnce(dependencies.orphanedClaims)).to.equal(1);
        expect(await readRow(test().database, row.id)).to.include({ state: 'pending', attempts: 0, lease: null });
        expect(dependencies.orphanedClaims).to.have.property('size', 0);
      });
    }

    it('releases a row that its worker could not release while closing', async () => {
      const row = await requireFollowUp(test().app, 'contact');
      const followUps = followUpClaims(test().app);
      const closing = new AbortController();
      const dependencies = { ...deliveryDependencies(test().app, smtp), closing: closing.signal };
      toClose.push(() => dependencies.mailer.close());
      const unable: typeof followUps = {
        ...followUps,
        async claim(...claim) {
          const claimed = await followUps.claim(...claim);
          closing.abort();
          return claimed;
        },
        releaseUnsent: () => Promise.reject(new DatabaseUnavailableError(new Error('unavailable'))),
      };
      const failure = await deliver(row, { ...dependencies, followUps: unable }).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(DatabaseUnavailableError);
      expect(await readRow(test().database, row.id)).to.include({ state: 'sending', attempts: 1 });

      expect(await sweepOnce(dependencies.orphanedClaims)).to.equal(1);
      expect(await readRow(test().database, row.id)).to.include({ state: 'pending', attempts: 0, lease: null });
    });

    it('does not release a row that another worker holds', async () => {
      const row = await requireFollowUp(test().app, 'contact');
      await followUpClaims(test().app).claim(row.id, 180);
      await sweepOnce(new Set([{ id: row.id, lease: randomUUID() }]));
      expect(await readRow(test().database, row.id)).to.include({ state: 'sending', attempts: 1 });
    });

    it('delivers a delayed row when it is due, and not before', async () => {
      const row = await requireFollowUp(test().app, 'contact');
      const followUps = followUpClaims(test().app);
      const claim = await followUps.claim(row.id, 180);
      if (claim.outcome !== 'claimed') throw new Error(claim.outcome);
      await followUps.release(claim.followUp, { delaySeconds: 30, usesTry: true, serverResponse: '450 Greylisted' });
      expect(await sweepOnce()).to.equal(0);

      // Both times are moved, as if 31 seconds had passed.
      await test().database.raw(
        `update follow_ups set available_at = available_at - interval '31 seconds', sweep_at = sweep_at - interval '31 seconds'
         where id = ?`,
        [row.id],
      );
      await work();
      await allSent([row]);
      expectEachOnce([row]);
      expect(await readRow(test().database, row.id)).to.include({ attempts: 2 });
    });

    it('delivers a new row although the mail server stalls on more retries than a worker takes', async () => {
      let letGo = (): void => undefined;
      const stalled = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
      smtp.script = { onRecipient: (address) => (address.endsWith('@stalled.example') ? stalled : undefined) };
      const again = await Promise.all(
        Array.from({ length: 4 * concurrency }, () =>
          requireFollowUp(test().app, 'contact', { email: `${randomUUID()}@stalled.example` }),
        ),
      );
      await test().database('follow_ups').whereIn('id', idsOf(again)).update({ attempts: 1 });
      await makeDue(test().database, idsOf(again));
      await work();
      toClose.push(async () => letGo());
      await until('the server stalls', () => smtp.recipientsTried.length === concurrency - 1);
      const row = await requireFollowUp(test().app, 'contact');
      await producer().enqueue([row]);
      await allSent([row]);
      expect(smtp.recipientsTried).to.have.length(concurrency);
    });

    it('ignores settled rows', async () => {
      for (const changes of [{ state: 'sent', sent_at: new Date() }, { state: 'failed' }, { state: 'withheld' }]) {
        const { id } = await requireFollowUp(test().app, 'contact');
        await makeDue(test().database, [id]);
        await test().database('follow_ups').where({ id }).update(changes);
      }
      expect(await sweepOnce()).to.equal(0);
    });

    it('finds each row once in two concurrent sweeps, and delivers it once', async () => {
      const rows = await requireMany(60);
      await makeDue(test().database, idsOf(rows));
      const found = await Promise.all([sweepOnce(), sweepOnce()]);
      expect(found[0] + found[1]).to.equal(60);
      await Promise.all([work(), work()]);
      await allSent(rows);
      expectEachOnce(rows);
    });

    it('finds a row again after a while if its job was lost', async () => {
      const row = await requireFollowUp(test().app, 'contact');
      await makeDue(test().database, [row.id]);
      expect(await sweepOnce()).to.equal(1);
      expect(await sweepOnce()).to.equal(0);
      const { rows } = await test().database.raw<{ rows: { seconds: number }[] }>(
        `select extract(epoch from sweep_at - now())::double precision as seconds from follow_ups where id = ?`,
        [row.id],
      );
      expect(rows[0]?.seconds).to.be.within(1, 30);
    });

    it('does not postpone rows while the queue is unavailable', async () => {
      const row = await requireFollowUp(test().app, 'contact');
      await makeDue(test().database, [row.id]);
      const unreachable = openProducer(unavailable(test().appUrl), memoryLogger().logger);
      toClose.push(() => unreachable.close());
      const dependencies = {
        followUps: followUpClaims(test().app),
        transports: transports(),
        producer: unreachable,
        logger: memoryLogger().logger,
        orphanedClaims: new Set<LeasedRow>(),
        closing: new AbortController().signal,
      };
      const failure = await sweep(dependencies).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).to.be.an('error');
      expect(await sweepOnce(), 'found as soon as the queue is available').to.equal(1);
    });

    describe('of an endless backlog', () => {
      const endless = () => ({
        ...followUpClaims(test().app),
        postponeDue: async (limit: number) =>
          Array.from({ length: limit }, () => ({ id: randomUUID(), kind: 'acknowledgement' as const })),
      });

      it('ends when the queue has enough jobs', async () => {
        let jobs = 0;
        const found = await sweep({
          followUps: endless(),
          transports: transports(),
          producer: {
            ...producer(),
            depth: async () => ({ waiting: jobs, active: 0, delayed: 0 }),
            enqueue: async (rows) => void (jobs += rows.length),
          },
          logger: memoryLogger().logger,
          orphanedClaims: new Set(),
          closing: new AbortController().signal,
        });
        expect(found).to.equal(jobs).and.be.within(1_001, 2_000);
      });

      it('ends when the worker closes', async () => {
        const closing = new AbortController();
        let added = 0;
        const sweeping = startSweeping({
          followUps: endless(),
          transports: transports(),
          producer: {
            ...producer(),
            depth: async () => ({ waiting: 0, active: 0, delayed: 0 }),
            enqueue: async () => void (++added === 3 && closing.abort()),
          },
          logger: memoryLogger().logger,
          orphanedClaims: new Set(),
          closing: closing.signal,
        });
        await sweeping;
        expect(added).to.equal(3);
      });
    });

    it('does not resend an email if the database was unavailable until its lease expired', async () => {
      const databaseName = new URL(test().url).pathname.slice(1);
      const administrator = new pg.Client({ connectionString: testService('TEST_DATABASE_URL') });
      await administrator.connect();
      toClose.push(() => administrator.end());
      const letIn = (isOpen: boolean) =>
        administrator.query(`alter database ${databaseName} allow_connections ${isOpen}`);
      toClose.push(() => letIn(true));
      let isAway = false;
      smtp.script = {
        async onBody({ to }) {
          await letIn(false);
          await administrator.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'away'`,
            [databaseName],
          );
          // Last, because a worker that can still reach the database would claim the row.
          await test()
            .database('follow_ups')
            .where({ recipient: to })
            .update({ available_at: test().database.fn.now(), sweep_at: test().database.fn.now() });
          isAway = true;
          return undefined;
        },
      };
      const row = await requireFollowUp(test().app, 'contact');
      await producer().enqueue([row]);
      const logs: ReturnType<typeof memoryLogger>['lines'][] = [];
      for (let workers = 0; workers < 2; workers++) {
        const database = connectDatabase({ url: test().appUrl, applicationName: 'away', poolSize: 2 });
        toClose.push(() => database.destroy());
        const dependencies = deliveryDependencies(database, smtp);
        toClose.push(() => dependencies.mailer.close());
        const worker = await startWorker({
          ...dependencies,
          database,
          producer: producer(),
          queue: queue.settings,
          concurrency,
        });
        toClose.push(() => worker.close());
        logs.push(dependencies.lines);
      }
      await until(
        'both have found the database unavailable',
        () => isAway && logs.every((lines) => lines().some(({ msg }) => msg === 'sweep failed')),
      );
      smtp.script = {};
      await letIn(true);
      await allSent([row]);
      expectEachOnce([row]);
      expect(await readRow(test().database, row.id)).to.include({ attempts: 1 });
    });

    it('delivers all rows once if the queue is flushed before a worker takes them', async () => {
      const rows = await requireMany(50);
      await producer().enqueue(rows);
      await queue.flush();
      await makeDue(test().database, idsOf(rows));
      await work();
      await allSent(rows);
      expectEachOnce(rows);
    });

    it('delivers all rows once if the queue is flushed while a worker sends', async () => {
      let letGo = (): void => undefined;
      const held = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
      let bodies = 0;
      smtp.script = {
        onBody() {
          bodies++;
          return held;
        },
      };
      const rows = await requireMany(50);
      await producer().enqueue(rows);
      await work();
      await until('sends are in progress', () => bodies === concurrency);
      await queue.flush();
      smtp.script = {};
      letGo();
      await until('these are sent', () => smtp.accepted.length >= concurrency);
      await makeDue(
        test().database,
        (await test().database('follow_ups').where({ state: 'pending' }).select<{ id: string }[]>('id')).map(
          ({ id }) => id,
        ),
      );
      await allSent(rows);
      expectEachOnce(rows);
    });
  });
}

describe('the sweep', () => {
  const test = withTestDatabase();

  it('leaves out rows whose leases have expired until workers have written their outcomes', async () => {
    const closing = new AbortController();
    const claims = followUpClaims(test().app);
    const [waiting, expired] = [
      await requireFollowUp(test().app, 'contact'),
      await requireFollowUp(test().app, 'contact'),
    ];
    await claims.claim(expired.id, 60);
    await makeDue(test().database, [waiting.id, expired.id]);
    const added: string[] = [];
    let depths = 0;
    await startSweeping(
      {
        followUps: claims,
        transports: {} as never,
        producer: {
          enqueue: async () => undefined,
          remove: () => expect.fail('removed'),
          check: () => expect.fail('checked'),
          close: () => expect.fail('closed'),
          async depth() {
            if (++depths === 1) throw new Error('unavailable');
            return { waiting: 0, active: 0, delayed: 0 };
          },
        },
        logger: memoryLogger().logger,
        orphanedClaims: new Set(),
        closing: closing.signal,
      },
      {
        async wait() {
          const { rows } = await test().database.raw<{ rows: { id: string }[] }>(
            'select id from follow_ups where sweep_at > now()',
          );
          added.push(...rows.map(({ id }) => id));
          if (depths === 2) closing.abort();
        },
      },
    );
    expect(added).to.deep.equal([waiting.id]);
  });
});
