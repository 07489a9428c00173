import { randomUUID } from 'node:crypto';
import { emailKinds, followUpStates, type FollowUpKind } from '@dune-tide/domain/follow-ups';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { freePort } from '@dune-tide/local/ports';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { connectDatabase } from '../src/connection/connect.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';
import { followUpAdmin } from '../src/follow-ups/admin.ts';
import { followUpClaims, type Claim, type ClaimedFollowUp } from '../src/follow-ups/claims.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { newLead } from './rows.ts';

interface Row {
  readonly id: string;
  readonly kind: FollowUpKind;
  readonly state: string;
  readonly attempts: number;
  readonly lease: string | null;
  readonly server_answer: string | null;
  readonly sent_at: Date | null;
}

const leaseSeconds = 120;

describe('followUpClaims', () => {
  const test = withTestDatabase();
  const followUps = () => followUpClaims(test().database);

  beforeEach(async () => {
    await test().database('leads').delete();
    await test().database('recent_emails').delete();
  });

  /**
   * Stores a lead with one follow-up, which is due.
   * @returns the id of the follow-up
   */
  async function addFollowUp(kind: FollowUpKind = 'acknowledgement', recipient = 'noura@example.com'): Promise<string> {
    const leadKind = kind === 'portfolio_pdf' ? 'portfolio_request' : 'contact';
    const taken = await leadIntake(test().database, 'mail.example.com').storeLead(
      newLead({ kind: leadKind, followUps: [{ kind, recipient }] }),
    );
    const [followUp] = taken.outcome === 'stored' ? taken.followUps : [];
    if (!followUp) expect.fail('no follow-up was stored');
    return followUp.id;
  }

  async function row(id: string): Promise<Row> {
    const found = await test().database('follow_ups').where({ id }).first<Row | undefined>();
    return found ?? expect.fail('the row is gone');
  }

  /**
   * Sets a time of a row, so that a test need not wait for it.
   * @param by - an interval from now, e.g. `-1 hour`
   */
  async function move(id: string, column: 'available_at' | 'sweep_at' | 'sent_at', by: string): Promise<void> {
    await test().database.raw('update follow_ups set ?? = now() + ?::interval where id = ?', [column, by, id]);
  }

  /** Returns the seconds from now until the time of a row. */
  async function secondsUntil(id: string, column: 'available_at' | 'sweep_at' | 'sent_at'): Promise<number> {
    const { rows } = await test().database.raw<{ rows: { seconds: number }[] }>(
      'select extract(epoch from ?? - now())::float8 as seconds from follow_ups where id = ?',
      [column, id],
    );
    return rows[0]?.seconds ?? expect.fail('the row is gone');
  }

  function held(claim: Claim): ClaimedFollowUp {
    return claim.outcome === 'claimed' ? claim.followUp : expect.fail(claim.outcome);
  }

  const claim = (id: string): Promise<Claim> => followUps().claim(id, leaseSeconds);

  /**
   * Returns two ways to make concurrent claims: all by one worker, which claims in one statement, and each by another.
   */
  function claimantsOf(count: number): readonly (readonly [string, () => ReturnType<typeof followUps>[]])[] {
    return [
      ['all by one worker', () => Array<ReturnType<typeof followUps>>(count).fill(followUps())],
      ['each by another worker', () => Array.from({ length: count }, followUps)],
    ];
  }

  for (const kind of emailKinds) {
    describe(`a claim of a ${kind}`, () => {
      it('returns the follow-up and holds the row for the length of the lease', async () => {
        const id = await addFollowUp(kind, 'lerato@example.com');
        const claimed = held(await claim(id));
        const lead = await test().database('leads').first<{ id: string }>('id');
        expect(claimed).to.deep.equal({
          id,
          kind,
          recipient: 'lerato@example.com',
          messageId: `<${id}@mail.example.com>`,
          attempts: 1,
          lease: (await row(id)).lease,
          leadId: lead?.id,
        });
        expect(await row(id)).to.include({ state: 'sending', attempts: 1 });
        expect(await secondsUntil(id, 'available_at')).to.be.within(leaseSeconds - 10, leaseSeconds);
        expect(await secondsUntil(id, 'sweep_at')).to.be.above(await secondsUntil(id, 'available_at'));
      });

      for (const [name, claimants] of claimantsOf(20)) {
        it(`succeeds for one of twenty concurrent claims, ${name}`, async () => {
          const id = await addFollowUp(kind);
          const claims = await Promise.all(claimants().map((claimant) => claimant.claim(id, leaseSeconds)));
          expect(claims.filter(({ outcome }) => outcome === 'claimed')).to.have.length(1);
          expect(claims.filter(({ outcome }) => outcome === 'taken')).to.have.length(19);
          expect(await row(id)).to.include({ state: 'sending', attempts: 1 });
        });
      }

      it('holds every row that one worker claims together', async () => {
        const ids: string[] = [];
        for (let i = 0; i < 5; i++) ids.push(await addFollowUp(kind, `visitor-${i}@example.com`));
        const worker = followUps();
        const claims = await Promise.all(ids.map((id, index) => worker.claim(id, leaseSeconds + 100 * index)));
        for (const [index, id] of ids.entries()) {
          const claimed = held(claims[index] ?? expect.fail());
          expect(claimed).to.include({ id, kind, recipient: `visitor-${index}@example.com`, attempts: 1 });
          expect(await row(id)).to.include({ state: 'sending', lease: claimed.lease });
          expect(await secondsUntil(id, 'available_at')).to.be.within(100 * index + 100, 100 * index + leaseSeconds);
        }
        const sent = await Promise.all(claims.map((claimed) => worker.markSent(held(claimed), '250 Ok')));
        expect(sent).to.deep.equal(ids.map(() => true));
      });

      it('returns "taken" for a locked row', async () => {
        const [locked, free] = [await addFollowUp(kind), await addFollowUp(kind)];
        const worker = followUps();
        await test().database.transaction(async (holder) => {
          await holder('follow_ups').where({ id: locked }).forUpdate().select();
          const claims = await Promise.all([locked, free].map((id) => worker.claim(id, leaseSeconds)));
          expect(claims.map(({ outcome }) => outcome)).to.deep.equal(['taken', 'claimed']);
        });
      });

      it('returns "taken" for a row that is not due', async () => {
        const id = await addFollowUp(kind);
        await move(id, 'available_at', '1 minute');
        expect(await claim(id)).to.deep.equal({ outcome: 'taken' });
        expect(await row(id)).to.include({ state: 'pending', attempts: 0, lease: null });
      });

      it('returns "taken" for a row that does not exist', async () => {
        expect(await claim(randomUUID())).to.deep.equal({ outcome: 'taken' });
      });

      for (const state of ['sent', 'failed', 'withheld'] as const) {
        it(`returns "taken" for a row whose state is ${state}`, async () => {
          const id = await addFollowUp(kind);
          await test()
            .database('follow_ups')
            .where({ id })
            .update({ state, sent_at: state === 'sent' ? test().database.fn.now() : null });
          expect(await claim(id)).to.deep.equal({ outcome: 'taken' });
          expect(await row(id)).to.include({ state, attempts: 0 });
        });
      }
    });
  }

  describe('an expired lease', () => {
    it('lets another worker claim the row, which the first one can no longer settle', async () => {
      const id = await addFollowUp();
      const first = held(await claim(id));
      await move(id, 'available_at', '0 seconds');
      const second = held(await claim(id));
      expect(second).to.include({ attempts: 2, messageId: first.messageId });
      expect(second.lease).to.not.equal(first.lease);

      expect(await followUps().markSent(first, '250 first')).to.equal(false);
      expect(await followUps().markFailed(first, '550 first')).to.equal(false);
      expect(await followUps().release(first, { delaySeconds: 1, usesTry: true, serverResponse: 'first' })).to.equal(
        false,
      );
      expect(await row(id)).to.include({ state: 'sending', lease: second.lease, attempts: 2, server_answer: null });

      expect(await followUps().markSent(second, '250 second')).to.equal(true);
      expect(await row(id)).to.include({ state: 'sent', server_answer: '250 second' });
    });

    it('still lets its worker settle the row if no other worker has claimed it', async () => {
      const id = await addFollowUp();
      const claimed = held(await claim(id));
      await move(id, 'available_at', '-1 hour');
      expect(await followUps().markSent(claimed, '250 late')).to.equal(true);
      expect(await row(id)).to.include({ state: 'sent' });
    });

    it('lets one of twenty concurrent claims succeed', async () => {
      const id = await addFollowUp();
      await claim(id);
      await move(id, 'available_at', '-1 second');
      const claims = await Promise.all(Array.from({ length: 20 }, () => claim(id)));
      expect(claims.filter(({ outcome }) => outcome === 'claimed')).to.have.length(1);
      expect(await row(id)).to.include({ attempts: 2 });
    });
  });

  describe('settling', () => {
    it('as sent records the time, the attempts and the response of the server', async () => {
      const id = await addFollowUp();
      expect(await followUps().markSent(held(await claim(id)), '250 2.0.0 Ok: queued as 4C1')).to.equal(true);
      expect(await row(id)).to.include({
        state: 'sent',
        lease: null,
        attempts: 1,
        server_answer: '250 2.0.0 Ok: queued as 4C1',
      });
      expect(await secondsUntil(id, 'sent_at')).to.be.within(-10, 0);
    });

    it('as failed records the response of the server and no time', async () => {
      const id = await addFollowUp();
      expect(await followUps().markFailed(held(await claim(id)), '550 5.1.1 No such user')).to.equal(true);
      expect(await row(id)).to.include({
        state: 'failed',
        lease: null,
        attempts: 1,
        sent_at: null,
        server_answer: '550 5.1.1 No such user',
      });
    });

    it('by release waits for a concurrent mark as spam, and then cancels the row', async () => {
      for (const release of [
        (claimed: ClaimedFollowUp) => followUps().release(claimed, { delaySeconds: 0, usesTry: true }),
        (claimed: ClaimedFollowUp) => followUps().releaseUnsent([claimed]),
      ]) {
        const id = await addFollowUp();
        const claimed = held(await claim(id));
        const mark = await test().database.transaction();
        await mark('leads').where({ id: claimed.leadId }).update({ spam_sign: 'by_hand' });
        const released = release(claimed);
        await until('the release waits', async () => {
          const { rows } = await mark.raw<{ rows: unknown[] }>(
            'select from pg_locks where not granted and pid in (select pid from pg_stat_activity where datname = current_database())',
          );
          return rows.length > 0;
        });
        await mark.commit();
        await released;
        expect(await row(id)).to.include({ state: 'cancelled', lease: null });
      }
    });

    for (const usesTry of [true, false]) {
      it(`by release ${usesTry ? 'counts' : 'does not count'} the attempt, and delays the next one`, async () => {
        const id = await addFollowUp();
        const released = { delaySeconds: 300, usesTry, serverResponse: '451 4.3.0 Try later' };
        expect(await followUps().release(held(await claim(id)), released)).to.equal(true);
        expect(await row(id)).to.include({
          state: 'pending',
          lease: null,
          attempts: usesTry ? 1 : 0,
          sent_at: null,
          server_answer: '451 4.3.0 Try later',
        });
        for (const column of ['available_at', 'sweep_at'] as const) {
          expect(await secondsUntil(id, column), column).to.be.within(290, 300);
        }
        expect(await claim(id)).to.deep.equal({ outcome: 'taken' });
        await move(id, 'available_at', '0 seconds');
        expect(held(await claim(id))).to.include({ attempts: usesTry ? 2 : 1 });
      });
    }

    it('by release without a delay lets the row be claimed immediately', async () => {
      const id = await addFollowUp();
      await followUps().release(held(await claim(id)), { delaySeconds: 0, usesTry: true, serverResponse: 'again' });
      expect(held(await claim(id))).to.include({ attempts: 2 });
    });

    it('twice changes nothing the second time', async () => {
      const id = await addFollowUp();
      const claimed = held(await claim(id));
      expect(await followUps().markSent(claimed, '250 Ok')).to.equal(true);
      expect(await followUps().markSent(claimed, '250 Ok again')).to.equal(false);
      expect(await followUps().markFailed(claimed, '550 No')).to.equal(false);
      expect(await followUps().release(claimed, { delaySeconds: 1, usesTry: true, serverResponse: 'no' })).to.equal(
        false,
      );
      expect(await row(id)).to.include({ state: 'sent', server_answer: '250 Ok' });
    });

    it('does not change another row', async () => {
      const [mine, other] = [await addFollowUp(), await addFollowUp()];
      await claim(other);
      const before = await row(other);
      await followUps().markSent(held(await claim(mine)), '250 Ok');
      expect(await row(other)).to.deep.equal(before);
    });
  });

  describe('the sweep', () => {
    const swept = async (limit = 100): Promise<string[]> => (await followUps().postponeDue(limit)).map(({ id }) => id);

    it('finds a new row after its job had time to run, and returns its kind', async () => {
      const id = await addFollowUp('portfolio_pdf');
      expect(await swept()).to.deep.equal([]);
      expect(await secondsUntil(id, 'sweep_at')).to.be.within(1, 5);
      await move(id, 'sweep_at', '0 seconds');
      expect(await followUps().postponeDue(100)).to.deep.equal([{ id, kind: 'portfolio_pdf' }]);
    });

    it('finds a row again after 30 seconds', async () => {
      const id = await addFollowUp();
      await move(id, 'sweep_at', '-1 hour');
      expect(await swept()).to.deep.equal([id]);
      expect(await secondsUntil(id, 'sweep_at')).to.be.within(20, 30);
      expect(await swept()).to.deep.equal([]);
      await move(id, 'sweep_at', '0 seconds');
      expect(await swept()).to.deep.equal([id]);
    });

    it('finds a claimed row after its lease has expired', async () => {
      const id = await addFollowUp();
      await move(id, 'sweep_at', '-1 hour');
      await claim(id);
      expect(await swept()).to.deep.equal([]);
      expect(await secondsUntil(id, 'sweep_at')).to.be.within(leaseSeconds - 10, leaseSeconds + 5);
      await move(id, 'available_at', '-1 second');
      await move(id, 'sweep_at', '-1 second');
      expect(await swept()).to.deep.equal([id]);
      expect(held(await claim(id))).to.include({ attempts: 2 });
    });

    it('does not find a row whose lease was extended', async () => {
      const id = await addFollowUp();
      const claimed = held(await claim(id));
      await move(id, 'available_at', '-1 second');
      await move(id, 'sweep_at', '-1 second');
      expect(await followUps().prolong(claimed, 600)).to.equal(true);
      expect(await swept()).to.deep.equal([]);
      expect(await claim(id)).to.deep.equal({ outcome: 'taken' });
      expect(await secondsUntil(id, 'available_at')).to.be.within(590, 600);
      expect(await secondsUntil(id, 'sweep_at')).to.be.within(590, 605);
    });

    it('is not postponed by a worker that has lost its lease', async () => {
      const id = await addFollowUp();
      const lost = held(await claim(id));
      await move(id, 'available_at', '-1 second');
      await claim(id);
      expect(await followUps().prolong(lost, 600)).to.equal(false);
      expect(await secondsUntil(id, 'available_at')).to.be.within(leaseSeconds - 10, leaseSeconds);
    });

    it('finds a released row after its delay, and it can be claimed', async () => {
      const id = await addFollowUp();
      await followUps().release(held(await claim(id)), { delaySeconds: 60, usesTry: true, serverResponse: 'later' });
      expect(await swept()).to.deep.equal([]);
      await followUps().release(held(await claimNow(id)), { delaySeconds: 0, usesTry: true, serverResponse: 'now' });
      expect(await swept()).to.deep.equal([id]);
      expect(await claim(id)).to.include({ outcome: 'claimed' });
    });

    async function claimNow(id: string): Promise<Claim> {
      await move(id, 'available_at', '0 seconds');
      return claim(id);
    }

    it('never finds a settled row', async () => {
      const [sent, failed, withheld] = [await addFollowUp(), await addFollowUp(), await addFollowUp('portfolio_pdf')];
      await followUps().markSent(held(await claim(sent)), '250 Ok');
      await followUps().markFailed(held(await claim(failed)), '550 No');
      await test().database('follow_ups').where({ id: withheld }).update({ state: 'withheld' });
      for (const id of [sent, failed, withheld]) await move(id, 'sweep_at', '-1 day');
      expect(await swept()).to.deep.equal([]);
    });

    it('finds at most as many rows as its limit, longest overdue first', async () => {
      const ids = [await addFollowUp(), await addFollowUp(), await addFollowUp()];
      for (const [index, id] of ids.entries()) await move(id, 'sweep_at', `-${index + 1} minutes`);
      expect(await swept(2)).to.have.members([ids[2], ids[1]]);
      expect(await swept(2)).to.deep.equal([ids[0]]);
    });

    it('finds each row once if several sweeps run concurrently', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 60; i++) ids.push(await addFollowUp());
      await test()
        .database('follow_ups')
        .update({ sweep_at: test().database.raw(`now() - interval '1 minute'`) });
      const found = await Promise.all([swept(100), swept(100), swept(20), swept(20)]);
      expect(found.flat()).to.have.members(ids);
    });

    it('skips a locked row', async () => {
      const [locked, free] = [await addFollowUp(), await addFollowUp()];
      for (const id of [locked, free]) await move(id, 'sweep_at', '-1 minute');
      await test().database.transaction(async (holder) => {
        await holder('follow_ups').where({ id: locked }).forUpdate().select();
        expect(await swept()).to.deep.equal([free]);
      });
    });
  });

  it('counts the rows in each state', async () => {
    expect(await followUpAdmin(test().database).countByState()).to.deep.equal({});
    for (const [index, state] of followUpStates.entries()) {
      for (let i = 0; i <= index; i++) {
        await test()
          .database('follow_ups')
          .where({ id: await addFollowUp() })
          .update({
            state,
            lease: state === 'sending' ? randomUUID() : null,
            sent_at: state === 'sent' ? test().database.fn.now() : null,
          });
      }
    }
    expect(await followUpAdmin(test().database).countByState()).to.deep.equal(
      Object.fromEntries(followUpStates.map((state, index) => [state, index + 1])),
    );
  });

  it('throws a DatabaseUnavailableError if the database cannot be reached', async () => {
    const port = await freePort(0, '127.0.0.1');
    const unreachable = connectDatabase({
      url: `postgres://a:b@127.0.0.1:${port}/c`,
      applicationName: 'test',
      poolSize: 2,
    });
    const claims = followUpClaims(unreachable);
    const claimed = held(await claim(await addFollowUp()));
    try {
      for (const [name, call] of Object.entries({
        claim: () => claims.claim(randomUUID(), 1),
        leaseSecondsLeft: () => claims.leaseSecondsLeft(claimed),
        markSent: () => claims.markSent(claimed, '250 Ok'),
        postponeDue: () => claims.postponeDue(1),
        check: () => claims.check(),
      })) {
        const error = await call().then(
          () => expect.fail(`${name} resolved`),
          (reason: unknown) => reason,
        );
        expect(error, name).to.be.instanceOf(DatabaseUnavailableError);
      }
    } finally {
      await unreachable.destroy();
    }
  });
});
