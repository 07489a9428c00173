import { randomUUID } from 'node:crypto';
import { maxMarkedLeads } from '@dune-tide/domain/limits';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { staffAccounts } from '../src/accounts/accounts.ts';
import { leadNotificationStore } from '../src/follow-ups/lead-notifications.ts';
import type { Person } from '../src/lead-expressions/columns.ts';
import { leadHistory } from '../src/leads/history.ts';
import { leadMarks } from '../src/leads/marks.ts';
import { leadWork, type BulkChanges } from '../src/leads/work.ts';
import { insert, leadRow, staffRow } from './rows.ts';

type Row = Record<string, unknown>;

const mailDomain = 'mail.example.com';

describe('the notifications of accounts', () => {
  const test = withTestDatabase();
  // The role of the application, since the trigger runs with its rights.
  const store = () => leadNotificationStore(test().app, mailDomain);
  const marks = () => leadMarks(test().app);
  const work = () => leadWork(test().app, mailDomain);
  const history = () => leadHistory(test().app);
  let noura: Person;
  let thabo: Person;
  let lerato: Person;

  beforeEach(async () => {
    await test().database.raw('truncate leads, staff, follow_ups cascade');
    noura = await account('noura');
    thabo = await account('thabo');
    lerato = await account('lerato');
  });

  async function account(username: string, changes: Row = {}): Promise<Person> {
    const row = staffRow({ username, name: username, email: `${username}@example.com`, ...changes });
    return { id: String((await insert(test().database, 'staff', row))['id']), name: username };
  }
  const lead = async (changes: Row = {}): Promise<string> =>
    String((await insert(test().database, 'leads', leadRow('contact', changes)))['id']);
  const give = async (id: string, owner: Person | null, by: Person = noura): Promise<void> => {
    const { outcome } = await work().change(id, { ownerId: owner?.id ?? null }, by);
    expect(outcome).to.equal('done');
  };
  const together = (ids: readonly string[], changes: BulkChanges, request = randomUUID()) =>
    work().changeTogether(ids, changes, noura, () => [], { id: request });
  const note = async (leadId: string, text: string, by: Person = noura): Promise<string> => {
    const added = await history().addNote(randomUUID(), leadId, text, by);
    return added.outcome === 'added' ? added.note.id : expect.fail(added.outcome);
  };
  const edit = async (leadId: string, noteId: string, text: string | null): Promise<void> => {
    expect((await history().changeNote(leadId, noteId, text, noura)).outcome).to.equal('done');
  };
  const choose = (who: Person, choice: 'hourly' | 'immediate' | 'never') =>
    staffAccounts(test().app).chooseLeadEmails(who.id, choice);
  const markedFor = async (who: Person): Promise<readonly string[]> =>
    (await marks().of([who.id])).get(who.id)?.leadIds ?? [];
  const later = (minutes: number) =>
    test().database.raw(
      `with events as (update lead_events set at = at - make_interval(mins => :minutes))
       update lead_notifications set created_at = created_at - make_interval(mins => :minutes),
         withdrawn_at = withdrawn_at - make_interval(mins => :minutes)`,
      { minutes },
    );
  /** Writes what is due, and returns the emails by recipient, each with the reasons of its leads. */
  async function write(): Promise<Record<string, Record<string, string>[]>> {
    const emails: Record<string, Record<string, string>[]> = {};
    for (const { id } of await store().write()) {
      const row = await test().database('follow_ups').where({ id }).first<{ recipient: string }>();
      const { leads = [] } = (await store().of(id, 500)) ?? {};
      const reasons = leads.map((each) => [each.id, `${each.isAssigned ? 'assigned ' : ''}${each.mentions}`]);
      (emails[row.recipient] ??= []).push(Object.fromEntries(reasons));
    }
    return emails;
  }
  const send = () => test().database('follow_ups').update({ state: 'sent', sent_at: new Date(), lease: null });
  const waiting = () => test().database('lead_notifications').where({ waits_for_email: true });

  it('come with a lead that someone else gave the account, once an hour in one email', async () => {
    const [first, second] = [await lead(), await lead()];
    await give(first, thabo);
    expect(await markedFor(thabo)).to.deep.equal([first]);
    await later(59);
    expect(await write()).to.deep.equal({});
    await give(second, thabo);
    await later(1);
    expect(await write()).to.deep.equal({ 'thabo@example.com': [{ [first]: 'assigned 0', [second]: 'assigned 0' }] });
    await send();
    await later(600);
    expect(await write()).to.deep.equal({});
    expect(await markedFor(thabo)).to.have.members([first, second]);
  });

  it('do not come with a lead that the account took itself, or got again', async () => {
    const id = await lead();
    await give(id, thabo, thabo);
    await give(id, thabo);
    expect(await markedFor(thabo)).to.deep.equal([]);
    expect(await waiting()).to.deep.equal([]);
  });

  it('go with the lead if it is taken away before the email, and their marks as well', async () => {
    const [first, second] = [await lead(), await lead()];
    await give(first, thabo);
    await give(second, thabo);
    await give(first, lerato);
    expect(await markedFor(thabo)).to.deep.equal([second]);
    await later(60);
    expect(await write()).to.deep.equal({
      'thabo@example.com': [{ [second]: 'assigned 0' }],
      'lerato@example.com': [{ [first]: 'assigned 0' }],
    });
    const [written] = await test()
      .database('follow_ups')
      .where({ recipient: 'thabo@example.com' })
      .pluck<string[]>('id');
    await give(second, null);
    expect(await store().of(String(written), 10), 'a written email').to.equal(undefined);
  });

  it('are as before if the change is undone', async () => {
    const [unread, read] = [await lead(), await lead()];
    await give(unread, thabo);
    await give(read, thabo);
    await marks().remove(thabo.id, read);
    await later(5);
    const request = randomUUID();
    await together([unread, read], { ownerId: lerato.id }, request);
    expect(await markedFor(lerato)).to.have.members([unread, read]);
    await work().undoTogether([unread, read], request, noura);
    expect(await markedFor(lerato)).to.deep.equal([]);
    expect(await markedFor(thabo)).to.deep.equal([unread]);
    await later(60);
    expect(await write()).to.deep.equal({ 'thabo@example.com': [{ [unread]: 'assigned 0' }] });
  });

  it('come again if another person gives the lead back', async () => {
    const id = await lead({ owner_id: thabo.id });
    await give(id, lerato, thabo);
    await give(id, thabo, lerato);
    expect(await markedFor(thabo)).to.deep.equal([id]);
  });

  it('of a hundred leads that were given together are one email', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => lead()));
    await together(ids, { ownerId: thabo.id });
    await later(60);
    const [email] = await store().write();
    const { leads, total, staffId } = (await store().of(email?.id ?? '', 38)) ?? {};
    expect([leads?.length, total, staffId]).to.deep.equal([38, 100, thabo.id]);
    expect(await markedFor(thabo)).to.have.members(ids);
  });

  it('come with a mention, and list a lead once for all its reasons', async () => {
    const id = await lead();
    await give(id, thabo);
    await note(id, '@Thabo please call, @lerato knows him. @thabo?');
    await note(id, 'Again @thabo, from @thabo', thabo);
    await note(id, '@thabo: it is urgent. @unknown');
    await later(60);
    expect(await write()).to.deep.equal({
      'thabo@example.com': [{ [id]: 'assigned 2' }],
      'lerato@example.com': [{ [id]: '1' }],
    });
    expect((await marks().of([thabo.id])).get(thabo.id)).to.deep.equal({ total: 1, leadIds: [id] });
  });

  it('come with an edit for the newly mentioned, and go for those that it no longer mentions', async () => {
    const id = await lead();
    const noteId = await note(id, 'Ask @thabo');
    await later(60);
    expect(Object.keys(await write())).to.deep.equal(['thabo@example.com']);
    await marks().remove(thabo.id, id);
    await edit(id, noteId, 'Ask @thabo or @lerato');
    expect([await markedFor(thabo), await markedFor(lerato)]).to.deep.equal([[], [id]]);
    await edit(id, noteId, 'Ask @thabo');
    expect(await markedFor(lerato)).to.deep.equal([]);
    await edit(id, noteId, 'Ask @thabo or @lerato again');
    expect(await markedFor(lerato), 'mentioned before').to.deep.equal([]);
  });

  it('go with the note, and with the lead', async () => {
    const [first, second] = [await lead(), await lead()];
    await edit(first, await note(first, '@thabo'), null);
    await note(second, '@thabo');
    expect(await markedFor(thabo)).to.deep.equal([second]);
    await test().app.raw('select erase_leads(array[?::uuid])', [second]);
    expect(await markedFor(thabo)).to.deep.equal([]);
    await later(60);
    expect(await write()).to.deep.equal({});
  });

  it('are removed when the account opens the lead', async () => {
    const id = await lead();
    await give(id, thabo);
    await note(id, '@thabo');
    await marks().remove(lerato.id, id);
    expect(await markedFor(thabo)).to.deep.equal([id]);
    await marks().remove(thabo.id, id);
    expect(await markedFor(thabo)).to.deep.equal([]);
    await later(60);
    expect(await write()).to.deep.equal({});
  });

  it('are sent after a minute if the account chose that, and never if it chose that', async () => {
    const [first, second] = [await lead(), await lead()];
    await choose(thabo, 'immediate');
    await choose(lerato, 'never');
    await give(first, thabo);
    await note(first, '@lerato');
    expect(await write()).to.deep.equal({});
    await give(second, thabo);
    await later(1);
    expect(Object.values((await write())['thabo@example.com']?.[0] ?? {})).to.have.length(2);
    expect(await markedFor(lerato)).to.deep.equal([first]);
    await choose(lerato, 'hourly');
    await later(60);
    expect(await write(), 'from the time before the choice').to.deep.equal({});
  });

  it('of accounts that get no email are marks only', async () => {
    const [silent, gone, former] = [
      await account('silent', { email: null }),
      await account('gone'),
      await account('former', { is_active: false }),
    ];
    const id = await lead();
    await note(id, '@silent @gone @former');
    expect(await markedFor(silent)).to.deep.equal([id]);
    expect(await markedFor(former)).to.deep.equal([]);
    await staffAccounts(test().app).change(gone.id, { isActive: false });
    await later(60);
    expect(await write()).to.deep.equal({});
    await staffAccounts(test().app).change(gone.id, { isActive: true });
    await staffAccounts(test().app).change(silent.id, { email: 'silent@example.com' });
    await test().database('follow_ups').delete();
    expect(await write(), 'old ones').to.deep.equal({});
  });

  it('wait while an earlier email to the address waits, and follow in one', async () => {
    await choose(thabo, 'immediate');
    await give(await lead(), thabo);
    await later(1);
    expect(await store().write()).to.have.length(1);
    for (let minutes = 0; minutes < 3; minutes++) {
      await give(await lead(), thabo);
      await later(1);
      expect(await store().write(), 'the mail server is down').to.deep.equal([]);
    }
    await send();
    expect(await store().write()).to.have.length(1);
    expect(await waiting()).to.deep.equal([]);
  });

  it('are written by one of several workers', async () => {
    for (const who of [thabo, lerato]) await give(await lead(), who);
    await later(60);
    const written = await Promise.all([store().write(), store().write(), store().write()]);
    expect(written.flat()).to.have.length(2);
  });

  it('are marked up to a number, and counted above it', async () => {
    const ids = Array.from({ length: maxMarkedLeads + 1 }, () => randomUUID());
    await test()
      .database('leads')
      .insert(ids.map((id) => leadRow('contact', { id })));
    for (let from = 0; from < ids.length; from += 100)
      await together(ids.slice(from, from + 100), { ownerId: thabo.id });
    const { total, leadIds } = (await marks().of([thabo.id])).get(thabo.id) ?? {};
    expect([total, leadIds?.length]).to.deep.equal([maxMarkedLeads + 1, maxMarkedLeads]);
  });

  it('need nothing from the previous release, whose notes and owners are the same rows', async () => {
    const id = await lead();
    const event = (row: Row) =>
      test()
        .app('lead_events')
        .insert({ id: randomUUID(), lead_id: id, actor_id: noura.id, actor_name: 'n', ...row });
    await event({ kind: 'owner', details: { from: null, to: thabo } });
    expect(await markedFor(thabo)).to.deep.equal([id]);
    const noteId = await note(id, '@lerato');
    await event({ kind: 'note', details: { text: '@thabo' } });
    await event({ kind: 'note_edited', note_id: noteId, details: { text: 'Nothing' } });
    expect(await markedFor(lerato)).to.deep.equal([id]);
    await event({ kind: 'note_deleted', note_id: noteId });
    expect(await markedFor(lerato)).to.deep.equal([]);
  });
});
