import { randomUUID } from 'node:crypto';
import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import { requiredFollowUps } from '@dune-tide/domain/leads';
import { replyQuote } from '@dune-tide/domain/limits';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { followUpAdmin } from '../src/follow-ups/admin.ts';
import { followUpClaims } from '../src/follow-ups/claims.ts';
import { replyStore, type NewReply, type ReplyEntry } from '../src/follow-ups/replies.ts';
import type { Person } from '../src/lead-expressions/columns.ts';
import { leadHistory } from '../src/leads/history.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { leadLists } from '../src/leads/lists.ts';
import { removeOwner } from '../src/leads/owners.ts';
import { leadWork } from '../src/leads/work.ts';
import { insert, newLead, staffRow } from './rows.ts';

const mailDomain = 'mail.example.com';

describe('replies to leads', () => {
  const test = withTestDatabase();
  const replies = () => replyStore(test().app, mailDomain, null);
  const admin = () => followUpAdmin(test().app);
  const claims = () => followUpClaims(test().app, null);
  let author: Person;
  let other: Person;
  let leadId: string;

  beforeEach(async () => {
    await test().database.raw('truncate leads, staff cascade');
    [author, other] = [await account('Noura'), await account('Thabo')];
    leadId = await storeLead();
  });

  async function account(name: string): Promise<Person> {
    const { id } = await insert(test().database, 'staff', staffRow({ name }));
    return { id: String(id), name };
  }
  async function storeLead(): Promise<string> {
    const taken = await leadIntake(test().database, mailDomain).storeLead(newLead());
    return taken.outcome === 'stored' ? taken.id : expect.fail(taken.outcome);
  }
  const newReply = (changes: Partial<NewReply> = {}): NewReply => ({
    id: randomUUID(),
    leadId,
    subject: 'Re: Your film',
    text: 'Hello Noura,\n\nyes, we can.',
    ...changes,
  });
  async function write(changes: Partial<NewReply> = {}): Promise<ReplyEntry> {
    const added = await replies().add(newReply(changes), author);
    return added.outcome === 'stored' ? added.reply : expect.fail(added.outcome);
  }
  const setRow = (id: string, values: Record<string, unknown>) =>
    test().database('follow_ups').where({ id }).update(values);
  const makeDue = (id: string) => setRow(id, { available_at: new Date(0), sweep_at: new Date(0) });
  const fail = (id: string) => setRow(id, { state: 'failed', attempts: 1, server_answer: '550 5.1.1 No such user' });
  const rowOf = (id: string): Promise<Record<string, unknown>> => test().database('follow_ups').where({ id }).first();
  const lead = async () => (await leadLists(test().app).one(leadId)) ?? expect.fail('no lead');
  const entryOf = async (id: string) =>
    (await leadHistory(test().app).page(leadId, 100)).map(({ entry }) => entry).find((entry) => entry.id === id);

  it('wait ten seconds before a worker can claim them', async () => {
    const reply = await write();
    expect(reply).to.deep.include({
      state: 'pending',
      isUndoable: true,
      recipient: 'noura@example.com',
      actor: author,
    });
    const { rows } = await test().database.raw<{ rows: { seconds: number }[] }>(
      `select extract(epoch from available_at - created_at)::float8 as seconds from follow_ups where id = ?`,
      [reply.id],
    );
    expect(rows[0]?.seconds).to.be.within(10, 11);
    expect(await claims().claim(reply.id, 60)).to.deep.equal({ outcome: 'taken' });
    expect((await claims().postponeDue(100)).map(({ id }) => id)).not.to.include(reply.id);
    await makeDue(reply.id);
    expect(await claims().postponeDue(100)).to.deep.include({ id: reply.id, kind: 'reply' });
    expect(await claims().claim(reply.id, 60)).to.include({ outcome: 'claimed' });
  });

  it('are stored once for a key, and only with the same text by the same author', async () => {
    const reply = newReply();
    const first = await replies().add(reply, author);
    expect(first).to.include({ outcome: 'stored', isNew: true });
    expect(await replies().add(reply, author)).to.deep.equal({ ...first, isNew: false });
    expect(await replies().add({ ...reply, text: 'No.' }, author)).to.deep.equal({ outcome: 'id_used' });
    expect(await replies().add(reply, other)).to.deep.equal({ outcome: 'id_used' });
    expect(await replies().add({ ...reply, leadId: await storeLead() }, author)).to.deep.equal({ outcome: 'id_used' });
    const together = newReply();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => replies().add(together, author)));
    expect(outcomes.filter((each) => each.outcome === 'stored' && each.isNew)).to.have.length(1);
    expect(outcomes.every(({ outcome }) => outcome === 'stored')).to.equal(true);
  });

  it('are not written to another version of the lead than their author saw, if only that is known', async () => {
    const reply = newReply({ versions: [1] });
    await leadWork(test().app, mailDomain).change(leadId, { status: 'contacted' }, other);
    expect(await replies().add(reply, author)).to.deep.equal({ outcome: 'changed' });
    expect(await replies().add({ ...reply, versions: [2] }, author)).to.include({ outcome: 'stored', isNew: true });
    await leadWork(test().app, mailDomain).change(leadId, { status: 'won' }, other);
    expect(await replies().add({ ...reply, versions: [2] }, author)).to.include({ outcome: 'stored', isNew: false });
  });

  it('are not written while the reply of another member waits, if only the version is known', async () => {
    const first = await write({ versions: [1] });
    const second = newReply({ versions: [1] });
    expect(await replies().add(second, other)).to.deep.equal({ outcome: 'changed' });
    expect(await replies().add(newReply({ versions: [1] }), author)).to.include({ outcome: 'stored' });
    await setRow(first.id, { state: 'sent', sent_at: new Date(), attempts: 1 });
    await test().database('follow_ups').where({ lead_id: leadId, state: 'pending' }).update({ attempts: 1 });
    expect(await replies().add(second, other)).to.include({ outcome: 'stored' });
  });

  it('that race with the same view of the lead are stored once', async () => {
    for (const view of [{ seenActivity: 0 }, { versions: [1] }]) {
      leadId = await storeLead();
      const race = await Promise.all(
        [author, other].map(async (person) => (await replies().add(newReply(view), person)).outcome),
      );
      expect(race.toSorted(), JSON.stringify(view)).to.deep.equal(['changed', 'stored']);
    }
  });

  const histories = () => leadHistory(test().app);
  const leadChanges = () => leadWork(test().app, mailDomain);
  const addNote = async (by: Person) => {
    const added = await histories().addNote(randomUUID(), leadId, 'Call first.', by);
    return added.outcome === 'added' ? added.note : expect.fail(added.outcome);
  };
  /** Acts of a member on the lead. Some need what the same member has done before. */
  const acts: Readonly<Record<string, (by: Person) => Promise<() => Promise<unknown>>>> = {
    'a reply': async (by) => () => replies().add(newReply(), by),
    'an undo of a reply': async (by) => {
      const { id } = await write();
      return () => replies().undo(leadId, id, by);
    },
    'a note': async (by) => () => addNote(by),
    'an edit of a note': async (by) => {
      const { id } = await addNote(by);
      return () => histories().changeNote(leadId, id, 'Write first.', by);
    },
    'a deleted note': async (by) => {
      const { id } = await addNote(by);
      return () => histories().changeNote(leadId, id, null, by);
    },
    'a status': async (by) => () => leadChanges().change(leadId, { status: 'qualified' }, by),
    'an owner': async (by) => () => leadChanges().change(leadId, { ownerId: by.id }, by),
    'an answer by phone': async (by) => () => leadChanges().change(leadId, { answered: true }, by),
    'an answer taken back': async (by) => {
      await leadChanges().change(leadId, { answered: true }, by);
      return () => leadChanges().change(leadId, { answered: false }, by);
    },
    'a bulk change': async (by) => () => leadChanges().changeTogether([leadId], { status: 'won' }, by, () => []),
    'a release': async (by) => {
      await leadChanges().markAsSpam(leadId, by);
      return () => leadChanges().release(leadId, (of) => requiredFollowUps(of, 'staff@example.com'), by);
    },
    'a corrected address': async (by) => {
      const { id } = await write();
      await fail(id);
      return () => replies().correctRecipient(id, 'noura@example.org', true, by);
    },
    'the removal of an owner': async (by) => {
      const leaver = await account('Zoe');
      await leadChanges().change(leadId, { ownerId: leaver.id }, by);
      return () => test().database.transaction((transaction) => removeOwner(transaction, leaver.id, by.id));
    },
  };
  for (const [name, prepareAct] of Object.entries(acts)) {
    it(`are refused after ${name} of another member that their author has not seen`, async () => {
      for (const [by, isRefused] of [
        [other, true],
        [author, false],
      ] as const) {
        leadId = await storeLead();
        const act = await prepareAct(by);
        const { activity: seenActivity, version } = await lead();
        await act();
        const now = await lead();
        expect(now.activity).to.equal(seenActivity + 1);
        const newest = Math.max(...(await histories().page(leadId, 100)).map(({ entry }) => entry.activity));
        expect(newest, 'in the history').to.equal(now.activity);
        const reply = newReply({ seenActivity, versions: [version] });
        expect((await replies().add(reply, author)).outcome).to.equal(isRefused ? 'changed' : 'stored');
        expect(await replies().add({ ...reply, seenActivity: newest }, author)).to.include({ outcome: 'stored' });
        expect(await replies().add(reply, author), 'a retry').to.include({ outcome: 'stored', isNew: false });
      }
    });
  }

  it('are not written to unknown leads or to leads that are held as spam', async () => {
    expect(await replies().add(newReply({ leadId: randomUUID() }), author)).to.deep.equal({ outcome: 'unknown' });
    await leadWork(test().app, mailDomain).markAsSpam(leadId, author);
    expect(await replies().add(newReply(), author)).to.deep.equal({ outcome: 'held' });
  });

  it('come back when they are undone, and are never sent after that', async () => {
    const { id } = await write();
    const undone = await replies().undo(leadId, id, other);
    expect(undone).to.deep.nested.include({
      outcome: 'undone',
      'reply.state': 'cancelled',
      'reply.withdrawnBy': other,
    });
    expect(await replies().undo(leadId, id, author)).to.deep.equal({ ...undone, isNew: false });
    expect(await admin().retry(id)).to.deep.equal({ outcome: 'withdrawn' });
    const notAfter = await admin().now();
    expect((await admin().retrySome('cancelled', { limit: 10, notAfter })).map((row) => row.id)).not.to.include(id);
    expect(await replies().undo(await storeLead(), id, author)).to.deep.equal({ outcome: 'unknown' });
    expect(await entryOf(id)).to.deep.include({
      kind: 'reply',
      text: 'Hello Noura,\n\nyes, we can.',
      isUndoable: false,
    });
  });

  it('cannot be undone once a worker has started, or may have sent them before a retry', async () => {
    const { id } = await write();
    await makeDue(id);
    const claim = await claims().claim(id, 60);
    if (claim.outcome !== 'claimed') return expect.fail(claim.outcome);
    expect(await replies().undo(leadId, id, author)).to.deep.equal({ outcome: 'refused', state: 'sending' });
    await claims().release(claim.followUp, { delaySeconds: 60, usesTry: true, serverResponse: '451 Later' });
    expect(await replies().undo(leadId, id, author)).to.deep.equal({ outcome: 'refused', state: 'pending' });
    await fail(id);
    await admin().retry(id);
    expect(await replies().undo(leadId, id, author)).to.deep.equal({ outcome: 'refused', state: 'pending' });
  });

  it('can be undone while the mail server is unavailable, because no attempt was counted', async () => {
    const { id } = await write();
    await makeDue(id);
    const claim = await claims().claim(id, 60);
    if (claim.outcome !== 'claimed') return expect.fail(claim.outcome);
    await claims().release(claim.followUp, { delaySeconds: 60, usesTry: false, serverResponse: 'ECONNREFUSED' });
    expect(await replies().undo(leadId, id, author)).to.include({ outcome: 'undone' });
  });

  it('are either claimed or undone, never both, if a worker and an undo race', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const { id } = await write();
        await makeDue(id);
        const [claim, undo] = await Promise.all([claims().claim(id, 60), replies().undo(leadId, id, author)]);
        const { state } = await rowOf(id);
        expect(state).to.equal(claim.outcome === 'claimed' ? 'sending' : 'cancelled');
        expect(undo.outcome).to.equal(claim.outcome === 'claimed' ? 'refused' : 'undone');
        return undo.outcome;
      }),
    );
    expect(outcomes).to.have.length(40);
  });

  it('answer their lead when the mail server accepts them, and only then', async () => {
    const { id } = await write();
    await makeDue(id);
    const before = await lead();
    const claim = await claims().claim(id, 60);
    if (claim.outcome !== 'claimed') return expect.fail(claim.outcome);
    expect((await lead()).answeredAt).to.equal(null);
    expect(await claims().markSent(claim.followUp, '250 Ok')).to.equal(true);
    const { sentAt } = (await entryOf(id)) as ReplyEntry;
    const answered = await lead();
    expect(answered).to.include({ response: 'answered', version: before.version + 1 });
    // One column rounds to milliseconds, the other one does not.
    expect(Number(answered.answeredAt)).to.be.closeTo(Number(sentAt), 1);
  });

  it('answer their lead also if the outcome was noted on disk, without the kind', async () => {
    const { id } = await write();
    await makeDue(id);
    const claim = await claims().claim(id, 60);
    if (claim.outcome !== 'claimed') return expect.fail(claim.outcome);
    expect(await claims().markSent({ id, lease: claim.followUp.lease }, '250 Ok')).to.equal(true);
    expect((await lead()).response).to.equal('answered');
  });

  it('do not change the time of an earlier answer', async () => {
    await leadWork(test().app, mailDomain).change(leadId, { answered: true }, author);
    const before = await lead();
    const { id } = await write();
    await makeDue(id);
    const claim = await claims().claim(id, 60);
    if (claim.outcome !== 'claimed') return expect.fail(claim.outcome);
    await claims().markSent(claim.followUp, '250 Ok');
    expect(await lead()).to.deep.include({ answeredAt: before.answeredAt, version: before.version });
  });

  it('do not deadlock with changes of their leads when many are sent together', async () => {
    const leads = await Promise.all(Array.from({ length: 30 }, storeLead));
    const written = await Promise.all(leads.map((each) => write({ leadId: each })));
    await test()
      .database('follow_ups')
      .where({ kind: 'reply' })
      .update({ available_at: new Date(0) });
    const claimed = await Promise.all(written.map(({ id }) => claims().claim(id, 60)));
    const work = leadWork(test().app, mailDomain);
    const held = claimed.map((claim) => (claim.outcome === 'claimed' ? claim.followUp : expect.fail(claim.outcome)));
    const [, , ...sent] = await Promise.all([
      work.changeTogether(leads, { spam: true }, author, () => []),
      work.changeTogether(leads.toReversed(), { status: 'qualified' }, author, () => []),
      ...held.toReversed().map((each) => claims().markSent(each, '250 Ok')),
    ]);
    expect(sent).to.deep.equal(held.map(() => true));
  });

  it('are cancelled by a mark as spam, and a release sends them unless they were undone', async () => {
    const [kept, undone] = [await write(), await write()];
    const work = leadWork(test().app, mailDomain);
    await work.markAsSpam(leadId, author);
    expect(await replies().undo(leadId, undone.id, author)).to.include({ outcome: 'undone' });
    await work.release(leadId, ({ email }) => [{ kind: 'acknowledgement', recipient: email }], author);
    expect(await rowOf(kept.id)).to.include({ state: 'pending' });
    expect(await rowOf(undone.id)).to.include({ state: 'cancelled' });
  });

  it('replace a failed reply, which is then never sent', async () => {
    const { id: failed } = await write();
    expect(await replies().add(newReply({ replaces: failed }), author)).to.deep.equal({ outcome: 'not_failed' });
    await fail(failed);
    const second = newReply({ replaces: failed });
    expect(await replies().add(second, author)).to.include({ outcome: 'stored', isNew: true });
    expect(await replies().add(second, author)).to.include({ outcome: 'stored', isNew: false });
    expect(await entryOf(failed)).to.deep.include({ state: 'cancelled', withdrawnBy: author });
    expect(await admin().retry(failed)).to.deep.equal({ outcome: 'withdrawn' });
    expect(await replies().add(newReply({ replaces: failed }), author)).to.deep.equal({ outcome: 'not_failed' });
  });

  it('refer to the acknowledgement and the earlier replies that were not cancelled', async () => {
    const acknowledgement = await test()
      .database('follow_ups')
      .where({ lead_id: leadId })
      .first<{ message_id: string }>();
    const first = await write();
    const undone = await write();
    await replies().undo(leadId, undone.id, author);
    const second = await write();
    const of = (id: string): string => `<${id}@${mailDomain}>`;
    expect((await replies().toSend(first.id))?.references).to.deep.equal([acknowledgement.message_id]);
    expect((await replies().toSend(second.id))?.references).to.deep.equal([acknowledgement.message_id, of(first.id)]);
    const many: string[] = [];
    for (let count = 0; count < replyQuote.references + 2; count += 1) many.push(of((await write()).id));
    const last = await write();
    const references = [acknowledgement.message_id, ...many.slice(-replyQuote.references)];
    expect((await replies().toSend(last.id))?.references).to.deep.equal(references);
    expect(await replies().toSend(randomUUID())).to.equal(undefined);
  });

  describe('a corrected address', () => {
    const correct = (id: string, email = 'noura@example.org', changeLead = false) =>
      replies().correctRecipient(id, email, changeLead, author);
    const acknowledgement = async (): Promise<string> =>
      (await test().database('follow_ups').where({ lead_id: leadId, kind: 'acknowledgement' }).first<{ id: string }>())
        .id;

    it('makes a failed email to a visitor due, for that email alone, and is recorded', async () => {
      for (const id of [(await write()).id, await acknowledgement()]) {
        await fail(id);
        const kind = String((await rowOf(id))['kind']) as FollowUpKind;
        expect(await correct(id)).to.deep.equal({ outcome: 'corrected', followUp: { id, kind }, leadId });
        expect(await rowOf(id)).to.include({ recipient: 'noura@example.org', state: 'pending', attempts: 0 });
        expect((await lead()).email).to.equal('noura@example.com');
        const last = (await leadHistory(test().app).page(leadId, 100)).at(-1)?.entry;
        expect(last).to.deep.include({
          kind: 'address_corrected',
          actor: author,
          email: kind,
          from: 'noura@example.com',
          to: 'noura@example.org',
          isOfLead: false,
        });
      }
    });

    it('is given to the lead as well if staff want that', async () => {
      const id = await acknowledgement();
      await fail(id);
      const { version } = await lead();
      await correct(id, 'noura@example.org', true);
      expect(await lead()).to.include({ email: 'noura@example.org', version: version + 1 });
      expect((await write()).recipient).to.equal('noura@example.org');
    });

    it('is refused for emails that have not failed, that go to staff, or whose mailbox is opted out', async () => {
      const id = await acknowledgement();
      expect(await correct(id)).to.deep.equal({ outcome: 'refused', state: 'pending' });
      expect(await correct(randomUUID())).to.deep.equal({ outcome: 'unknown' });
      await fail(id);
      await test().database('email_opt_outs').insert({ id: randomUUID(), mailbox: 'noura@example.org' });
      expect(await correct(id)).to.deep.equal({ outcome: 'opted_out' });
      const reply = await write();
      await fail(reply.id);
      expect(await correct(reply.id)).to.include({ outcome: 'corrected' });
      const notice = { ...(await rowOf(id)), id: randomUUID(), kind: 'staff_notice' };
      await test()
        .database('follow_ups')
        .insert({ ...notice, message_id: `<${notice.id}@${mailDomain}>` });
      expect(await correct(notice.id)).to.deep.equal({ outcome: 'wrong_kind' });
    });

    it('is stored once if two members correct it together', async () => {
      const id = await acknowledgement();
      await fail(id);
      const outcomes = await Promise.all([correct(id, 'one@example.org'), correct(id, 'two@example.org')]);
      expect(outcomes.map(({ outcome }) => outcome)).to.have.members(['corrected', 'refused']);
    });
  });
});
