import { randomUUID } from 'node:crypto';
import { requiredFollowUps } from '@dune-tide/domain/leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { staffAccounts } from '../src/accounts/accounts.ts';
import type { Person } from '../src/lead-expressions/columns.ts';
import { dashboardQueries } from '../src/leads/dashboard.ts';
import { leadHistory } from '../src/leads/history.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { leadLists, type StoredLead } from '../src/leads/lists.ts';
import { leadWork, type LeadChanges } from '../src/leads/work.ts';
import { insert, leadRow, newLead, staffRow } from './rows.ts';

type Row = Record<string, unknown>;

const mailDomain = 'mail.example.com';
const hour = 3_600_000;
const ago = (hours: number): Date => new Date(Date.now() - hours * hour);
const requiredBy = (lead: Parameters<typeof requiredFollowUps>[0]) => requiredFollowUps(lead, 'staff@example.com');

describe('work on leads', () => {
  const test = withTestDatabase();
  const work = () => leadWork(test().database, mailDomain);
  const lists = () => leadLists(test().database);
  let actor: Person;

  beforeEach(async () => {
    await test().database.raw('truncate leads, staff cascade');
    actor = await account();
  });

  async function account(changes: Row = {}): Promise<Person> {
    const { id, name } = await insert(test().database, 'staff', staffRow(changes));
    return { id: String(id), name: String(name) };
  }
  const store = async (row: Row = {}, kind: StoredLead['kind'] = 'contact'): Promise<string> =>
    String((await insert(test().database, 'leads', leadRow(kind, row)))['id']);
  const read = async (id: string): Promise<StoredLead> => (await lists().one(id)) ?? expect.fail('no lead');
  const change = async (id: string, changes: LeadChanges) => {
    const done = await work().change(id, changes, actor);
    return done.outcome === 'done' ? done.lead : expect.fail(done.outcome);
  };
  const history = async (id: string) => {
    const page = await leadHistory(test().database).page(id, 100);
    return page.map(({ entry }) => entry);
  };
  const kindsOf = async (id: string): Promise<string[]> => (await history(id)).map(({ kind }) => kind);
  const rejects = async (of: Promise<{ readonly outcome: string }>): Promise<string> => (await of).outcome;

  describe('the clock', () => {
    for (const [hours, response] of [
      [0, 'waiting'],
      [19.9, 'waiting'],
      [20.1, 'soon'],
      [23.9, 'soon'],
      [24.1, 'overdue'],
    ] as const) {
      it(`of a lead that is ${hours} hours old is ${response}`, async () => {
        const createdAt = ago(hours);
        for (const kind of ['contact', 'service_inquiry'] as const) {
          const lead = await read(await store({ created_at: createdAt }, kind));
          expect(lead).to.deep.include({
            response,
            dueAt: new Date(createdAt.getTime() + 24 * hour),
            answeredAt: null,
          });
        }
      });
    }

    it('does not exist for applications, portfolio requests and leads that are held as spam', async () => {
      for (const id of [
        await store({ created_at: ago(30) }, 'career_application'),
        await store({ created_at: ago(30) }, 'portfolio_request'),
        await store({ created_at: ago(30), spam_sign: 'honeypot' }),
      ]) {
        expect(await read(id)).to.include({ response: 'none', dueAt: null });
      }
    });

    it('counts a lead from before its introduction as answered at an unknown time', async () => {
      const id = await store({ created_at: ago(60), answered_before: ago(48) });
      expect(await read(id)).to.include({ response: 'answered', answeredAt: null });
    });

    it('stops with the first change away from new, and stays stopped', async () => {
      const id = await store({ created_at: ago(30) });
      const contacted = await change(id, { status: 'contacted' });
      expect(contacted).to.include({ status: 'contacted', response: 'answered' });
      expect(contacted.answeredAt?.getTime()).to.be.within(Date.now() - 60_000, Date.now() + 60_000);
      const back = await change(id, { status: 'new' });
      expect(back).to.deep.include({ response: 'answered', answeredAt: contacted.answeredAt });
      expect((await change(id, { status: 'won' })).answeredAt).to.deep.equal(contacted.answeredAt);
    });

    it('is stopped by a mark, which can be undone', async () => {
      const id = await store({ created_at: ago(30) });
      expect(await change(id, { answered: true })).to.include({ status: 'new', response: 'answered' });
      expect(await change(id, { answered: false })).to.include({ response: 'overdue', answeredAt: null });
      expect((await kindsOf(id)).slice(1)).to.deep.equal(['answered', 'not_answered']);
    });

    it('runs for 24 hours after a release', async () => {
      const id = await store({ created_at: ago(100), spam_sign: 'too_fast' });
      await work().release(id, requiredBy, actor);
      const { response, dueAt, createdAt } = await read(id);
      expect(response).to.equal('waiting');
      expect(dueAt?.getTime()).to.be.within(Date.now() + 23.9 * hour, Date.now() + 24.1 * hour);
      expect(createdAt.getTime()).to.be.below(ago(99).getTime());
    });
  });

  describe('a change', () => {
    it('is recorded with its author, and counts a version', async () => {
      const colleague = await account({ name: 'Reem' });
      const id = await store();
      const lead = await change(id, { status: 'qualified', ownerId: colleague.id });
      expect(lead).to.deep.include({ status: 'qualified', owner: colleague, version: 2 });
      const [received, status, owner, ...others] = await history(id);
      expect([received?.kind, others]).to.deep.equal(['received', []]);
      expect(status).to.deep.include({ kind: 'status', from: 'new', to: 'qualified', actor });
      expect(owner).to.deep.include({ kind: 'owner', from: null, to: colleague, actor });
    });

    it('that changes nothing counts no version and is not recorded', async () => {
      const id = await store();
      for (const nothing of [{}, { status: 'new' }, { ownerId: null }, { answered: false }] as const) {
        const done = await work().change(id, nothing, actor);
        expect(done).to.include({ outcome: 'done' });
      }
      expect((await read(id)).version).to.equal(1);
      expect(await kindsOf(id)).to.deep.equal(['received']);
    });

    it('of an outdated version changes nothing, so that one of two concurrent changes wins', async () => {
      const id = await store();
      const outcomes = await Promise.all(
        (['contacted', 'lost'] as const).map((status) =>
          rejects(work().change(id, { status }, actor, { versions: [1] })),
        ),
      );
      expect(outcomes.toSorted()).to.deep.equal(['changed', 'done']);
      expect(await kindsOf(id)).to.deep.equal(['received', 'status']);
    });

    it('is refused only if the status, the owner or the answer is not what its author saw', async () => {
      const id = await store();
      const seen = { status: 'new', ownerId: null, answered: false } as const;
      await leadHistory(test().database).addNote(randomUUID(), id, 'A note', actor);
      await work().markAsSpam(id, actor);
      await work().release(id, requiredBy, actor);
      await change(id, { ownerId: actor.id });
      await change(id, { ownerId: null });
      expect(await rejects(work().change(id, { ownerId: actor.id }, actor, { seen, versions: [1] }))).to.equal('done');
      for (const wrong of [{ ownerId: null }, { status: 'won' }, { answered: true }] as const) {
        expect(await rejects(work().change(id, { status: 'lost' }, actor, { seen: wrong }))).to.equal('changed');
      }
      const race = ['contacted', 'lost'].map((status) =>
        rejects(work().change(id, { status: status as 'lost' }, actor, { seen: { status: 'new' } })),
      );
      expect((await Promise.all(race)).toSorted()).to.deep.equal(['changed', 'done']);
    });

    it('is refused for an unknown lead, an inactive owner and the status of a portfolio request', async () => {
      const former = await account({ is_active: false });
      const request = await store({}, 'portfolio_request');
      expect(await rejects(work().change(randomUUID(), { status: 'won' }, actor))).to.equal('unknown');
      for (const ownerId of [former.id, randomUUID()]) {
        expect(await rejects(work().change(await store(), { ownerId }, actor))).to.equal('no_such_owner');
      }
      expect(await rejects(work().change(request, { status: 'won' }, actor))).to.equal('no_status');
      expect(await test().database('lead_events')).to.deep.equal([]);
    });
  });

  describe('a bulk change', () => {
    it('returns what became of each lead, and changes nothing the second time', async () => {
      const ids = [await store(), await store({ status: 'won' }), await store({}, 'portfolio_request'), randomUUID()];
      const first = await work().changeTogether(ids, { status: 'won' }, actor, requiredBy);
      expect(first).to.deep.include({
        changed: [ids[0]],
        missing: [ids[3]],
        followUps: [],
      });
      const again = await work().changeTogether(ids, { status: 'won' }, actor, requiredBy);
      expect(again).to.deep.include({ changed: [], missing: [ids[3]] });
      expect(await kindsOf(ids[0] ?? '')).to.deep.equal(['received', 'status']);
    });

    it('marks as spam and releases', async () => {
      const ids = [await store(), await store({ spam_sign: 'honeypot' })];
      const marked = await work().changeTogether(ids, { spam: true }, actor, requiredBy);
      expect(marked).to.deep.include({ changed: [ids[0]], unchanged: [ids[1]] });
      const released = await work().changeTogether(ids, { spam: false }, actor, requiredBy);
      if (released.outcome !== 'done') expect.fail(released.outcome);
      expect(released.changed).to.have.members(ids);
      expect(released.followUps).to.have.length(4);
    });

    it('is undone although notes, replies and spam marks came since, but no other change', async () => {
      const ids = [await store(), await store(), await store(), await store()];
      const [noted, marked, restored, owned] = ids as [string, string, string, string];
      const request = { id: randomUUID() };
      await work().changeTogether(ids, { status: 'won' }, actor, requiredBy, request);
      await leadHistory(test().database).addNote(randomUUID(), noted, 'A note', actor);
      await work().markAsSpam(marked, actor);
      await change(restored, { status: 'lost' });
      await change(restored, { status: 'won' });
      await change(owned, { ownerId: actor.id });
      const undone = await work().undoTogether(ids, request.id, actor);
      expect(undone).to.deep.include({ outcome: 'done', unchanged: [owned] });
      expect((await read(noted)).status).to.equal('new');
    });

    it('does not deadlock with another one over the same leads', async () => {
      const ids = await Promise.all(Array.from({ length: 40 }, () => store()));
      const statuses = ['contacted', 'lost', 'won', 'qualified'] as const;
      await Promise.all(
        statuses.map((status, index) =>
          work().changeTogether(index % 2 === 0 ? ids : ids.toReversed(), { status }, actor, requiredBy),
        ),
      );
      expect(new Set(await test().database('leads').pluck('status'))).to.have.length(1);
    });
  });

  describe('a mark as spam', () => {
    const storeLead = async (): Promise<string> => {
      const followUps = requiredBy({ kind: 'contact', email: 'noura@example.com' });
      const taken = await leadIntake(test().database, mailDomain).storeLead(newLead({ followUps }));
      return taken.outcome === 'stored' ? taken.id : expect.fail(taken.outcome);
    };
    const states = async (leadId: string) =>
      test().database('follow_ups').where({ lead_id: leadId }).orderBy('kind').pluck('state');

    it('stops the clock and cancels waiting emails; a release resumes these alone', async () => {
      const id = await storeLead();
      await test().database('follow_ups').where({ lead_id: id, kind: 'staff_notice' }).update({ state: 'cancelled' });
      expect(await work().markAsSpam(id, actor)).to.equal('marked');
      expect(await read(id)).to.include({ spamSign: 'by_hand', response: 'none', dueAt: null });
      expect(await states(id)).to.deep.equal(['cancelled', 'cancelled']);

      const release = await work().release(id, requiredBy, actor);
      if (release.outcome !== 'released') expect.fail(release.outcome);
      expect(release.followUps.map(({ kind }) => kind)).to.deep.equal(['acknowledgement']);
      expect(await states(id)).to.deep.equal(['pending', 'cancelled']);
      expect(await read(id)).to.include({ spamSign: null, response: 'waiting' });
      const kinds = await kindsOf(id);
      expect(kinds.filter((kind) => kind !== 'email')).to.deep.equal(['received', 'spam', 'released']);
    });

    it('does not touch an email that a worker holds or that was sent', async () => {
      const id = await storeLead();
      await test()
        .database('follow_ups')
        .where({ lead_id: id, kind: 'acknowledgement' })
        .update({ state: 'sent', sent_at: new Date() });
      await test()
        .database('follow_ups')
        .where({ lead_id: id, kind: 'staff_notice' })
        .update({ state: 'sending', lease: randomUUID() });
      await work().markAsSpam(id, actor);
      expect(await states(id)).to.deep.equal(['sent', 'sending']);
    });

    it('is made once, and only on a lead that exists', async () => {
      const id = await storeLead();
      await work().markAsSpam(id, actor);
      expect(await work().markAsSpam(id, actor)).to.equal('held');
      expect(await work().markAsSpam(randomUUID(), actor)).to.equal('unknown');
    });
  });

  it('removes a deactivated account from its open leads, and keeps its name in the history', async () => {
    const leaving = await account({ name: 'Lerato' });
    const owned = async (status: string | null): Promise<string> => store({ status, owner_id: leaving.id });
    const open = [await owned(null), await owned('contacted'), await owned('qualified')];
    const closed = [await owned('won'), await owned('lost')];
    await staffAccounts(test().database).change(leaving.id, { isActive: false });
    for (const id of open) {
      expect(await read(id)).to.deep.include({ owner: null, version: 2 });
      const [, entry] = await history(id);
      expect(entry).to.deep.include({ kind: 'owner', from: leaving, to: null, actor: null });
    }
    for (const id of closed) expect((await read(id)).owner).to.deep.equal(leaving);
  });

  it('gives no lead to an account that is being deactivated concurrently', async () => {
    const leaving = await account();
    const id = await store();
    const handingOver = await test().database.transaction();
    await leadWork(handingOver, mailDomain).change(id, { ownerId: leaving.id }, actor);
    const deactivating = staffAccounts(test().database).change(leaving.id, { isActive: false });
    await until('the deactivation waits', async () => {
      const { rows } = await test().database.raw<{ rows: unknown[] }>(
        `select from pg_locks where not granted and pid in (
           select pid from pg_stat_activity where datname = current_database()
         )`,
      );
      return rows.length > 0;
    });
    await handingOver.commit();
    await deactivating;
    expect((await read(id)).owner).to.equal(null);
    expect(await rejects(work().change(id, { ownerId: leaving.id }, actor))).to.equal('no_such_owner');
  });

  describe('the numbers of leads that need an answer', () => {
    it('match the leads after every kind of change', async () => {
      const colleague = await account();
      const ids = await Promise.all([1, 2, 21, 22, 25, 26, 100].map((hours) => store({ created_at: ago(hours) })));
      await store({ created_at: ago(30) }, 'career_application');
      const counted = async (): Promise<Row> => {
        const { rows } = await test().database.raw<{ rows: { id: string }[] }>('select id from leads');
        const leads = await Promise.all(rows.map(({ id }) => read(id)));
        const of = (response: string): StoredLead[] => leads.filter((lead) => lead.response === response);
        const all = [...of('overdue'), ...of('soon'), ...of('waiting')];
        return {
          overdue: of('overdue').length,
          soon: of('soon').length,
          waiting: of('waiting').length,
          unowned: all.filter(({ owner }) => owner === null).length,
        };
      };
      const matches = async (): Promise<void> => {
        const expected = await counted();
        expect(await lists().unanswered()).to.deep.equal(expected);
        const { needsAnswer, unowned } = await dashboardQueries(test().database).announcement();
        expect({ ...needsAnswer, unowned }).to.deep.equal(expected);
      };
      expect(await lists().unanswered()).to.deep.equal({ overdue: 3, soon: 2, waiting: 2, unowned: 7 });
      const [first = '', second = '', third = '', fourth = ''] = ids;
      await work().changeTogether([first, third], { ownerId: colleague.id }, actor, requiredBy);
      await matches();
      await change(second, { status: 'contacted' });
      await change(fourth, { answered: true });
      await matches();
      await work().markAsSpam(third, actor);
      await matches();
      await work().release(third, requiredBy, actor);
      await change(fourth, { answered: false });
      await matches();
      await staffAccounts(test().database).change(colleague.id, { isActive: false });
      await matches();
      await test().database('leads').whereIn('id', [first, fourth]).delete();
      await matches();
    });
  });

  describe('the times to answer', () => {
    const times = () => dashboardQueries(test().database).answerTimes();
    const clock = (receivedHoursAgo: number, answeredAfter: number | null, more: Row = {}): Promise<string> =>
      store({
        created_at: ago(receivedHoursAgo),
        answered_at: answeredAfter === null ? null : ago(receivedHoursAgo - answeredAfter),
        ...more,
      });

    it('are null without leads that fell due', async () => {
      await clock(2, 1);
      expect(await times()).to.deep.equal({ due: 0, onTime: 0, medianMinutes: null });
    });

    it('cover the leads that fell due in the last 30 days', async () => {
      await clock(30, 2);
      await clock(60, 4);
      await clock(100, 30);
      await clock(200, null);
      await clock(32 * 24, 1);
      await clock(40, 2, { spam_sign: 'honeypot' });
      await clock(40, null, { answered_before: new Date() });
      await clock(2_000, null, { clock_started_at: ago(50), answered_at: ago(44) });
      const { due, onTime, medianMinutes } = await times();
      expect([due, onTime]).to.deep.equal([5, 3]);
      // The times are 2, 4, 6 and 30 hours.
      expect(medianMinutes).to.be.closeTo(5 * 60, 0.1);
    });
  });
});
