import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import type { Person } from '../src/lead-expressions/columns.ts';
import { leadHistory, type HistoryEntry, type HistoryPlace } from '../src/leads/history.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { leadWork } from '../src/leads/work.ts';
import { insert, newLead, staffRow } from './rows.ts';

describe('the history of a lead', () => {
  const test = withTestDatabase();
  const history = () => leadHistory(test().database);
  let author: Person;
  let other: Person;

  beforeEach(async () => {
    await test().database.raw('truncate leads, staff cascade');
    [author, other] = [await account('Noura'), await account('Thabo')];
  });

  async function account(name: string): Promise<Person> {
    const { id } = await insert(test().database, 'staff', staffRow({ name }));
    return { id: String(id), name };
  }
  async function storeLead(): Promise<string> {
    const taken = await leadIntake(test().database, 'mail.example.com').storeLead(newLead());
    return taken.outcome === 'stored' ? taken.id : expect.fail(taken.outcome);
  }
  const addNote = async (leadId: string, text: string): Promise<string> => {
    const added = await history().addNote(randomUUID(), leadId, text, author);
    // Entries of one millisecond have no order.
    await pause(2);
    return added.outcome === 'added' ? added.note.id : expect.fail(added.outcome);
  };
  const entries = async (leadId: string): Promise<HistoryEntry[]> =>
    (await history().page(leadId, 100)).map(({ entry }) => entry);

  it('starts with its arrival, and shows the fate of its emails', async () => {
    const id = await storeLead();
    await test().database('follow_ups').update({ state: 'failed', server_answer: '550 No such user', attempts: 1 });
    const [received, email, ...rest] = await entries(id);
    expect(rest).to.deep.equal([]);
    expect(received).to.include({ kind: 'received', id, actor: null });
    expect(email).to.deep.include({
      kind: 'email',
      email: 'acknowledgement',
      recipient: 'noura@example.com',
      state: 'failed',
      serverAnswer: '550 No such user',
      withheldReason: null,
      sentAt: null,
      nextTryAt: null,
    });
  });

  it('shows why an email is withheld, and since when', async () => {
    const id = await storeLead();
    const updated_at = new Date('2026-03-07T12:00:00Z');
    await test().database('follow_ups').update({ state: 'withheld', withheld_reason: 'mailbox_limit', updated_at });
    const [, email] = await entries(id);
    expect(email).to.deep.include({ state: 'withheld', withheldReason: 'mailbox_limit', updatedAt: updated_at });
  });

  it('has each entry once on its pages, oldest first', async () => {
    const id = await storeLead();
    const work = leadWork(test().database, 'mail.example.com');
    for (const status of ['contacted', 'qualified', 'won'] as const) {
      await work.change(id, { status, ownerId: author.id }, author);
      await addNote(id, `It is ${status} now.`);
    }
    const all = await entries(id);
    expect(all.map(({ kind }) => kind)).to.deep.equal([
      'received',
      'email',
      'status',
      'owner',
      'note',
      'status',
      'note',
      'status',
      'note',
    ]);
    expect(await history().total(id)).to.equal(all.length);
    for (const limit of [1, 2, 4]) {
      const seen: HistoryEntry[] = [];
      for (let after: HistoryPlace | undefined; ;) {
        const page = await history().page(id, limit, after);
        seen.push(...page.map(({ entry }) => entry));
        after = page.at(-1);
        if (page.length < limit) break;
      }
      expect(seen, `${limit} a page`).to.deep.equal(all);
    }
  });

  it('has notes, marked as edited or deleted', async () => {
    const id = await storeLead();
    const [kept, edited, deleted] = [await addNote(id, 'One'), await addNote(id, 'Two'), await addNote(id, 'Three')];
    await history().changeNote(id, edited, 'Two and a half', author);
    await history().changeNote(id, edited, 'Two and three quarters', author);
    await history().changeNote(id, deleted, null, author);
    const notes = (await entries(id)).filter(({ kind }) => kind === 'note');
    expect(notes.map(({ id: noteId }) => noteId)).to.deep.equal([kept, edited, deleted]);
    expect(notes[0]).to.deep.include({ text: 'One', editedAt: null, deletedAt: null, version: 1, actor: author });
    expect(notes[1]).to.include({ text: 'Two and three quarters', deletedAt: null, version: 3 });
    expect(notes[1]).to.have.property('editedAt').that.is.instanceOf(Date);
    expect(notes[2]).to.include({ text: null, version: 2 });
    expect(notes[2]).to.have.property('deletedAt').that.is.instanceOf(Date);
    expect(await history().total(id)).to.equal(5);
  });

  it('has notes that only their authors change, if they exist and have the expected version', async () => {
    const [id, elsewhere] = [await storeLead(), await storeLead()];
    const note = await addNote(id, 'Mine');
    const outcome = async (
      lead: string,
      noteId: string,
      text: string | null,
      by: Person,
      versions?: readonly number[],
    ): Promise<string> => (await history().changeNote(lead, noteId, text, by, versions)).outcome;
    expect(await outcome(id, note, 'Yours', other)).to.equal('not_author');
    expect(await outcome(id, note, null, other)).to.equal('not_author');
    expect(await outcome(elsewhere, note, 'Elsewhere', author)).to.equal('unknown');
    expect(await outcome(id, randomUUID(), 'Nothing', author)).to.equal('unknown');
    expect(await outcome(id, note, 'Again', author, [1])).to.equal('done');
    expect(await outcome(id, note, 'And again', author, [1])).to.equal('other_version');
    expect(await outcome(id, note, 'Again', author, [2]), 'the same text').to.equal('done');
    expect(await outcome(id, note, null, author)).to.equal('done');
    for (const text of ['Back', null]) expect(await outcome(id, note, text, author)).to.equal('unknown');
  });

  it('has a note once if it is added twice with the same id', async () => {
    const [id, elsewhere, noteId] = [await storeLead(), await storeLead(), randomUUID()];
    const add = async (lead: string, text: string, by = author): Promise<string> =>
      (await history().addNote(noteId, lead, text, by)).outcome;
    expect(await Promise.all([add(id, 'Once'), add(id, 'Once')])).to.deep.equal(['added', 'added']);
    expect(await add(id, 'Twice')).to.equal('id_used');
    expect(await add(id, 'Once', other)).to.equal('id_used');
    expect(await add(elsewhere, 'Once')).to.equal('id_used');
    expect((await history().addNote(randomUUID(), randomUUID(), 'Once', author)).outcome).to.equal('unknown');
    expect(await history().total(id)).to.equal(3);
  });

  it('is erased with its lead', async () => {
    const id = await storeLead();
    const note = await addNote(id, 'Soon gone');
    await history().changeNote(id, note, 'Still soon gone', author);
    await test().database('leads').delete();
    expect(await test().database('lead_events')).to.deep.equal([]);
    expect(await history().total(id)).to.equal(undefined);
  });
});
