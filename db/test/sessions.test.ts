import { randomUUID } from 'node:crypto';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { staffAccounts } from '../src/accounts/accounts.ts';
import { passkeys } from '../src/accounts/passkeys.ts';
import { staffSessions } from '../src/accounts/sessions.ts';
import { insert, staffRow } from './rows.ts';

interface Account {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly passwordHash: string;
  readonly hasSecondFactor: boolean;
}

const origin = {
  device: 'Firefox on Linux',
  address: '198.51.100.7',
  network: '198.51.100.0/24',
  deviceToken: 'a token of a device',
  factor: 'none',
} as const;

describe('staffSessions', () => {
  const test = withTestDatabase();
  const sessions = () => staffSessions(test().database);
  const rows = (account: Account) => test().database('sessions').where({ staff_id: account.id });

  async function addAccount(overrides: Record<string, unknown> = {}): Promise<Account> {
    const row = await insert(test().database, 'staff', staffRow(overrides));
    return {
      id: String(row['id']),
      username: String(row['username']),
      name: String(row['name']),
      passwordHash: String(row['password_hash']),
      hasSecondFactor: false,
    };
  }

  it('return the account of a session until it ends', async () => {
    const account = await addAccount();
    expect(await sessions().find('an id')).to.equal(undefined);
    expect(await sessions().begin('an id', account, origin)).to.equal(true);
    const { id, username, name } = account;
    expect(await sessions().find('an id')).to.deep.equal({
      id,
      username,
      name,
      role: 'owner',
      hasEmail: false,
      mustChangePassword: false,
      hasSecondFactor: false,
      requiresSecondFactor: false,
    });
    await sessions().end('an id');
    await sessions().end('an id');
    expect(await sessions().find('an id')).to.equal(undefined);
  });

  it('do not start with another password hash or for an inactive account, and store nothing', async () => {
    const account = await addAccount();
    const inactive = await addAccount({ is_active: false });
    const otherHash = { ...account, passwordHash: `${account.passwordHash}x` };
    expect(await sessions().begin(randomUUID(), otherHash, origin)).to.equal(false);
    expect(await sessions().begin(randomUUID(), inactive, origin)).to.equal(false);
    expect(await sessions().begin(randomUUID(), { ...account, id: randomUUID() }, origin)).to.equal(false);
    for (const each of [account, inactive]) {
      expect(await rows(each)).to.deep.equal([]);
      expect(await test().database('staff').where({ id: each.id }).first('last_sign_in_at')).to.deep.equal({
        last_sign_in_at: null,
      });
    }
  });

  it('start without waiting for expired sessions that another transaction is deleting', async () => {
    const account = await addAccount();
    const ended = { id_hash: 'e'.repeat(64), staff_id: account.id, expires_at: new Date(0), created_at: new Date(0) };
    await insert(test().database, 'sessions', ended);
    await test().database.transaction(async (clearing) => {
      await clearing('sessions').where({ id_hash: ended.id_hash }).delete();
      expect(await sessions().begin(randomUUID(), account, origin)).to.equal(true);
    });
    expect(await rows(account)).to.have.length(1);
  });

  it('are extended at most once a minute', async () => {
    const account = await addAccount();
    const id = randomUUID();
    await sessions().begin(id, account, origin);
    const version = async (): Promise<unknown> =>
      (await rows(account).first<{ version: string }>(test().database.raw('xmin::text as version'))).version;
    const left = (minutes: number) =>
      rows(account).update({ expires_at: test().database.raw(`now() + make_interval(secs => ?)`, [minutes * 60]) });
    const started = await version();
    await sessions().find(id);
    expect(await version()).to.equal(started);

    await left(29.5);
    const recent = await version();
    await sessions().find(id);
    expect(await version()).to.equal(recent);

    await left(28.9);
    const due = await version();
    await Promise.all(Array.from({ length: 5 }, () => sessions().find(id)));
    const touched = await version();
    expect(touched).to.not.equal(due);
    await sessions().find(id);
    expect(await version()).to.equal(touched);
  });

  it('keep where they started and when they were last used', async () => {
    const account = await addAccount();
    await sessions().begin('a used id', account, origin);
    await rows(account).update({ last_used_at: test().database.raw(`now() - interval '61 seconds'`) });
    await sessions().find('a used id');
    const [row] = await rows(account).select<Record<string, unknown>[]>(
      'device',
      'address',
      test().database.raw(`last_used_at > now() - interval '60 seconds' as "isRecent"`),
    );
    const { device, address } = origin;
    expect(row).to.deep.equal({ device, address, isRecent: true });
  });

  it('have a fresh password for ten minutes after it was entered', async () => {
    const account = await addAccount();
    await sessions().begin('a fresh id', account, origin);
    const enteredAgo = (minutes: number) =>
      rows(account).update({ password_at: test().database.raw('now() - make_interval(mins => ?)', [minutes]) });
    for (const [minutes, isFresh] of [
      [9, true],
      [11, false],
    ] as const) {
      await enteredAgo(minutes);
      expect(await sessions().hasFreshPassword('a fresh id')).to.equal(isFresh);
    }
    const otherHash = { ...account, passwordHash: `${account.passwordHash}x` };
    expect(await sessions().enterPassword('a fresh id', otherHash)).to.equal(false);
    expect(await sessions().hasFreshPassword('a fresh id')).to.equal(false);
    expect(await sessions().enterPassword('a fresh id', account)).to.equal(true);
    expect(await sessions().hasFreshPassword('a fresh id')).to.equal(true);
  });

  it('are deleted by later sign-ins after they expire, even by concurrent ones', async () => {
    const old = await addAccount();
    await test().database.raw(
      `insert into sessions (id_hash, staff_id, created_at, expires_at)
       select md5(n::text) || md5(n::text), ?, now() - interval '1 day', now() - interval '23 hours'
       from generate_series(1, 200) n`,
      [old.id],
    );
    const account = await addAccount();
    const started = await Promise.all(
      Array.from({ length: 20 }, () => sessions().begin(randomUUID(), account, origin)),
    );
    expect(started).to.not.include(false);
    expect(await rows(account)).to.have.length(20);
    expect(await rows(old)).to.deep.equal([]);
  });

  it('are listed up to one hundred, those that were used last', async () => {
    const account = await addAccount();
    await test().database.raw(
      `insert into sessions (id_hash, staff_id, expires_at, last_used_at)
       select encode(sha256(('listed ' || n)::bytea), 'hex'), ?, now() + interval '1 minute', now() - n * interval '1 second'
       from generate_series(1, 101) n`,
      [account.id],
    );
    const listed = await sessions().list(account.id, 'listed 1');
    expect(listed.length).to.equal(100);
    expect(listed.findIndex(({ isCurrent }) => isCurrent)).to.equal(0);
  });

  it('end together with the entry of the audit log, or not at all', async () => {
    const account = await addAccount();
    for (const id of ['kept', 'second', 'third']) await sessions().begin(`${account.id} ${id}`, account, origin);
    const listed = (await sessions().list(account.id, `${account.id} kept`)).find(({ isCurrent }) => !isCurrent);
    const endings = [
      () => sessions().endOne(account.id, listed?.id ?? ''),
      () => sessions().endOthers(account.id, `${account.id} kept`),
    ];
    await test().database.raw('alter table audit_log add constraint refuses_all check (action is null) not valid');
    for (const end of endings) expect(await end().catch((error: unknown) => error)).to.be.an('error');
    expect(await rows(account)).to.have.length(3);
    await test().database.raw('alter table audit_log drop constraint refuses_all');
    for (const end of endings) await end();
    await sessions().endOthers(account.id, `${account.id} kept`);
    expect(await rows(account)).to.have.length(1);
    const entries = await test().database('audit_log').where({ action: 'session_ended', subject_id: account.id });
    expect(entries.map(({ actor_id, details }) => [actor_id, details.ended])).to.deep.equal([
      [account.id, 1],
      [account.id, 1],
    ]);
  });

  it('end with a new password, even those that start at that moment', async () => {
    for (let round = 0; round < 10; round++) {
      const account = await addAccount();
      const changed = `${account.passwordHash}x`;
      await Promise.all([
        sessions().begin(randomUUID(), account, origin),
        staffAccounts(test().database).change(account.id, { passwordHash: changed }),
        sessions().begin(randomUUID(), account, origin),
      ]);
      expect(await rows(account)).to.deep.equal([]);
    }
  });

  it('do not start without the second factor that is added at that moment', async () => {
    const account = await addAccount();
    const kept = randomUUID();
    await sessions().begin(kept, account, origin);
    const actor = { id: account.id, sessionId: kept };
    const passkey = {
      credentialId: account.id.replaceAll('-', ''),
      publicKey: Buffer.from('key'),
      counter: 0,
      transports: [],
      name: 'Laptop',
    };
    await Promise.all([
      passkeys(test().database).add(actor, passkey, []),
      ...Array.from({ length: 5 }, () => sessions().begin(randomUUID(), account, origin)),
    ]);
    expect(await rows(account)).to.have.length(1);
    expect(await sessions().begin(randomUUID(), account, origin)).to.equal(false);
    expect(await sessions().begin(randomUUID(), { ...account, hasSecondFactor: true }, origin)).to.equal(true);
  });
});
