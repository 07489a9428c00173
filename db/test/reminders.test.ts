import { randomUUID } from 'node:crypto';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { reminderStore } from '../src/follow-ups/reminders.ts';
import { leadWork } from '../src/leads/work.ts';
import { insert, leadRow, staffRow } from './rows.ts';

type Row = Record<string, unknown>;

const mailDomain = 'mail.example.com';
const studio = 'studio@example.com';
const ago = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);

describe('reminders', () => {
  const test = withTestDatabase();
  const store = () => reminderStore(test().database, mailDomain);
  beforeEach(() => test().database.raw('truncate leads, staff, follow_ups cascade'));

  const lead = async (hours: number, changes: Row = {}): Promise<string> =>
    String((await insert(test().database, 'leads', leadRow('contact', { created_at: ago(hours), ...changes })))['id']);
  const account = async (email: string | null, changes: Row = {}): Promise<string> =>
    String((await insert(test().database, 'staff', staffRow({ email, ...changes })))['id']);

  /** Returns the stages of leads by address, in the order of the leads' ids. */
  async function written(): Promise<Row> {
    const rows = await test()
      .database('lead_reminders')
      .join('follow_ups', 'follow_ups.id', 'follow_up_id')
      .select<{ recipient: string; lead_id: string; stage: string }[]>('recipient', 'lead_reminders.lead_id', 'stage');
    const byAddress: Record<string, Record<string, string[]>> = {};
    for (const { recipient, lead_id: leadId, stage } of rows) {
      ((byAddress[recipient] ??= {})[leadId] ??= []).push(stage);
    }
    return byAddress;
  }
  /** Moves all times of the reminders into the past. */
  const anHourLater = () =>
    test().database.raw(
      `update follow_ups set
         created_at = created_at - interval '61 minutes', sent_at = sent_at - interval '61 minutes'`,
    );
  const send = () => test().database('follow_ups').update({ state: 'sent', sent_at: new Date(), lease: null });
  /** Sends all reminders and moves them into the past, so that another one can follow. */
  const sentAnHourAgo = async () => {
    await send();
    await anHourLater();
  };
  const age = (id: string, hours: number) =>
    test()
      .database('leads')
      .where({ id })
      .update({ created_at: ago(hours) });

  it('go to the owner, or to the address of staff', async () => {
    const owner = await account('owner@example.com');
    const without = await account(null);
    const [owned, ownedWithout, unowned] = [
      await lead(21, { owner_id: owner }),
      await lead(25, { owner_id: without }),
      await lead(30),
    ];
    await lead(2);
    await store().write(studio);
    expect(await written()).to.deep.equal({
      'owner@example.com': { [owned]: ['soon'] },
      [studio]: { [ownedWithout]: ['overdue'], [unowned]: ['overdue'] },
    });
  });

  it('are not written without an address', async () => {
    await lead(21);
    await lead(21, { owner_id: await account(null) });
    expect(await store().write(undefined)).to.deep.equal([]);
    expect(await test().database('follow_ups')).to.deep.equal([]);
  });

  it('list each lead once as due soon and once as overdue', async () => {
    const id = await lead(21);
    expect(await store().write(studio)).to.have.length(1);
    for (let times = 0; times < 3; times++) {
      await sentAnHourAgo();
      expect(await store().write(studio)).to.deep.equal([]);
    }
    await age(id, 25);
    expect(await store().write(studio)).to.have.length(1);
    await sentAnHourAgo();
    expect(await store().write(studio)).to.deep.equal([]);
    expect(await written()).to.deep.equal({ [studio]: { [id]: ['soon', 'overdue'] } });
  });

  it('are written to an address at most once an hour, in one email for all its leads', async () => {
    const ids = [await lead(21), await lead(22), await lead(30)];
    expect(await store().write(studio.toUpperCase())).to.have.length(1);
    const late = await lead(23);
    expect(await store().write(studio), 'within the hour').to.deep.equal([]);
    await sentAnHourAgo();
    expect(await store().write(studio)).to.have.length(1);
    expect(Object.keys((await written())[studio] as Row)).to.deep.equal([late]);
    expect(Object.keys((await written())[studio.toUpperCase()] as Row)).to.have.members(ids);
  });

  for (const state of ['pending', 'sending'] as const) {
    it(`wait while an earlier one is ${state}, and for an hour after it was sent`, async () => {
      await lead(22);
      expect(await store().write(studio)).to.have.length(1);
      await test()
        .database('follow_ups')
        .update({ state, ...(state === 'sending' && { lease: randomUUID() }) });
      await anHourLater();
      await lead(23);
      expect(await store().write(studio.toUpperCase()), 'not sent').to.deep.equal([]);
      await send();
      expect(await store().write(studio), 'just sent').to.deep.equal([]);
      await anHourLater();
      expect(await store().write(studio)).to.have.length(1);
    });
  }

  it('follow an hour after one that failed or was cancelled', async () => {
    for (const state of ['failed', 'cancelled']) {
      await lead(22);
      expect(await store().write(studio), state).to.have.length(1);
      await test().database('follow_ups').update({ state });
      await anHourLater();
    }
    await lead(22);
    expect(await store().write(studio)).to.have.length(1);
  });

  it('are not written for leads that need no answer', async () => {
    await lead(25, { answered_at: new Date() });
    await lead(25, { spam_sign: 'honeypot' });
    await lead(25, { answered_before: new Date() });
    await insert(test().database, 'leads', leadRow('career_application', { created_at: ago(25) }));
    expect(await store().write(studio)).to.deep.equal([]);
  });

  it('leave out leads that have been overdue for more than a week', async () => {
    await lead(24 * 9);
    expect(await store().write(studio)).to.deep.equal([]);
  });

  it('are written once by workers that write at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => lead(20.5 + index / 4)));
    const found = await Promise.all(Array.from({ length: 8 }, () => store().write(studio)));
    expect(found.flat()).to.have.length(1);
    expect(await test().database('follow_ups')).to.have.length(1);
    expect(await test().database('lead_reminders')).to.have.length(20);
  });

  it('are not written at all if their leads cannot be stored', async () => {
    await lead(21);
    await test().database.transaction(async (transaction) => {
      await transaction.raw('lock table lead_reminders in share mode');
      const writing = store().write(studio);
      const error: unknown = await writing.catch((reason: unknown) => reason);
      expect(error).to.have.property('name', 'DatabaseUnavailableError');
    });
    expect(await test().database('follow_ups')).to.deep.equal([]);
    expect(await store().write(studio)).to.have.length(1);
  });

  it('contain the leads that still need an answer, with those due first in front', async () => {
    const [soon, overdue, answered] = [await lead(21), await lead(26), await lead(22)];
    const [reminder] = await store().write(studio);
    const { id, name } = await insert(test().database, 'staff', staffRow());
    const actor = { id: String(id), name: String(name) };
    await leadWork(test().database, mailDomain).change(answered, { answered: true }, actor);
    const { leads, total } = await store().leadsOf(reminder?.id ?? '', 10);
    expect(leads.map((each) => [each.id, each.response])).to.deep.equal([
      [overdue, 'overdue'],
      [soon, 'soon'],
    ]);
    expect(total).to.equal(2);
    expect((await store().leadsOf(reminder?.id ?? '', 1)).total).to.equal(2);
  });
});
