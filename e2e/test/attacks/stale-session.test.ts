import { announcements, staffEmailLimits } from '@dune-tide/domain/limits';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { validExample } from '@dune-tide/domain/test/examples';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { postLead } from '@dune-tide/testkit/post-lead';
import { expect } from 'chai';
import {
  addTotp,
  mailTo,
  makeStale,
  ownAddress,
  send,
  signIn,
  sixAtATime,
  tally,
  target,
  type Session,
} from '../../src/attacks/attack-suite.ts';
import { staffEmail } from '../../src/faults/running-system.ts';

describe('A stale session', () => {
  it('erases no list of people, and 20 an hour with the password, 6 at a time', async () => {
    const { database } = target().test;
    const owner = await signIn({ role: 'owner' });
    const { perHour } = staffCalls.erasePerson;
    const list = Array.from({ length: perHour + 4 }, ownAddress);
    await storeLeads(
      database,
      list.map((email) => ({ ...contactMessage, email })),
    );
    const left = async () => (await database('leads').whereIn('email', list)).length;
    const eraseAll = () => sixAtATime(list, (email) => owner.call('POST', '/people/erase', { email }));

    await makeStale(owner);
    expect(tally(await eraseAll())).to.deep.equal({ '403 password-needed': list.length });
    expect(await left()).to.equal(list.length);

    expect((await owner.call('POST', '/account/confirm', { password: owner.account.password })).status).to.equal(204);
    const answers = await eraseAll();
    expect(tally(answers)).to.deep.equal({ 200: perHour, '429 limit-reached': 4 });
    for (const { status, headers } of answers) {
      if (status === 429) expect(Number(headers.get('Retry-After'))).to.be.within(3_500, 3_600);
    }
    expect(await left()).to.equal(4);
    const authors = await database('erasures').where({ subject: 'address', erased_by: owner.account.username });
    expect(authors, 'the list of erasures keeps the account').to.have.length(perHour);
  });

  it('takes the data of no person and no file of more than 500 leads away', async () => {
    const { database } = target().test;
    const email = ownAddress();
    await storeLeads(database, [{ ...contactMessage, email }]);
    await database.raw(
      `insert into leads (id, kind, email, status, answers)
       select gen_random_uuid(), kind, email, status, answers from leads, generate_series(1, ?) where email = ?`,
      [staffCalls.exportLeads.rowsForMembers, email],
    );
    const owner = await signIn({ role: 'owner' });
    await makeStale(owner);
    for (const path of [`/people/export?email=${email}`, '/leads.csv']) {
      const { summary, headers } = await owner.call('GET', path);
      expect(summary).to.equal('403 password-needed');
      expect(headers.get('Content-Disposition')).to.equal(null);
    }
    const member = await signIn({ role: 'member' });
    expect((await member.call('GET', '/leads.csv')).summary).to.equal('403 owner-needed');
  });

  it('sends a freely chosen mailbox ten replies an hour, over several leads and processes', async () => {
    const member = await signIn({ role: 'member' });
    await makeStale(member);
    const victim = ownAddress();
    const url = target().urls[0];
    const leads = await Promise.all(
      Array.from({ length: 6 }, () => postLead(url, 'contact', { ...validExample(contactForm), email: victim })),
    );
    const { perMailboxAndHour } = staffEmailLimits;
    const answers = await sixAtATime(Array.from({ length: perMailboxAndHour + 12 }), (_, index) =>
      member.call('POST', `/leads/${leads[index % leads.length]?.id}/replies`, { subject: 'Film', text: 'Yes' }),
    );
    expect(tally(answers)).to.deep.equal({ 201: perMailboxAndHour, '429 limit-reached': 12 });
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('Retry-After'))).to.be.within(3_500, 3_600);
    expect(refused?.text).to.include('A mailbox gets at most 10 emails from staff in an hour.');
    const stored = await target().test.database('follow_ups').where({ kind: 'reply', recipient: victim });
    expect(stored).to.have.length(perMailboxAndHour);
  });

  it('changes no address; one that a thief enters with the password counts only once confirmed', async () => {
    const [before, after] = [ownAddress(), ownAddress()];
    const member = await signIn({ role: 'member', email: before });
    const { name, password, username } = member.account;
    await makeStale(member);
    const change = () => member.call('PATCH', '/account', { name, email: after });
    const address = async () => (JSON.parse((await member.call('GET', '/account')).text) as { email: unknown }).email;
    expect((await change()).summary).to.equal('403 password-needed');

    await member.call('POST', '/account/confirm', { password });
    expect((await change()).status).to.equal(200);
    const { text = '' } = await mailTo(after, 'Confirm your email address');
    const [link = ''] = /\/confirm-email\/[\w-]{43}/.exec(text) ?? [];
    for (const method of ['GET', 'HEAD']) expect((await send(method, link)).status).to.equal(200);
    expect(await address(), 'scanners of mail confirm nothing').to.equal(before);
    expect(tally(await sixAtATime([1, 2], () => send('POST', link)))).to.deep.equal({ 200: 1, 404: 1 });
    expect(await address()).to.equal(after);
    await Promise.all([
      mailTo(before, 'The email address of your account was changed', username),
      mailTo(staffEmail, 'The email address of an account was changed', username),
    ]);
  });

  it('ends no other session', async () => {
    const member = await signIn({ role: 'member' });
    const other = await signIn(member.account);
    await makeStale(member);
    expect((await member.call('DELETE', '/account/sessions')).summary).to.equal('403 password-needed');
    expect((await other.call('GET', '/session')).status).to.equal(200);
  });

  it('ends when the password of its account changes, and one from before a second factor too', async () => {
    const member = await signIn({ role: 'member' });
    const { account } = member;
    const password = 'another horse, another staple';
    const stateOf = async (session: Session) => (await session.call('GET', '/session')).status;
    const stolen = await signIn(account);
    const changed = await member.call('POST', '/account/password', { currentPassword: account.password, password });
    expect([changed.status, await stateOf(member), await stateOf(stolen)]).to.deep.equal([204, 200, 401]);

    const later = await signIn({ ...account, password });
    expect(await stateOf(later)).to.equal(200);
    await addTotp(member);
    expect([await stateOf(member), await stateOf(later)]).to.deep.equal([200, 401]);
  });

  it('opens ten streams and not one more', async () => {
    const member = await signIn({ role: 'member' });
    await makeStale(member);
    const closing = new AbortController();
    const [url] = target().urls;
    const open = (session: Session) =>
      send('GET', staffCalls.announcements.path, { cookie: session.cookie, url, openUntil: closing.signal });
    try {
      const { perSession } = announcements;
      const answers = await sixAtATime(Array.from({ length: perSession + 5 }), () => open(member));
      expect(tally(answers)).to.deep.equal({ 200: perSession, 503: 5 });
      expect((await open(await signIn({ role: 'member' }))).status, 'a colleague').to.equal(200);
    } finally {
      closing.abort();
    }
  });
});
