import { randomUUID } from 'node:crypto';
import type { WebhookType } from '@dune-tide/domain/webhooks';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { followUpAdmin } from '../src/follow-ups/admin.ts';
import { followUpClaims } from '../src/follow-ups/claims.ts';
import { replyStore } from '../src/follow-ups/replies.ts';
import { webhookStore } from '../src/follow-ups/webhooks.ts';
import { leadHistory } from '../src/leads/history.ts';
import { leadIntake, type NewLead } from '../src/leads/intake.ts';
import { removeOwner } from '../src/leads/owners.ts';
import { leadWork } from '../src/leads/work.ts';
import { insert, newLead, staffRow } from './rows.ts';

const mailDomain = 'mail.example.com';

describe('webhooks', () => {
  const test = withTestDatabase();
  /** A pool of a process with a WEBHOOK_URL. */
  const writing = (): Knex => test().appWithWebhooks;
  let actor: { readonly id: string; readonly name: string };

  before(async () => {
    const row = await insert(test().database, 'staff', staffRow());
    actor = { id: String(row['id']), name: String(row['name']) };
  });
  beforeEach(() => test().database.raw('truncate leads, follow_ups cascade'));

  async function storeLead(lead: Partial<NewLead> = {}, db: Knex = writing()): Promise<string> {
    const intake = await leadIntake(db, mailDomain).storeLead(newLead(lead));
    return intake.outcome === 'stored' ? intake.id : expect.fail(intake.outcome);
  }
  const work = () => leadWork(writing(), mailDomain);
  const requiredBy = ({ email }: { readonly email: string }) => [
    { kind: 'acknowledgement' as const, recipient: email },
  ];
  const store = () => webhookStore(test().app);

  interface Written {
    readonly id: string;
    readonly type: WebhookType;
  }
  /** Returns the webhooks of a lead in their order. */
  const written = (leadId: string) =>
    test()
      .database('webhook_events')
      .where({ lead_id: leadId })
      .orderBy(['lead_version', 'type', 'id'])
      .select<Written[]>('id', 'type');
  const types = async (leadId: string) => (await written(leadId)).map(({ type }) => type);
  const eventOf = async (leadId: string, type: WebhookType) => {
    const event = (await written(leadId)).find((each) => each.type === type);
    return (await store().eventOf(event?.id ?? expect.fail(`no ${type}`))) ?? expect.fail('no event');
  };

  describe('are written', () => {
    it('for a lead that arrives, with its emails', async () => {
      const id = await storeLead();
      expect(await types(id)).to.deep.equal(['lead.created']);
      const event = await eventOf(id, 'lead.created');
      expect(event).to.deep.include({ leadId: id, leadVersion: 1, leadKind: 'contact', before: null });
      expect(event.after).to.include({ status: 'new', owner: null, answeredAt: null, isAnswered: false, spam: false });
      expect(new Date(event.after?.clockStart ?? '')).to.deep.equal(event.createdAt);
      expect(event).to.deep.include({ email: newLead().email, fields: newLead().fields });
      expect(await test().database('follow_ups').orderBy('kind').pluck('kind')).to.deep.equal([
        'acknowledgement',
        'webhook',
      ]);
    });

    it('once for each of the leads that arrive together, and not for a retry', async () => {
      const ids = await Promise.all(Array.from({ length: 40 }, () => storeLead({ idempotencyKey: randomUUID() })));
      const again = newLead({ idempotencyKey: 'twice' });
      await leadIntake(writing(), mailDomain).storeLead(again);
      expect(await leadIntake(writing(), mailDomain).storeLead(again)).to.include({ outcome: 'replayed' });
      for (const id of ids) expect(await types(id)).to.deep.equal(['lead.created']);
      expect(await test().database('webhook_events')).to.have.length(41);
    });

    it('for a change, with the values before and after it', async () => {
      const id = await storeLead();
      await work().change(id, { ownerId: actor.id }, actor);
      expect(await types(id)).to.deep.equal(['lead.created', 'lead.updated']);
      const { before: former, after: next, leadVersion } = await eventOf(id, 'lead.updated');
      expect(former?.owner).to.equal(null);
      expect(next?.owner).to.deep.equal(actor);
      expect(leadVersion).to.equal(2);
    });

    it('as answered and as updated, if a change of the status answers the lead', async () => {
      const id = await storeLead();
      await work().change(id, { status: 'contacted' }, actor);
      expect(await types(id)).to.deep.equal(['lead.created', 'lead.answered', 'lead.updated']);
      const { after: next } = await eventOf(id, 'lead.answered');
      expect(next).to.include({ status: 'contacted', isAnswered: true });
    });

    it('as answered alone for "Mark as answered", and as updated when that is undone', async () => {
      const id = await storeLead();
      await work().change(id, { answered: true }, actor);
      await work().change(id, { answered: false }, actor);
      expect(await types(id)).to.deep.equal(['lead.created', 'lead.answered', 'lead.updated']);
    });

    it('as answered when a worker records that the first reply was sent', async () => {
      const id = await storeLead();
      const claims = followUpClaims(writing(), null);
      for (let count = 0; count < 2; count++) {
        const replyId = randomUUID();
        const reply = { id: replyId, leadId: id, subject: 'Re: Your film', text: 'Yes, we can.' };
        expect(await replyStore(writing(), mailDomain).add(reply, actor)).to.include({ outcome: 'stored' });
        await writing()('follow_ups')
          .where({ id: replyId })
          .update({ available_at: writing().raw(`now() - interval '1 second'`) });
        const claim = await claims.claim(replyId, 60);
        if (claim.outcome !== 'claimed') return expect.fail(claim.outcome);
        expect(await types(id), 'before it is sent').to.have.length(1 + count);
        expect(await claims.markSent(claim.followUp, '250 OK')).to.equal(true);
      }
      expect(await types(id)).to.deep.equal(['lead.created', 'lead.answered']);
      const { leadVersion, after: next } = await eventOf(id, 'lead.answered');
      expect(leadVersion).to.equal(2);
      expect(next).to.include({ status: 'new', isAnswered: true });
      const lead = await test()
        .database('leads')
        .where({ id })
        .first<{ answered_at: Date; version: number }>('answered_at', 'version');
      expect(new Date(next?.answeredAt ?? '')).to.deep.equal(lead.answered_at);
      expect(lead.version).to.equal(2);
    });

    it('not for a change that changes nothing', async () => {
      const id = await storeLead();
      await work().change(id, { status: 'new', ownerId: null }, actor);
      expect(await types(id)).to.deep.equal(['lead.created']);
    });

    it('for each lead of a bulk change and of a deactivated account', async () => {
      const ids = [await storeLead(), await storeLead()];
      await work().changeTogether(ids, { ownerId: actor.id }, actor, requiredBy);
      await writing().transaction((transaction) => removeOwner(transaction, actor.id, undefined));
      for (const id of ids) {
        expect(await types(id)).to.deep.equal(['lead.created', 'lead.updated', 'lead.updated']);
      }
    });

    it('only after the release of a lead that arrived as spam', async () => {
      const id = await storeLead({ spamSign: 'honeypot' });
      await work().change(id, { status: 'lost' }, actor);
      expect(await types(id)).to.deep.equal([]);
      await work().release(id, requiredBy, actor);
      expect(await types(id)).to.deep.equal(['lead.created']);
      expect((await eventOf(id, 'lead.created')).after).to.include({ status: 'lost', spam: false });
    });

    it('as updated when staff mark a lead as spam and release it, and waiting ones stay', async () => {
      const id = await storeLead();
      await work().markAsSpam(id, actor);
      expect(await test().database('follow_ups').where({ kind: 'webhook' }).pluck('state')).to.deep.equal([
        'pending',
        'pending',
      ]);
      expect((await eventOf(id, 'lead.updated')).after).to.include({ spam: true, clockStart: null });
      await work().release(id, requiredBy, actor);
      expect(await types(id)).to.deep.equal(['lead.created', 'lead.updated', 'lead.updated']);
    });

    it('for a lead that is erased, without what the visitor sent, while its other webhooks are deleted', async () => {
      const id = await storeLead();
      await test().database.transaction(async (transaction) => {
        await transaction.raw(`set local app.webhooks = 'on'`);
        await transaction('leads').where({ id }).delete();
      });
      expect(await types(id)).to.deep.equal(['lead.erased']);
      const event = await eventOf(id, 'lead.erased');
      expect(event).to.deep.include({
        leadId: id,
        leadVersion: 2,
        before: null,
        after: null,
        email: null,
        fields: null,
      });
    });

    it('not if the transaction is rolled back', async () => {
      const id = await storeLead();
      const failure = new Error('rolled back');
      const outcome: unknown = await writing()
        .transaction(async (transaction) => {
          await leadWork(transaction, mailDomain).change(id, { ownerId: actor.id }, actor);
          throw failure;
        })
        .catch((error: unknown) => error);
      expect(outcome).to.equal(failure);
      expect(await types(id)).to.deep.equal(['lead.created']);
    });

    it('not by a process without a WEBHOOK_URL', async () => {
      const id = await storeLead({}, test().app);
      await leadWork(test().app, mailDomain).change(id, { status: 'won' }, actor);
      await test().database('leads').where({ id }).delete();
      expect(await test().database('webhook_events')).to.deep.equal([]);
    });
  });

  describe('that are due', () => {
    const claim = (limit = 10, inProgress = new Set<string>()) => store().claimDue(limit, 50, inProgress);
    const claimed = async (limit?: number) => (await claim(limit)).claimed;
    const makeDue = () =>
      test()
        .database('follow_ups')
        .where({ kind: 'webhook' })
        .update({ available_at: test().database.raw(`now() - interval '1 second'`) });

    it('are claimed once, with a lease and a counted attempt', async () => {
      await storeLead();
      await storeLead();
      const [one, other] = [await claimed(1), await claimed()];
      expect([...one, ...other].map(({ attempts }) => attempts)).to.deep.equal([1, 1]);
      expect(new Set([...one, ...other].map(({ id }) => id))).to.have.property('size', 2);
      expect(await claim()).to.deep.equal({ found: 0, claimed: [] });
      const claims = followUpClaims(test().app);
      for (const followUp of [...one, ...other]) {
        expect(await claims.leaseSecondsLeft(followUp)).to.be.within(1, 50);
        expect(await claims.markSent(followUp, '204')).to.equal(true);
      }
    });

    it('are claimed once by concurrent workers', async () => {
      for (let count = 0; count < 20; count++) await storeLead();
      const all = (await Promise.all(Array.from({ length: 5 }, () => claimed()))).flat();
      expect(new Set(all.map(({ id }) => id)).size).to.equal(all.length);
    });

    it('wait for the earlier ones of their lead, and follow when these are sent or have failed', async () => {
      const id = await storeLead();
      await work().change(id, { status: 'contacted' }, actor);
      const claims = followUpClaims(test().app);
      const order: string[] = [];
      for (let count = 0; count < 3; count++) {
        const [next, ...more] = await claimed();
        if (!next) return expect.fail('nothing is due');
        expect(more).to.deep.equal([]);
        expect(await claimed(), 'while it is being sent').to.deep.equal([]);
        order.push(next.id);
        if (count === 0) await claims.markFailed(next, '410');
        else await claims.markSent(next, '204');
        await store().wakeNext(next.id);
      }
      expect(order).to.deep.equal((await written(id)).map((event) => event.id));
    });

    it('become due later than the claims that began before the earlier one was sent', async () => {
      const id = await storeLead();
      await work().change(id, { ownerId: actor.id }, actor);
      const [first, next] = await written(id);
      const isDue = async (since: Date) => {
        const rows = await test().database('follow_ups').where({ id: next?.id }).where('available_at', '<=', since);
        return rows.length === 1;
      };
      const { rows } = await test().database.raw<{ rows: { began: Date }[] }>('select now() as began');
      const { began } = rows[0] ?? expect.fail('no time');
      expect(await isDue(began)).to.equal(true);
      await store().wakeNext(first?.id ?? '');
      expect(await isDue(began)).to.equal(false);
      expect(await isDue(new Date(Date.now() + 1000))).to.equal(true);
    });

    it('wait while an earlier one waits for its next attempt, but not those of other leads', async () => {
      const id = await storeLead();
      const [first] = await claimed();
      if (!first) return expect.fail('nothing is due');
      await followUpClaims(test().app).release(first, { delaySeconds: 600, usesTry: true, serverResponse: '503' });
      await work().change(id, { ownerId: actor.id }, actor);
      const other = await storeLead();
      const [second] = await written(other);
      expect((await claimed()).map((followUp) => followUp.id)).to.deep.equal([second?.id]);
      const waiting = await test()
        .database('follow_ups')
        .whereNot({ id: first.id })
        .where({ kind: 'webhook', state: 'pending' })
        .first<{ seconds: number }>(test().database.raw('extract(epoch from available_at - now())::float8 as seconds'));
      expect(waiting.seconds, 'looked at again').to.be.within(290, 300);
    });

    it('are claimed again after the worker that held them has died, but not by one that still sends them', async () => {
      await storeLead();
      const [first] = await claimed();
      await makeDue();
      expect((await claim(10, new Set([first?.id ?? '']))).claimed).to.deep.equal([]);
      expect((await claimed())[0]).to.include({ id: first?.id, attempts: 2 });
    });

    it('are not found by the sweep, released, returned or retried', async () => {
      const leadId = await storeLead();
      const [event] = await written(leadId);
      const id = event?.id ?? '';
      const { database } = test();
      const claims = followUpClaims(database);
      const isSwept = async (): Promise<boolean> => {
        await database('follow_ups').whereNot({ kind: 'webhook' }).delete();
        const { rows } = await database.raw<{ rows: unknown[] }>(
          `select from follow_ups where id = ? and sweep_at < 'infinity'`,
          [id],
        );
        return rows.length > 0;
      };
      expect(await isSwept(), 'new').to.equal(false);
      const [first] = await claimed();
      if (!first) return expect.fail('nothing is due');
      await claims.release(first, { delaySeconds: 1, usesTry: true, serverResponse: '503' });
      expect(await isSwept(), 'released').to.equal(false);
      await makeDue();
      const [second] = await claimed();
      if (!second) return expect.fail('nothing is due');
      await claims.releaseUnsent([second]);
      expect(await isSwept(), 'given back').to.equal(false);
      await followUpAdmin(database).cancel(id);
      expect((await followUpAdmin(database).retry(id)).outcome).to.equal('changed');
      expect(await isSwept(), 'retried').to.equal(false);
      expect(await claimed()).to.have.length(1);
    });
  });

  it('are listed, counted, retried and cancelled apart from emails', async () => {
    const id = await storeLead();
    const admin = followUpAdmin(test().app);
    const [listed, ...more] = await admin.page('pending', 'newest', 10, undefined, 'webhook');
    expect(more).to.deep.equal([]);
    expect(listed).to.include({ leadId: id, kind: 'webhook', event: 'lead.created', recipient: null });
    expect(await admin.page('pending', 'newest', 10, undefined, 'email')).to.have.length(1);
    expect(await admin.countByState('webhook')).to.deep.equal({ pending: 1 });
    expect(await admin.countByState('email')).to.deep.equal({ pending: 1 });
    expect(await admin.countByState()).to.deep.equal({ pending: 2 });
    const batch = { limit: 10, notAfter: await admin.now(), transport: 'webhook' } as const;
    expect((await admin.cancelSome('pending', batch)).map(({ kind }) => kind)).to.deep.equal(['webhook']);
    expect((await admin.standing('webhook')).oldestWaitingSeconds).to.equal(null);
    expect((await admin.standing('email')).oldestWaitingSeconds).to.be.a('number');
    const again = { ...batch, notAfter: await admin.now() };
    expect((await admin.retrySome('cancelled', again)).map(({ kind }) => kind)).to.deep.equal(['webhook']);
  });

  it('are left out of the history of a lead', async () => {
    const id = await storeLead();
    const history = leadHistory(test().app);
    expect(await history.total(id)).to.equal(2);
    expect((await history.page(id, 10)).map(({ entry }) => entry.kind)).to.deep.equal(['received', 'email']);
  });
});
