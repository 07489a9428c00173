import { randomUUID } from 'node:crypto';
import { staffEmailLimits } from '@dune-tide/domain/limits';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { changeAll } from '../src/follow-ups/change-all.ts';
import { followUpAdmin } from '../src/follow-ups/admin.ts';
import { replyStore, type NewReply, type ReplyAddition } from '../src/follow-ups/replies.ts';
import type { Person } from '../src/lead-expressions/columns.ts';
import { followUpRow, insert, leadRow, staffRow } from './rows.ts';

const mailDomain = 'mail.example.com';
const { perLead, leadMinutes, perMailboxAndHour } = staffEmailLimits;
const { perHour } = staffCalls.reply;

describe('the limits of emails from staff', () => {
  const test = withTestDatabase();
  const replies = () => replyStore(test().app, mailDomain);
  const admin = () => followUpAdmin(test().app);
  let author: Person;
  let colleague: Person;

  beforeEach(async () => {
    await test().database.raw('truncate leads, staff cascade');
    [author, colleague] = [await account('Noura'), await account('Thabo')];
  });

  async function account(name: string): Promise<Person> {
    const { id } = await insert(test().database, 'staff', staffRow({ name }));
    return { id: String(id), name };
  }
  const storeLead = async (email = `${randomUUID()}@example.com`): Promise<string> =>
    String((await insert(test().database, 'leads', leadRow('contact', { email })))['id']);
  const reply = (leadId: string, changes: Partial<NewReply> = {}): NewReply => ({
    id: randomUUID(),
    leadId,
    subject: 'Re: Your film',
    text: 'Hello Noura,\n\nyes, we can.',
    ...changes,
  });
  const send = (leadId: string, by = author): Promise<ReplyAddition> => replies().add(reply(leadId), by);
  const stored = (addition: ReplyAddition): string =>
    addition.outcome === 'stored' ? addition.reply.id : expect.fail(addition.outcome);
  /** Stores replies as they are some time after they were written. */
  async function written(count: number, leadId: string, by: Person, minutesAgo: number): Promise<void> {
    await test().database.raw(
      `with lead as (select id, email from leads where id = :leadId), added as (
         insert into follow_ups (id, lead_id, kind, recipient, message_id, state, attempts, sent_at, created_at)
         select each, lead.id, 'reply', lead.email, '<' || each || '@example.com>', 'sent', 1, now(),
                now() - make_interval(mins => :minutesAgo::integer)
         from lead, (select gen_random_uuid() as each from generate_series(1, :count::integer)) as ids returning id
       )
       insert into lead_replies (id, author_id, author_name, subject, body)
       select id, :authorId, :authorName, 'Re: Your film', 'Yes, we can.' from added`,
      { count, leadId, minutesAgo, authorId: by.id, authorName: by.name },
    );
  }
  /** Stores a failed acknowledgement. */
  const failed = async (recipient: string): Promise<string> => {
    const row = followUpRow(await storeLead(recipient), { recipient, state: 'failed', attempts: 1 });
    return String((await insert(test().database, 'follow_ups', row))['id']);
  };
  const reached = (limit: string, minutes: number) => (outcome: object) => {
    expect(outcome).to.deep.include({ outcome: 'limited' });
    const { reached: found } = outcome as { readonly reached: { limit: string; retryAfterSeconds: number } };
    expect(found.limit).to.equal(limit);
    expect(found.retryAfterSeconds).to.be.within(minutes * 60 - 30, minutes * 60);
  };

  it(`allow ${perLead} replies to a lead in ${leadMinutes} minutes, by all members`, async () => {
    const leadId = await storeLead();
    await written(perLead - 1, leadId, author, 4);
    const last = reply(leadId);
    stored(await replies().add(last, colleague));
    reached('lead', leadMinutes - 4)(await send(leadId));
    expect(await replies().add(last, colleague), 'a retry').to.include({ outcome: 'stored', isNew: false });
    stored(await send(await storeLead()));
    await test()
      .database('follow_ups')
      .where({ lead_id: leadId, state: 'sent' })
      .update({ created_at: minutes(11) });
    stored(await send(leadId));
  });

  const minutes = (ago: number) => test().database.raw(`now() - make_interval(mins => ?)`, [ago]);

  it('do not count replies that were undone or replaced', async () => {
    const leadId = await storeLead();
    await written(perLead - 1, leadId, author, 1);
    const undone = stored(await send(leadId));
    reached('lead', leadMinutes - 1)(await send(leadId));
    await replies().undo(leadId, undone, author);
    const replaced = stored(await send(leadId));
    await test().database('follow_ups').where({ id: replaced }).update({ state: 'failed', attempts: 1 });
    stored(await replies().add(reply(leadId, { replaces: replaced }), author));
    reached('lead', leadMinutes - 1)(await send(leadId));
  });

  it(`allow ${perHour} replies and corrected addresses of an account in an hour`, async () => {
    for (let lead = 0; lead < perHour / 10; lead++) await written(10, await storeLead(), author, 50);
    const leadId = await storeLead();
    reached('account', 10)(await send(leadId));
    const email = await failed('gone@example.com');
    reached('account', 10)(await replies().correctRecipient(email, 'noura@example.org', false, author));
    stored(await send(leadId, colleague));
    await test()
      .database('follow_ups')
      .whereIn('id', test().database('follow_ups').select('id').where({ state: 'sent' }).limit(1))
      .update({ created_at: minutes(61) });
    expect(await replies().correctRecipient(email, 'noura@example.org', false, author)).to.include({
      outcome: 'corrected',
    });
    reached('account', 10)(await send(leadId));
  });

  it(`allow ${perMailboxAndHour} emails to a mailbox in an hour, in all its spellings`, async () => {
    const spellings = ['n.oura@gmail.com', 'NOURA@gmail.com', 'noura+film@googlemail.com'];
    const leads = await Promise.all(spellings.map((email) => storeLead(email)));
    await written(perMailboxAndHour - 1, leads[0] ?? '', author, 45);
    stored(await send(leads[1] ?? ''));
    for (const by of [author, colleague]) reached('mailbox', 15)(await send(leads[2] ?? '', by));
    stored(await send(await storeLead('noura@example.com')));
    await test()
      .database('follow_ups')
      .where({ state: 'sent' })
      .update({ created_at: minutes(61) });
    stored(await send(leads[2] ?? ''));
  });

  it('count a retry and a corrected address of any email for its mailbox', async () => {
    const mailbox = 'noura@example.com';
    const emails: string[] = [];
    for (let each = 0; each < perMailboxAndHour; each++) emails.push(await failed(`gone-${each}@example.com`));
    for (const id of emails) {
      expect(await replies().correctRecipient(id, mailbox, false, author)).to.include({ outcome: 'corrected' });
    }
    const another = await failed('gone@example.com');
    reached('mailbox', 60)(await replies().correctRecipient(another, mailbox, false, colleague));
    reached('mailbox', 60)(await send(await storeLead(mailbox)));
    const own = await failed(mailbox);
    reached('mailbox', 60)(await admin().retry(own));
    expect(await followUpAdmin(test().app, null).retry(own), 'by an operator').to.include({ outcome: 'changed' });
    const [first = ''] = emails;
    await test().database('follow_ups').where({ id: first }).update({ state: 'failed' });
    await test()
      .database('follow_ups')
      .where({ id: own })
      .update({ retried_at: minutes(61) });
    expect(await admin().retry(first), 'the same email again').to.include({ outcome: 'changed' });
    const notice = followUpRow(await storeLead(), { kind: 'staff_notice', recipient: mailbox, state: 'failed' });
    await insert(test().database, 'follow_ups', notice);
    expect(await admin().retry(String(notice['id'])), 'a notice to staff').to.include({ outcome: 'changed' });
  });

  it('hold for a retry of all emails, which leaves out those above the limit', async () => {
    const mailbox = 'noura@example.com';
    for (let each = 0; each < perMailboxAndHour + 3; each++) await failed(mailbox);
    await failed('thabo@example.com');
    const batch = { notAfter: await admin().now(), onBatch: () => undefined };
    // Smaller batches than the emails of the mailbox.
    const all = () => changeAll((each) => admin().retrySome('failed', { ...each, limit: 4 }), batch);
    expect(await all()).to.equal(perMailboxAndHour + 1);
    expect(await all()).to.equal(0);
    const left = await test().database('follow_ups').where({ state: 'failed' }).pluck('recipient');
    expect(left).to.deep.equal([mailbox, mailbox, mailbox]);
    await test()
      .database('follow_ups')
      .where({ state: 'pending' })
      .update({ retried_at: minutes(61) });
    expect(await all()).to.equal(3);
  });

  it('hold for concurrent calls over several connections', async () => {
    const outcomes = async (calls: readonly Promise<{ readonly outcome: string }>[]) =>
      (await Promise.all(calls)).filter(({ outcome }) => outcome !== 'limited').length;
    const leadId = await storeLead();
    expect(await outcomes(Array.from({ length: 12 }, () => send(leadId)))).to.equal(perLead);
    const mailbox = 'noura@example.com';
    const leads = await Promise.all(Array.from({ length: 8 }, () => storeLead(mailbox)));
    const emails = await Promise.all(Array.from({ length: 8 }, () => failed(mailbox)));
    const sent = [
      ...leads.map((each) => send(each)),
      ...emails.slice(0, 4).map((id) => admin().retry(id)),
      ...emails.slice(4).map((id) => replies().correctRecipient(id, mailbox, false, colleague)),
    ];
    expect(await outcomes(sent)).to.equal(perMailboxAndHour);
  });
});
