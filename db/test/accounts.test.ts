import { randomUUID } from 'node:crypto';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import pg from 'pg';
import { staffAccounts } from '../src/accounts/accounts.ts';
import { insert, staffRow } from './rows.ts';

const passwordHash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g';

describe('staffAccounts', () => {
  const test = withTestDatabase();
  const accounts = () => staffAccounts(test().database);
  const usernames = async (): Promise<string[]> => {
    const rows = await test().database('staff').select<{ username: string }[]>('username');
    return rows.map(({ username }) => username);
  };
  const add = async (username: string): Promise<string> =>
    (await accounts().add(randomUUID(), { username, name: 'Noura', passwordHash })).outcome;

  beforeEach(() => test().database('staff').delete());

  it('creates the first account as an active one', async () => {
    expect(await accounts().createFirst({ username: 'admin', name: 'Administrator', passwordHash })).to.equal(true);
    expect(await test().database('staff').select<Record<string, unknown>[]>()).to.have.length(1);
    expect(await test().database('staff').first<Record<string, unknown>>()).to.include({
      username: 'admin',
      name: 'Administrator',
      password_hash: passwordHash,
      is_active: true,
      last_sign_in_at: null,
    });
  });

  it('creates and changes nothing if an account exists, whatever its name', async () => {
    await accounts().createFirst({ username: 'admin', name: 'Administrator', passwordHash });
    for (const username of ['admin', 'ADMIN', 'second']) {
      const account = { username, name: 'Another member', passwordHash: `${passwordHash}x` };
      expect(await accounts().createFirst(account), username).to.equal(false);
    }
    expect(
      await test().database('staff').select<Record<string, unknown>[]>('username', 'name', 'password_hash'),
    ).to.deep.equal([{ username: 'admin', name: 'Administrator', password_hash: passwordHash }]);
  });

  it('creates nothing if the only account is inactive', async () => {
    await insert(test().database, 'staff', staffRow({ username: 'left', is_active: false }));
    expect(await accounts().createFirst({ username: 'admin', name: 'Administrator', passwordHash })).to.equal(false);
    expect(await usernames()).to.deep.equal(['left']);
  });

  for (const [what, name] of [
    ['the same username', () => 'admin'],
    ['different usernames', (index: number) => `admin-${index}`],
  ] as const) {
    it(`creates one account if many processes start concurrently with ${what}`, async () => {
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          accounts().createFirst({ username: name(index), name: 'Administrator', passwordHash }),
        ),
      );
      expect(made.filter(Boolean)).to.have.length(1);
      expect(await usernames()).to.have.length(1);
    });
  }

  describe('with a username that looks like another one', () => {
    it('adds one of several accounts that are added concurrently', async () => {
      const spellings = ['Café', 'cafe\u0301', 'ＣＡＦÉ', 'ca\u200dfé', 'Cafés'];
      const outcomes = await Promise.all(spellings.map(add));
      expect(outcomes.filter((outcome) => outcome === 'added')).to.have.length(2);
      expect(await usernames())
        .to.include('Cafés')
        .and.have.length(2);
    });

    it('keeps those that an earlier release stored, and adds no further one', async () => {
      for (const username of ['noura', 'ｎｏｕｒａ']) await insert(test().database, 'staff', staffRow({ username }));
      expect(await add('Noura')).to.equal('taken');
      for (const username of await usernames()) {
        expect((await accounts().findForSignIn(username)).account?.username).to.equal(username);
      }
    });
  });

  it('finds an account for a sign-in whatever is invisible in the username', async () => {
    await add('noura');
    for (const username of ['noura', 'NOU\u200dRA', '\u2066ｎｏｕｒａ\u2069']) {
      const { account, foldedUsername } = await accounts().findForSignIn(username);
      expect([account?.username, foldedUsername]).to.deep.equal(['noura', 'noura']);
    }
  });

  it('rejects a password that is not hashed', async () => {
    const error = await accounts()
      .createFirst({ username: 'admin', name: 'Administrator', passwordHash: 'correct horse' })
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(pg.DatabaseError).with.property('constraint', 'staff_password_is_hashed');
  });

  it('returns the username of the oldest account, or undefined', async () => {
    expect(await accounts().firstUsername()).to.equal(undefined);
    await insert(test().database, 'staff', staffRow({ username: 'younger', created_at: '2026-02-02' }));
    await insert(test().database, 'staff', staffRow({ username: 'older', created_at: '2026-01-01' }));
    expect(await accounts().firstUsername()).to.equal('older');
  });

  it('read from the oldest account, also an inactive one, whether second factors are required', async () => {
    expect(await accounts().requiresSecondFactor()).to.equal(undefined);
    const store = (row: Record<string, unknown>) => insert(test().database, 'staff', staffRow(row));
    await store({ username: 'younger', created_at: '2026-02-02', requires_second_factor: true });
    expect(await accounts().requiresSecondFactor()).to.equal(true);
    await store({ username: 'older', created_at: '2026-01-01', is_active: false });
    expect(await accounts().requiresSecondFactor()).to.equal(false);
    const younger = async () => (await accounts().findForSignIn('younger')).account?.requiresSecondFactor;
    expect(await younger()).to.equal(false);
    await test().database('staff').where({ username: 'older' }).update({ requires_second_factor: true });
    expect(await accounts().requiresSecondFactor()).to.equal(true);
    expect(await younger()).to.equal(true);
  });
});
