import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { readBackup, restoreBackup, type RestoredErasures } from '../src/backup/backup.ts';
import { connectDatabase, connectForMaintenance } from '../src/connection/connect.ts';
import { ErasureLimitReached, erasureList } from '../src/personal-data/erasure-list.ts';
import { erasureNotices } from '../src/personal-data/erasure-notices.ts';
import { personalData } from '../src/personal-data/personal-data.ts';
import { insert, leadRow, staffRow } from './rows.ts';

const { perHour } = staffCalls.erasePerson;
const hourAgo = "now() - interval '61 minutes'";

describe('erasures by staff', () => {
  let test: TestDatabase;
  let maintenance: Knex;
  let pools: readonly Knex[];
  let layla: string;
  let mallory: string;
  before(async () => {
    test = await createTestDatabase();
    maintenance = connectForMaintenance({ url: test.ownerUrl, applicationName: 'test' });
    // Two processes.
    pools = [0, 1].map(() => connectDatabase({ url: test.appUrl, applicationName: 'test', poolSize: 3 }));
  });
  beforeEach(async () => {
    await test.database.raw(`
      alter table audit_log disable trigger user;
      truncate leads, follow_ups, staff, audit_log, erasures, erasure_skips cascade;
      alter table audit_log enable trigger user;
    `);
    layla = await addAccount('layla');
    mallory = await addAccount('mallory');
  });
  after(async () => {
    await Promise.all([maintenance, ...pools].map((pool) => pool.destroy()));
    await test.drop();
  });

  const addAccount = async (username: string): Promise<string> =>
    String((await insert(test.database, 'staff', staffRow({ username })))['id']);
  const storeLead = async (email: string): Promise<string> =>
    String((await insert(test.database, 'leads', leadRow('contact', { email })))['id']);
  const leads = (): Promise<string[]> => test.database('leads').orderBy('email').pluck<string[]>('email');
  const erase = (email: string, account: string, pool = test.app) => personalData(pool).erase(email, { id: account });
  /** Erases many addresses by an account concurrently. @returns the refusals */
  async function eraseAll(emails: readonly string[], account: string): Promise<unknown[]> {
    const results = await Promise.allSettled(
      emails.map((email, index) => erase(email, account, pools[index % pools.length])),
    );
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  }
  const addresses = (count: number, from = 0): string[] =>
    Array.from({ length: count }, (_, index) => `n${from + index}@example.com`);

  describe('within an hour', () => {
    it('are at most 20 addresses of an account, concurrently in two processes', async () => {
      for (const email of addresses(perHour + 5)) await storeLead(email);
      const refusals = await eraseAll(addresses(perHour + 5), mallory);
      expect(refusals).to.have.length(5);
      for (const refusal of refusals) {
        expect(refusal).to.be.instanceOf(ErasureLimitReached);
        expect((refusal as ErasureLimitReached).retryAfter).to.be.within(3_500, 3_600);
      }
      expect(await leads()).to.have.length(5);
      expect(await eraseAll(addresses(1, 100), layla)).to.deep.equal([]);
    });

    /** Lists other addresses as erased by an account, some minutes ago. */
    const list = (count: number, minutes: number, username = 'mallory') =>
      test.database.raw(
        `insert into erasures (hash, key, subject, erased_by, erased_at, first_erased_at)
         select encode(sha256(gen_random_uuid()::text::bytea), 'hex'), :key, 'address', :username, time, time
         from (select now() - make_interval(mins => :minutes) as time) as listed, generate_series(1, :count::integer)`,
        { count, minutes, username, key: randomUUID() },
      );

    it('count an address once, and those of others or of an hour ago not', async () => {
      const [first = '', ...others] = addresses(3);
      await list(perHour - 1, 30);
      await list(perHour, 61);
      await list(perHour, 30, 'layla');
      expect(await eraseAll([first], mallory)).to.deep.equal([]);
      await storeLead(first);
      expect((await erase(first.toUpperCase(), mallory)).erased.leads).to.equal(1);
      expect(await eraseAll(others, mallory)).to.have.length(others.length);
    });

    it('say when the next one is possible', async () => {
      await list(1, 50);
      await list(perHour - 1, 20);
      const [refusal] = await eraseAll(addresses(1), mallory);
      expect(refusal).to.have.property('retryAfter').within(590, 600);
    });
  });

  describe('after a restore of an older backup', () => {
    let backup: Buffer;
    let withdrawn: string;
    let since: Date;
    const restore = (erasures: RestoredErasures = {}) =>
      restoreBackup(maintenance, Readable.from([backup]), true, erasures);
    const skip = (username = 'mallory') =>
      maintenance.transaction((transaction) => erasureList(transaction).skip(username, since));

    beforeEach(async () => {
      for (const email of ['by-both@x.example', 'by-layla@x.example', 'by-mallory@x.example']) await storeLead(email);
      withdrawn = await storeLead('withdrawn@x.example');
      backup = await buffer(
        Readable.from(readBackup(maintenance, () => undefined)).map((part: Buffer | string) => Buffer.from(part)),
      );
      await personalData(test.app).eraseLead(withdrawn);
      await erase('by-layla@x.example', layla);
      await erase('by-both@x.example', layla);
      since = new Date();
      for (const email of ['by-mallory@x.example', 'by-both@x.example', 'withdrawn@x.example']) {
        await erase(email, mallory);
      }
    });

    it('are repeated, and reported by day and by account', async () => {
      const { erasedLeads, laterErasures } = await restore();
      expect(erasedLeads).to.equal(4);
      const day = new Date().toISOString().slice(0, 10);
      expect(laterErasures).to.deep.equal([
        { day, erasedBy: null, isWithdrawal: true, count: 1 },
        { day, erasedBy: 'layla', isWithdrawal: false, count: 2 },
        { day, erasedBy: 'mallory', isWithdrawal: false, count: 3 },
      ]);
    });

    it('are left out for one account alone, and stay so', async () => {
      const list = await erasureList(test.database).listed();
      const { skippedAddresses, laterErasures } = await restore({ skipped: { username: 'mallory', since } });
      expect(skippedAddresses).to.equal(3);
      expect(laterErasures.map(({ erasedBy }) => erasedBy)).to.deep.equal([null, 'layla']);
      expect(await leads()).to.deep.equal(['by-mallory@x.example']);
      expect(await test.database('erasures').where({ erased_by: 'mallory' })).to.deep.equal([]);
      const [entry] = await test.database('audit_log').where({ action: 'erasures_skipped' });
      expect(entry).to.include({ actor: 'operator', subject_id: mallory });
      expect(entry.details).to.deep.equal({ addresses: 3, since: since.getTime() });
      // A list in a file still has them, and so has the next restore of the same backup.
      await erasureList(test.app).merge(list);
      await restore({ listed: list });
      expect(await leads()).to.deep.equal(['by-mallory@x.example']);
      expect(await skip()).to.equal(0);
    });

    it('keep the time at which the account had erased an address before', async () => {
      const before = new Date(Date.now() - 5 * 3_600_000);
      await test
        .database('erasures')
        .where({ erased_by: 'mallory' })
        .update({ first_erased_at: before })
        .whereRaw("hash in (select hash from erasures where erased_by = 'mallory' order by erased_at limit 2)");
      expect(await skip()).to.equal(3);
      expect(await test.database('erasures').where({ erased_by: 'mallory' }).pluck('erased_at')).to.deep.equal([
        before,
        before,
      ]);
    });

    it('are not left out for an account that is not on the list', async () => {
      const refusal: unknown = await skip('malory').catch((error: unknown) => error);
      expect(refusal)
        .to.have.property('message')
        .that.matches(/none by malory since .*It names layla, mallory\.$/);
      expect(await test.database('erasures').where({ erased_by: 'mallory' })).to.have.length(6);
    });
  });

  describe('in an email to staff', () => {
    const notices = () => erasureNotices(test.app, 'mail.example.com');
    const write = () => notices().write('staff@studio.example');

    it('are reported once an hour, with counts by account', async () => {
      await storeLead('a@x.example');
      for (const email of ['a@x.example', 'b@x.example']) await erase(email, mallory);
      expect(await notices().write(undefined)).to.deep.equal([]);
      const [notice] = await write();
      expect(notice?.kind).to.equal('erasure_notice');
      await erase('c@x.example', layla);
      expect(await write()).to.deep.equal([]);
      const [first] = await notices().of(notice?.id ?? '');
      expect(first).to.include({ username: 'mallory', addresses: 2, leads: 1 });

      const sent = { state: 'sent', created_at: test.database.raw(hourAgo), sent_at: test.database.raw(hourAgo) };
      await test.database('follow_ups').where({ id: notice?.id }).update(sent);
      const [second] = await write();
      expect(await notices().of(second?.id ?? '')).to.have.length(1);
      expect((await notices().of(second?.id ?? ''))[0]).to.include({ username: 'layla', addresses: 1, leads: 0 });
    });

    it('are not those of visitors, of the retention, of a restore or of repeated calls', async () => {
      await personalData(test.app).eraseLead(await storeLead('a@x.example'));
      await personalData(test.app).erase('b@x.example', 'operator');
      const details = { leads: 3, notes: 1 };
      await test
        .database('audit_log')
        .insert({ action: 'person_erased', actor: 'staff', actor_id: randomUUID(), details: JSON.stringify(details) });
      expect(await write()).to.deep.equal([]);
      await erase('b@x.example', mallory);
      const [notice] = await write();
      await test
        .database('follow_ups')
        .where({ id: notice?.id })
        .update({ created_at: test.database.raw(hourAgo), state: 'cancelled' });
      await erase('b@x.example', mallory);
      expect(await write()).to.deep.equal([]);
    });

    it('are written once by several workers', async () => {
      await erase('a@x.example', mallory);
      const written = await Promise.all(
        pools.map((pool) => erasureNotices(pool, 'mail.example.com').write('s@x.example')),
      );
      expect(written.flat()).to.have.length(1);
    });
  });
});
