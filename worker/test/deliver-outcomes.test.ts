import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase, DatabaseUnavailableError } from '@dune-tide/db/connection';
import { followUpClaims } from '@dune-tide/db/follow-ups';
import { testService } from '@dune-tide/testkit/environment';
import type { TestSmtp } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { deliver, settleNotes } from '../src/delivery/deliver.ts';
import { openSentNotes } from '../src/delivery/sent-notes.ts';
import { makeDue, only, requireFollowUp, type TestDelivery, withDelivery } from './support.ts';

describe('the delivery of a follow-up', () => {
  let smtp: TestSmtp;
  let dependencies: TestDelivery['dependencies'];
  const { test, row, send, acceptedFor } = withDelivery((delivery) => ({ smtp, dependencies } = delivery));

  describe('while the database is unavailable', () => {
    it('writes the outcome on a later attempt, without another email', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const followUps = followUpClaims(test().app);
      let failures = 0;
      await deliver(required, {
        ...dependencies,
        followUps: {
          ...followUps,
          markSent: (...outcome) =>
            ++failures <= 2
              ? Promise.reject(new DatabaseUnavailableError(new Error('unavailable')))
              : followUps.markSent(...outcome),
        },
      });
      expect(failures).to.equal(3);
      expect(await acceptedFor(required)).to.have.length(1);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
    });

    it('writes the outcome however late, and does not claim the row again until then', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const clock = performance.now.bind(performance);
      let passed = 0;
      let isBack = false;
      let failures = 0;
      const warnings = () => dependencies.lines().filter(({ msg }) => msg === 'outcome not written');
      const away = {
        ...dependencies,
        followUps: {
          ...dependencies.followUps,
          markSent: (...outcome: Parameters<typeof dependencies.followUps.markSent>) => {
            if (isBack) return dependencies.followUps.markSent(...outcome);
            failures++;
            return Promise.reject(new DatabaseUnavailableError(new Error('unavailable')));
          },
        },
      };
      performance.now = () => clock() + passed;
      try {
        const delivery = deliver(required, away);
        await until('the outcome could not be written', () => failures >= 3);
        expect(only(warnings())).to.deep.include({ level: 'warn', followUpId: required.id });
        expect(only(warnings()).error).to.include({ name: 'DatabaseUnavailableError' });
        // The lease expires, both by the worker's clock and in the database.
        passed = 3_600_000;
        const earlier = failures;
        await makeDue(test().database, [required.id]);
        await deliver(required, away);
        await until('it is retried', () => failures >= earlier + 3);
        expect(warnings(), 'one more after a minute').to.have.length(2);
        isBack = true;
        await delivery;
      } finally {
        performance.now = clock;
      }
      expect(await acceptedFor(required)).to.have.length(1);
      expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
      expect(dependencies.inProgress).to.have.property('size', 0);
    });

    describe('and a worker ends', () => {
      let directory = '';
      beforeEach(async () => {
        directory = await mkdtemp(join(tmpdir(), 'notes-'));
      });
      afterEach(() => rm(directory, { recursive: true, force: true }));

      /** Returns claims whose database fails this many times. */
      const awayFor = (failures: number) => {
        const followUps = followUpClaims(test().app);
        let tries = 0;
        return {
          ...followUps,
          tries: () => tries,
          markSent: (...outcome: Parameters<typeof followUps.markSent>) =>
            ++tries <= failures
              ? Promise.reject(new DatabaseUnavailableError(new Error('unavailable')))
              : followUps.markSent(...outcome),
        };
      };

      it('notes the outcome, which the next worker writes however late, without another email', async () => {
        const required = await requireFollowUp(test().app, 'contact');
        // The database stays unavailable for this worker.
        const ending = new Error('the worker ends');
        const followUps = awayFor(Infinity);
        const markSent: typeof followUps.markSent = async (...outcome) => {
          if ((await readdir(directory)).some((name) => name.endsWith('.json'))) throw ending;
          return followUps.markSent(...outcome);
        };
        const delivered = await deliver(required, {
          ...dependencies,
          sentNotes: openSentNotes(directory),
          followUps: { ...followUps, markSent },
        }).catch((error: unknown) => error);
        expect(delivered).to.equal(ending);
        expect(await row(required)).to.include({ state: 'sending' });

        const next = awayFor(2);
        await settleNotes({ ...dependencies, sentNotes: openSentNotes(directory), followUps: next });
        expect(next.tries()).to.equal(3);
        expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
        expect(await readdir(directory)).to.deep.equal([]);
        await makeDue(test().database, [required.id]);
        await deliver(required, dependencies);
        expect(await acceptedFor(required)).to.have.length(1);
      });

      it('starts the next worker even if notes cannot be read', async () => {
        const noDirectory = join(directory, 'file');
        await writeFile(noDirectory, '');
        await writeFile(join(directory, 'sent-00000000.json'), 'not a note');
        for (const path of [noDirectory, directory]) {
          await settleNotes({ ...dependencies, sentNotes: openSentNotes(path) });
        }
        expect(dependencies.lines().map(({ level, msg }) => [level, msg])).to.deep.equal([
          ['error', 'notes of sent follow-ups not read'],
          ['error', 'note of a sent follow-up not read'],
        ]);
      });

      it('retries a note that could not be written', async () => {
        const required = await requireFollowUp(test().app, 'contact');
        const clock = performance.now.bind(performance);
        let passed = 0;
        let tries = 0;
        let isBack = false;
        performance.now = () => clock() + passed;
        try {
          const followUps = followUpClaims(test().app);
          const delivery = deliver(required, {
            ...dependencies,
            sentNotes: {
              ...dependencies.sentNotes,
              add: () => (++tries === 1 ? Promise.reject(new Error('full')) : Promise.resolve(async () => undefined)),
            },
            followUps: {
              ...followUps,
              markSent: (...outcome) =>
                isBack
                  ? followUps.markSent(...outcome)
                  : Promise.reject(new DatabaseUnavailableError(new Error('unavailable'))),
            },
          });
          await until('it could not be noted', () => tries === 1);
          passed = 61_000;
          await until('it is noted', () => tries === 2);
          isBack = true;
          await delivery;
        } finally {
          performance.now = clock;
        }
      });
    });

    it('writes the outcome after the database has rejected connections during the send', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      const pool = connectDatabase({ url: test().appUrl, applicationName: 'worker', poolSize: 2 });
      const name = new URL(test().url).pathname.slice(1);
      const administrator = new pg.Client({ connectionString: testService('TEST_DATABASE_URL') });
      await administrator.connect();
      let isAway = false;
      try {
        smtp.script = {
          async onBody() {
            await administrator.query(`alter database ${name} allow_connections false`);
            await administrator.query(
              `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'worker'`,
              [name],
            );
            isAway = true;
            return undefined;
          },
        };
        let isSettled = false;
        const delivery = deliver(required, { ...dependencies, followUps: followUpClaims(pool) });
        void delivery.then(() => (isSettled = true));
        await until('the email is accepted', () => isAway && smtp.accepted.length === 1);
        expect(isSettled).to.equal(false);
        await administrator.query(`alter database ${name} allow_connections true`);
        await delivery;
        expect(await row(required)).to.include({ state: 'sent', attempts: 1 });
        expect(smtp.accepted).to.have.length(1);
      } finally {
        await administrator.query(`alter database ${name} allow_connections true`);
        await administrator.end();
        await pool.destroy();
      }
    });

    it('does not overwrite the row if another worker has claimed it', async () => {
      const required = await requireFollowUp(test().app, 'contact');
      smtp.script = {
        async onBody() {
          await test()
            .database('follow_ups')
            .where({ id: required.id })
            .update({ lease: '0198c2f4-0000-7000-8000-000000000002' });
          return undefined;
        },
      };
      await send(required);
      expect(await row(required)).to.include({ state: 'sending', lease: '0198c2f4-0000-7000-8000-000000000002' });
      expect(dependencies.lines().at(-1)).to.include({ outcome: 'sent', leaseLost: true });
    });
  });
});
