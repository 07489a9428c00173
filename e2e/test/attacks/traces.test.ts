import type { auditEntryResponse } from '@dune-tide/domain/responses/audit-entry';
import type { Json } from '@dune-tide/domain/responses/schema';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { postLead } from '@dune-tide/testkit/post-lead';
import { expect } from 'chai';
import {
  addStaff,
  noticesTo,
  ownAddress,
  ownNetwork,
  send,
  signIn,
  target,
  type Session,
} from '../../src/attacks/attack-suite.ts';
import { staffEmail } from '../../src/faults/running-system.ts';

const login = '/api/admin/login';

describe('The newest member', () => {
  it('changes no account of an owner and adds none', async () => {
    const account = await addStaff({ role: 'owner' });
    const member = await signIn({ role: 'member' });
    for (const change of [
      { password: newPassword },
      { email: ownAddress() },
      { role: 'member' },
      { isActive: false },
    ]) {
      const { summary } = await member.call('PATCH', `/team/${account.id}`, change);
      expect(summary, Object.keys(change).join()).to.equal('403 owner-needed');
    }
    const added = { name: 'Mallory', username: `m-${account.username}`, password: newPassword, role: 'owner' };
    expect((await member.call('POST', '/team', added)).summary).to.equal('403 owner-needed');
    expect((await signIn(account)).account.id).to.equal(account.id);
  });
});
const newPassword = 'another horse, another staple';

describe('An owner who takes over the account of another', () => {
  it('is reported to its address and to the team', async () => {
    const email = ownAddress();
    const account = await addStaff({ role: 'owner', email });
    const owner = await signIn({ role: 'owner' });
    expect((await owner.call('PATCH', `/team/${account.id}`, { password: newPassword })).status).to.equal(200);
    for (const address of [email, staffEmail]) {
      expect(await noticesTo(address)).to.include(`password_set of ${account.username}`);
    }
  });
});

describe('The audit log', () => {
  type Entry = Json<typeof auditEntryResponse>;
  const entriesOf = async (owner: Session, { account }: Session): Promise<Entry[]> =>
    JSON.parse((await owner.call('GET', `/audit-log?person=${account.id}`)).text) as Entry[];

  it('shows refused access, refused sign-ins beyond the limit and replies, with network and device', async () => {
    const member = await signIn({ role: 'member' });
    const { id } = await postLead(target().urls[0], 'contact', validExample(contactForm));
    await member.call('POST', `/leads/${id}/replies`, { subject: 'Film', text: 'Yes' });
    await member.call('POST', '/views', { name: 'A view' });
    await member.call('POST', '/people/erase', { email: ownAddress() });
    const body = { username: member.account.username, password: 'a guess' };
    const from = ownNetwork();
    for (let guess = 0; guess < 6; guess++) await send('POST', login, { body, from });
    const found = await entriesOf(await signIn({ role: 'owner' }), member);
    expect(found.map(({ action }) => action).toReversed()).to.deep.equal([
      'signed_in',
      'lead_reply_written',
      'view_saved',
      'access_refused',
      ...Array<string>(5).fill('sign_in_refused'),
      'attempt_limited',
    ]);
    const network = `${from.slice(0, from.lastIndexOf('.'))}.0/24`;
    expect(found[0]).to.include({ network, device: 'Firefox on Linux' });
    expect(found.find(({ action }) => action === 'access_refused')).to.include({ device: 'Firefox on Linux' });
  });

  it('gets no entry with a chosen position from the role of the API, and sign-ins go on', async () => {
    const insert = target().test.app.raw(
      `insert into audit_log (actor, action, position, hash) values ('system', 'a', 9223372036854775807, repeat('a', 64))`,
    );
    const error: unknown = await Promise.resolve(insert).catch((thrown: unknown) => thrown);
    expect((error as Error).cause).to.include({ code: '42501' });
    expect((await signIn()).account.name).to.equal('Layla Haddad');
  });
});
