import { randomUUID } from 'node:crypto';
import { cancellableStates, followUpStates, retryableStates, type FollowUpState } from '@dune-tide/domain/follow-ups';
import { fillDatabase, withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import type { Knex } from 'knex';
import pg from 'pg';
import { followUpAdmin, followUpOrders, type FollowUpPlace } from '../src/follow-ups/admin.ts';
import { followUpClaims } from '../src/follow-ups/claims.ts';
import { fieldsOf, followUpRow, insert, leadRow } from './rows.ts';

type Row = Record<string, unknown>;

/** Returns a follow-up in a state, with the columns that the state requires. */
const inState = (leadId: unknown, state: FollowUpState, overrides: Row = {}): Row =>
  followUpRow(leadId, {
    state,
    lease: state === 'sending' ? randomUUID() : null,
    sent_at: state === 'sent' ? new Date() : null,
    ...overrides,
  });

const notCancellable = followUpStates.filter((state) => !(cancellableStates as readonly string[]).includes(state));
const notRetryable = followUpStates.filter((state) => !(retryableStates as readonly string[]).includes(state));

describe('followUpAdmin', () => {
  const test = withTestDatabase();
  const admin = () => followUpAdmin(test().database);
  const followUps = () => followUpClaims(test().database, null);
  beforeEach(() => test().database.raw('truncate leads cascade'));

  /**
   * Stores a lead with one follow-up.
   * @returns the id of the follow-up
   */
  async function addFollowUp(state: FollowUpState, overrides: Row = {}): Promise<string> {
    const lead = await insert(test().database, 'leads', leadRow());
    return String((await insert(test().database, 'follow_ups', inState(lead['id'], state, overrides)))['id']);
  }

  const row = (id: string): Promise<Row> => test().database('follow_ups').where({ id }).first<Row>();

  describe('a page', () => {
    it('has the details of a follow-up, and only the id and email address of its lead', async () => {
      const id = await addFollowUp('failed', { attempts: 5, server_answer: '550 5.1.1 No such user' });
      const stored = await row(id);
      expect(await admin().page('failed', 'newest', 10)).to.deep.equal([
        {
          id,
          leadId: stored['lead_id'],
          leadEmail: leadRow()['email'],
          kind: 'acknowledgement',
          event: null,
          recipient: 'noura@example.com',
          state: 'failed',
          attempts: 5,
          serverAnswer: '550 5.1.1 No such user',
          withheldReason: null,
          nextTryAt: null,
          sentAt: null,
          createdAt: stored['created_at'],
          updatedAt: stored['updated_at'],
        },
      ]);
      const waiting = await addFollowUp('pending');
      expect((await admin().page('pending', 'newest', 10))[0]?.nextTryAt).to.deep.equal(
        (await row(waiting))['available_at'],
      );
      await addFollowUp('sent');
      expect((await admin().page('sent', 'newest', 10))[0]?.sentAt).to.be.instanceOf(Date);
    });

    for (const order of followUpOrders) {
      it(`continues after the previous one, ${order} first, even within a millisecond`, async () => {
        const times = [3, 1, 2, 2, 2, 5, 4].map((second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
        for (const time of times) await addFollowUp('failed', { created_at: time });
        await addFollowUp('pending');
        const seen: FollowUpPlace[] = [];
        for (;;) {
          const page = await admin().page('failed', order, 2, seen.at(-1));
          seen.push(...page);
          if (page.length < 2) break;
        }
        const sign = order === 'newest' ? -1 : 1;
        const expected = seen.toSorted(
          (a, b) => sign * (Number(a.createdAt) - Number(b.createdAt) || (a.id < b.id ? -1 : 1)),
        );
        expect(seen).to.deep.equal(expected);
        expect(new Set(seen.map(({ id }) => id)).size).to.equal(times.length);
      });
    }
  });

  describe('the ages', () => {
    const hoursAgo = (hours: number) => ({
      created_at: test().database.raw('now() - make_interval(hours => ?)', [hours]),
    });

    it('are those of the oldest unsent and the oldest untried follow-up', async () => {
      const none = { oldestWaitingSeconds: null, oldestUntriedSeconds: null };
      expect(await admin().ages()).to.deep.equal(none);
      await addFollowUp('failed', { created_at: new Date(0) });
      expect(await admin().ages()).to.deep.equal(none);
      await addFollowUp('pending', { ...hoursAgo(2), attempts: 1 });
      expect((await admin().ages()).oldestUntriedSeconds).to.equal(null);
      await addFollowUp('pending');
      await addFollowUp('pending', hoursAgo(1));
      const { oldestWaitingSeconds, oldestUntriedSeconds } = await admin().ages();
      expect(oldestWaitingSeconds).to.be.within(7_200, 7_300);
      expect(oldestUntriedSeconds).to.be.within(3_600, 3_700);
      // The worker of such a row may crash at each attempt.
      await addFollowUp('sending', { ...hoursAgo(3), attempts: 2 });
      const later = await admin().ages();
      expect(later.oldestWaitingSeconds).to.be.within(10_800, 10_900);
      expect(later.oldestUntriedSeconds).to.be.within(3_600, 3_700);
    });

    it('count a follow-up as untried until its first attempt has ended', async () => {
      const id = await addFollowUp('pending', hoursAgo(1));
      const claimed = async () => {
        const claim = await followUps().claim(id, 60);
        return claim.outcome === 'claimed' ? claim.followUp : expect.fail(claim.outcome);
      };
      const first = await claimed();
      expect((await admin().ages()).oldestUntriedSeconds).to.be.within(3_600, 3_700);
      await followUps().release(first, { delaySeconds: 0, usesTry: false });
      expect((await admin().ages()).oldestUntriedSeconds).to.be.within(3_600, 3_700);
      await followUps().release(await claimed(), { delaySeconds: 0, usesTry: true });
      expect((await admin().ages()).oldestUntriedSeconds).to.equal(null);
    });

    it('count a retried follow-up as untried, from the time of the retry', async () => {
      await admin().retry(await addFollowUp('failed', { ...hoursAgo(48), attempts: 9 }));
      await addFollowUp('cancelled', { ...hoursAgo(48), attempts: 9 });
      await admin().retrySome('cancelled', { limit: 10, notAfter: await admin().now() });
      const { oldestWaitingSeconds, oldestUntriedSeconds } = await admin().ages();
      expect(oldestWaitingSeconds).to.be.within(0, 60);
      expect(oldestUntriedSeconds).to.be.within(0, 60);
      // A younger untried row is found although the retried row is older.
      await addFollowUp('pending', hoursAgo(1));
      const later = await admin().ages();
      expect(later.oldestWaitingSeconds).to.be.within(3_600, 3_700);
      expect(later.oldestUntriedSeconds).to.be.within(3_600, 3_700);
    });
  });

  describe('a retry', () => {
    for (const state of retryableStates) {
      it(`makes a ${state} follow-up due, with all attempts and the same Message-ID`, async () => {
        const id = await addFollowUp(state, { attempts: 9, server_answer: '550 No', available_at: '2030-01-01' });
        const before = await row(id);
        const change = await admin().retry(id);
        expect(change).to.have.nested.include({ outcome: 'changed', 'followUp.state': 'pending' });
        expect(await row(id)).to.include({
          state: 'pending',
          attempts: 0,
          message_id: before['message_id'],
          server_answer: '550 No',
        });
        expect(await followUps().claim(id, 60)).to.have.nested.include({
          outcome: 'claimed',
          'followUp.messageId': before['message_id'],
          'followUp.attempts': 1,
        });
      });
    }

    for (const state of notRetryable) {
      it(`does not change a follow-up whose state is ${state}`, async () => {
        const id = await addFollowUp(state, { attempts: 2 });
        const before = await row(id);
        expect(await admin().retry(id)).to.deep.equal({ outcome: 'refused', state });
        expect(await row(id)).to.deep.equal(before);
      });
    }

    it('is found by the sweep if no job was enqueued', async () => {
      const id = await addFollowUp('failed');
      await admin().retry(id);
      await test().database('follow_ups').update({ sweep_at: test().database.fn.now() });
      expect(await followUps().postponeDue(10)).to.deep.equal([{ id, kind: 'acknowledgement' }]);
    });

    it('happens once if twenty are concurrent, and one of several workers claims the follow-up', async () => {
      const id = await addFollowUp('failed');
      const changes = await Promise.all(Array.from({ length: 20 }, () => admin().retry(id)));
      expect(changes.filter(({ outcome }) => outcome === 'changed')).to.have.length(1);
      const claims = await Promise.all(
        Array.from({ length: 20 }, async (_, index) =>
          index % 2 === 0 ? followUps().claim(id, 60) : admin().retry(id),
        ),
      );
      expect(claims.filter(({ outcome }) => outcome === 'claimed')).to.have.length(1);
    });
  });

  describe('a cancellation', () => {
    it('hides a pending follow-up from workers and from the sweep', async () => {
      const id = await addFollowUp('pending', { sweep_at: new Date(0) });
      expect(await admin().cancel(id)).to.have.nested.include({ outcome: 'changed', 'followUp.state': 'cancelled' });
      expect(await followUps().claim(id, 60)).to.deep.equal({ outcome: 'taken' });
      expect(await followUps().postponeDue(10)).to.deep.equal([]);
    });

    for (const state of ['failed', 'withheld'] as const) {
      it(`keeps the attempts and the server's response of a ${state} follow-up`, async () => {
        const id = await addFollowUp(state, { attempts: 9, server_answer: '550 No' });
        expect(await admin().cancel(id)).to.have.nested.include({ outcome: 'changed', 'followUp.state': 'cancelled' });
        expect(await row(id)).to.include({ attempts: 9, server_answer: '550 No' });
        const counts = await admin().countByState();
        expect([counts[state] ?? 0, counts.cancelled]).to.deep.equal([0, 1]);
      });
    }

    for (const state of notCancellable) {
      it(`leaves a follow-up unchanged whose state is ${state}`, async () => {
        const id = await addFollowUp(state);
        const before = await row(id);
        expect(await admin().cancel(id)).to.deep.equal({ outcome: 'refused', state });
        expect(await row(id)).to.deep.equal(before);
      });
    }

    it('and a concurrent claim cannot both succeed', async () => {
      for (let round = 0; round < 10; round++) {
        const id = await addFollowUp('pending');
        const [cancelled, claimed] = await Promise.all([admin().cancel(id), followUps().claim(id, 60)]);
        expect([cancelled.outcome === 'changed', claimed.outcome === 'claimed'].filter(Boolean)).to.have.length(1);
      }
    });
  });

  it('returns "unknown" for a follow-up that does not exist', async () => {
    expect(await admin().retry(randomUUID())).to.deep.equal({ outcome: 'unknown' });
    expect(await admin().cancel(randomUUID())).to.deep.equal({ outcome: 'unknown' });
  });

  describe('a change of many follow-ups', () => {
    it('starts with the oldest, and only changes those in the state', async () => {
      const second = await addFollowUp('failed', { created_at: new Date(2_000) });
      const first = await addFollowUp('failed', { created_at: new Date(1_000) });
      const other = await addFollowUp('cancelled');
      const notAfter = await admin().now();
      const batch = () => admin().retrySome('failed', { limit: 1, notAfter });
      expect([await batch(), await batch(), await batch()]).to.deep.equal([
        [{ id: first, kind: 'acknowledgement' }],
        [{ id: second, kind: 'acknowledgement' }],
        [],
      ]);
      expect((await row(other))['state']).to.equal('cancelled');
    });

    it('does not retry a follow-up twice if it fails again', async () => {
      const id = await addFollowUp('failed');
      const notAfter = await admin().now();
      expect(await admin().retrySome('failed', { limit: 10, notAfter })).to.have.length(1);
      const claim = await followUps().claim(id, 60);
      if (claim.outcome !== 'claimed') expect.fail(claim.outcome);
      await followUps().markFailed(claim.followUp, '550 again');
      expect(await admin().retrySome('failed', { limit: 10, notAfter })).to.deep.equal([]);
    });

    it('cancels older pending follow-ups, but not new ones', async () => {
      const notAfter = await admin().now();
      await addFollowUp('pending', { created_at: test().database.raw(`now() + interval '1 second'`) });
      const older = await addFollowUp('pending', { created_at: new Date(0) });
      expect(await admin().cancelSome('pending', { limit: 10, notAfter })).to.deep.equal([
        { id: older, kind: 'acknowledgement' },
      ]);
    });

    it('does not cancel a follow-up that failed after the change started', async () => {
      const seen = await addFollowUp('failed');
      const id = await addFollowUp('pending');
      const notAfter = await admin().now();
      const claim = await followUps().claim(id, 60);
      if (claim.outcome !== 'claimed') expect.fail(claim.outcome);
      await followUps().markFailed(claim.followUp, '550 not seen yet');
      expect(await admin().cancelSome('failed', { limit: 10, notAfter })).to.deep.equal([
        { id: seen, kind: 'acknowledgement' },
      ]);
    });

    it('skips rows that are locked', async () => {
      const id = await addFollowUp('failed');
      await test().database.transaction(async (other) => {
        await other('follow_ups').where({ id }).forUpdate().first();
        expect(await admin().retrySome('failed', { limit: 10, notAfter: await admin().now() })).to.deep.equal([]);
      });
    });
  });

  describe('the counts', () => {
    /** Returns the differences between the counts and the table, both read from one snapshot. */
    async function differences(db: Knex): Promise<Row[]> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `select state, sum(one) as missing from (
           select state, 1 as one from follow_ups union all select state, -count from follow_up_counts
         ) as compared group by state having sum(one) <> 0`,
      );
      return rows;
    }

    it('match the table after every change and every rollback', async () => {
      const ids = [];
      for (const state of followUpStates) ids.push(await addFollowUp(state), await addFollowUp(state));
      expect(await differences(test().database)).to.deep.equal([]);
      await admin().retrySome('failed', { limit: 10, notAfter: await admin().now() });
      await admin().cancelSome('pending', { limit: 3, notAfter: await admin().now() });
      const started = await test().database.transaction();
      await started('follow_ups')
        .whereNot({ state: 'sending' })
        .whereNot({ state: 'sent' })
        .update({ state: 'failed' });
      await started('leads').delete();
      expect(await differences(started)).to.deep.equal([]);
      await started.rollback();
      expect(await differences(test().database)).to.deep.equal([]);
      await test()
        .database('leads')
        .whereIn('id', test().database('follow_ups').select('lead_id').whereIn('id', ids.slice(0, 4)))
        .delete();
      expect(await differences(test().database)).to.deep.equal([]);
      expect((await admin().countByState()).sent).to.equal(2);
      await test().database.raw('truncate leads cascade');
      expect(await admin().countByState()).to.deep.equal({});
    });

    it('match the table while several connections change it concurrently', async () => {
      const ids = await Promise.all(
        Array.from({ length: 30 }, (_, index) => addFollowUp(index % 2 ? 'pending' : 'failed')),
      );
      await Promise.all(
        ids.map(async (id) => {
          await Promise.all([admin().cancel(id), admin().retry(id), followUps().claim(id, 60)]);
          expect(await differences(test().database)).to.deep.equal([]);
        }),
      );
      expect(await differences(test().database)).to.deep.equal([]);
    });
  });
});

describe('followUpAdmin at size', () => {
  const test = withTestDatabase();
  const total = 20_000;

  before(async () => {
    const { database, url } = test();
    await fillDatabase(
      url,
      `insert into leads (id, kind, email, answers)
       select gen_random_uuid(), 'portfolio_request', 'a@example.com', :answers
       from generate_series(1, ${total})`,
      { answers: JSON.stringify(fieldsOf('portfolio_request')) },
    );
    await fillDatabase(
      url,
      `insert into follow_ups (id, lead_id, kind, recipient, message_id, state, attempts, sent_at, created_at)
       select id, id, 'portfolio_pdf', 'a@example.com', '<' || id || '@example.com>', state,
              -- Only the newest was never tried.
              case when n = 1 then 0 else 1 end,
              case when state = 'sent' then now() end, now() - make_interval(secs => n)
       from (select id, row_number() over () as n from leads) as numbered,
            lateral (select case when n % 4 = 0 then 'failed' when n % 4 = 1 then 'pending' else 'sent' end as state) as chosen`,
    );
    await database.raw('analyze leads, follow_ups, follow_up_counts');
  });

  interface PlanNode {
    readonly 'Node Type': string;
    readonly 'Relation Name'?: string;
    readonly 'Shared Hit Blocks': number;
    readonly 'Shared Read Blocks': number;
    readonly Plans?: readonly PlanNode[];
  }
  const allNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allNodes)];

  /** Returns the plan of the one statement that a call sends besides those of its transaction. The explained statement is rolled back. */
  async function planOf(call: () => Promise<unknown>): Promise<{ buffers: number; nodes: PlanNode[] }> {
    const sent: { sql: string; bindings: unknown[] }[] = [];
    const keep = (query: { sql: string; bindings: unknown[] }): void => void sent.push(query);
    test().database.on('query', keep);
    await call();
    test().database.removeListener('query', keep);
    const [statement, ...others] = sent.filter(({ sql }) => !/^(?:BEGIN|COMMIT|select pg_advisory)/.test(sql));
    if (!statement || others.length > 0) expect.fail(`${sent.length} statements were sent`);
    const client = new pg.Client({ connectionString: test().url });
    await client.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, buffers, format json) ${statement.sql}`,
        statement.bindings,
      );
      await client.query('rollback');
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (!plan) expect.fail('no plan');
      return { buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], nodes: allNodes(plan) };
    } finally {
      await client.end();
    }
  }

  it('reads pages, ages and counts by index, and the deepest page like the first', async () => {
    const admin = followUpAdmin(test().database);
    const deepest = (await admin.page('sent', 'oldest', 100)).at(-1);
    const calls = {
      'the first page': () => admin.page('sent', 'newest', 101),
      'the deepest page': () => admin.page('sent', 'newest', 101, deepest),
      'the oldest first': () => admin.page('failed', 'oldest', 101),
      'a page of nothing': () => admin.page('cancelled', 'newest', 101),
      'the oldest that wait': () => admin.ages(),
      'the counts': () => admin.countByState(),
    };
    for (const [name, call] of Object.entries(calls)) {
      const { buffers, nodes } = await planOf(call);
      for (const node of nodes.filter((each) => each['Relation Name'] === 'follow_ups')) {
        expect(node['Node Type'], name).to.be.oneOf(['Index Scan', 'Index Only Scan', 'Bitmap Heap Scan']);
      }
      expect(buffers, name).to.be.below(320);
    }
  });

  it('finds the follow-ups of an address, a lead and a Message-ID by index', async () => {
    const admin = followUpAdmin(test().database);
    const [newest] = await admin.page('pending', 'newest', 1);
    const id = newest?.id ?? expect.fail('none waits');
    for (const [term, count] of [
      [{ id }, 1],
      [{ messageId: `<${id}@example.com>` }, 1],
      [{ address: 'other@example.com' }, 0],
    ] as const) {
      expect(await admin.find(term, 100)).to.have.length(count);
      const { buffers, nodes } = await planOf(() => admin.find(term, 100));
      expect(nodes.map((node) => node['Node Type'])).to.not.include('Seq Scan');
      expect(buffers, JSON.stringify(term)).to.be.below(100);
    }
  });

  it('finds the oldest untried follow-up among the newest pending rows', async () => {
    const { oldestUntriedSeconds } = await followUpAdmin(test().database).ages();
    expect(oldestUntriedSeconds).to.be.within(1, 600);
  });

  it('changes a batch by index', async () => {
    const admin = followUpAdmin(test().database);
    const notAfter = await admin.now();
    for (const call of [
      () => admin.retrySome('failed', { limit: 50, notAfter }),
      () => admin.cancelSome('pending', { limit: 50, notAfter }),
    ]) {
      const { nodes } = await planOf(call);
      // A small table, such as that of opt-outs, needs no index.
      const large = nodes.filter((node) => node['Relation Name'] === 'follow_ups');
      expect(large.map((node) => node['Node Type'])).to.not.include('Seq Scan');
    }
  });
});
