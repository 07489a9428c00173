import { withTestDatabase } from '@dune-tide/testkit/database';
import { SettingsError } from '@dune-tide/platform/settings';
import { verify } from '@node-rs/argon2';
import { expect } from 'chai';
import { ensureFirstAccount } from '../src/first-account.ts';

interface StaffRow {
  readonly username: string;
  readonly name: string;
  readonly password_hash: string;
  readonly is_active: boolean;
  readonly requires_second_factor: boolean;
}

describe('the first staff account', () => {
  const test = withTestDatabase();
  const accounts = (): Promise<StaffRow[]> => test().database<StaffRow>('staff').select('*');
  beforeEach(() => test().database('staff').delete());

  it('is created from ADMIN_USERNAME and ADMIN_PASSWORD, which is not shown', async () => {
    const made = await ensureFirstAccount(test().database, { username: 'noura', password: 'correct horse battery' });

    expect(made).to.deep.equal({ username: 'noura' });
    const [account, ...others] = await accounts();
    expect(others).to.have.length(0);
    expect(account).to.include({ username: 'noura', name: 'noura', is_active: true });
    expect(await verify(account?.password_hash ?? '', 'correct horse battery')).to.equal(true);
    expect(await verify(account?.password_hash ?? '', 'correct horse battery ')).to.equal(false);
  });

  it('gets a random password if ADMIN_PASSWORD is not set, and returns it once', async () => {
    const made = await ensureFirstAccount(test().database, { username: 'admin' });

    expect(made.madeUpPassword).to.match(/^[\w-]{22}$/);
    expect(await verify((await accounts())[0]?.password_hash ?? '', made.madeUpPassword ?? '')).to.equal(true);
    expect(await ensureFirstAccount(test().database, { username: 'admin' })).to.deep.equal({ username: 'admin' });
  });

  it('records whether the installation requires second factors, which no later start changes', async () => {
    const isRequired = async () => (await accounts()).map((account) => account.requires_second_factor);
    await ensureFirstAccount(test().database, { username: 'admin', requiresSecondFactor: true });
    await ensureFirstAccount(test().database, { username: 'admin' });
    expect(await isRequired()).to.deep.equal([true]);

    await test().database('staff').delete();
    await ensureFirstAccount(test().database, { username: 'admin' });
    await ensureFirstAccount(test().database, { username: 'admin', requiresSecondFactor: true });
    expect(await isRequired()).to.deep.equal([false]);
  });

  it('is not created with a password that is easy to guess', async () => {
    for (const [password, reason] of [
      ['password', /ADMIN_PASSWORD: .*too often/],
      ['Noura.Harbi1', /ADMIN_PASSWORD: .*username/],
    ] as const) {
      const made = ensureFirstAccount(test().database, { username: 'noura.harbi', password });
      const error: unknown = await made.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(SettingsError);
      expect(String(error)).to.match(reason);
    }
    expect(await accounts()).to.deep.equal([]);
  });

  it('gets a different random password each time', async () => {
    const first = await ensureFirstAccount(test().database, { username: 'admin' });
    await test().database('staff').delete();
    const second = await ensureFirstAccount(test().database, { username: 'admin' });

    expect(second.madeUpPassword).to.not.equal(first.madeUpPassword);
  });

  it('is not created or changed if any account exists', async () => {
    await ensureFirstAccount(test().database, { username: 'noura', password: 'correct horse battery' });
    const [before] = await accounts();

    const again = await ensureFirstAccount(test().database, { username: 'thabo', password: 'another password' });

    expect(again).to.deep.equal({ username: 'noura' });
    expect(await accounts()).to.deep.equal([before]);
  });

  it('is created once by concurrent processes, one of which returns its password', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, index) => ensureFirstAccount(test().database, { username: `admin-${index % 2}` })),
    );

    const [account, ...others] = await accounts();
    expect(others).to.have.length(0);
    expect(new Set(outcomes.map(({ username }) => username))).to.deep.equal(new Set([account?.username]));
    const shown = outcomes.flatMap(({ madeUpPassword }) => (madeUpPassword === undefined ? [] : [madeUpPassword]));
    expect(shown).to.have.length(1);
    expect(await verify(account?.password_hash ?? '', shown[0] ?? '')).to.equal(true);
  });
});
