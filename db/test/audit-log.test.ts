import { randomUUID } from 'node:crypto';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { staffAccounts } from '../src/accounts/accounts.ts';
import { auditAlarms } from '../src/audit-log/alarms.ts';
import { auditLog, checkAuditLog, type AuditHead, type AuditOrigin } from '../src/audit-log/log.ts';
import { serverErrorOf } from '../src/connection/unavailable.ts';
import { leadHistory } from '../src/leads/history.ts';
import { leadWork } from '../src/leads/work.ts';
import { retentionStore } from '../src/personal-data/retention.ts';
import { insert, leadRow, staffRow } from './rows.ts';

const insufficientPrivilege = '42501';

describe('the audit log', () => {
  const test = withTestDatabase();

  const entries = () => test().database('audit_log').orderBy('position');
  const add = (count: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, () =>
        auditLog(test().app).add({ action: 'email_set', actor: 'operator', subjectId: randomUUID() }),
      ),
    );
  /** Runs statements as an attacker who owns the tables and disables the triggers. */
  const tamper = (statement: string): Promise<void> =>
    test().database.transaction(async (transaction) => {
      await transaction.raw('alter table audit_log disable trigger user');
      await transaction.raw(statement);
      await transaction.raw('alter table audit_log enable trigger user');
    });
  const check = async (noted?: AuditHead) => checkAuditLog(test().database, noted);
  const head = async (): Promise<AuditHead> => {
    const checked = await check();
    return (checked.outcome === 'whole' ? checked.head : undefined) ?? expect.fail();
  };
  const codeOf = (error: unknown): string | undefined => serverErrorOf(error)?.code;

  beforeEach(() => tamper('truncate audit_log'));

  it('is empty at first, and then whole', async () => {
    expect(await check()).to.deep.equal({ outcome: 'whole', entries: 0, head: undefined });
    await add(3);
    expect(await check()).to.include({ outcome: 'whole', entries: 3 });
  });

  it('takes as many entries of an account within an hour as a limit allows, also concurrently', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => insert(test().database, 'staff', staffRow())));
    const addWithin = (account = one) =>
      auditLog(test().app).addWithin(3, { action: 'leads_exported', actor: { id: String(account?.['id']) } });
    const waits = await Promise.all(Array.from({ length: 8 }, () => addWithin()));
    expect(waits.filter((seconds) => seconds === undefined)).to.have.length(3);
    for (const seconds of waits) if (seconds !== undefined) expect(seconds).to.be.within(3_590, 3_600);
    expect(await entries()).to.have.length(3);
    expect(await addWithin(other)).to.equal(undefined);
    await tamper(`update audit_log set at = now() - interval '61 minutes' where position = 1`);
    expect(await addWithin()).to.equal(undefined);
    expect(await addWithin()).to.be.a('number');
  });

  it('chains the entries of concurrent transactions without gaps', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        test()
          .app.transaction(async (transaction) => {
            for (let each = 0; each < 3; each++) {
              await auditLog(transaction).add({ action: 'email_set', actor: 'system', details: { index } });
            }
            if (index % 4 === 0) throw new Error('rolled back');
          })
          .catch(() => undefined),
      ),
    );
    expect((await entries()).map(({ position }) => Number(position))).to.deep.equal(
      Array.from({ length: 27 }, (_, index) => index + 1),
    );
    expect(await check()).to.include({ outcome: 'whole', entries: 27 });
  });

  for (const [what, statement] of [
    ['changed', `update audit_log set subject_id = null where position = 3`],
    ['moved to another time', `update audit_log set at = at - interval '1 second' where position = 3`],
    ['given other details', `update audit_log set details = '{"a": 1}' where position = 3`],
    ['given another actor', `update audit_log set actor = 'system' where position = 3`],
    ['removed', `delete from audit_log where position = 3`],
    [
      'exchanged with another',
      `update audit_log set position = position + 100 where position = 3;
       update audit_log set position = 3 where position = 4;
       update audit_log set position = 4 where position = 103`,
    ],
  ] as const) {
    it(`is broken where an entry was ${what}`, async () => {
      await add(5);
      await tamper(statement);
      expect(await check()).to.deep.equal({ outcome: 'broken', position: 3 });
    });
  }

  it('is broken if the oldest entries were removed', async () => {
    await add(5);
    await tamper('delete from audit_log where position <= 2');
    expect(await check()).to.deep.equal({ outcome: 'broken', position: 1 });
  });

  it('differs from a noted head if the newest entries were removed, or all were computed again', async () => {
    await add(5);
    const noted = await head();
    await add(2);
    expect(await check(noted)).to.include({ outcome: 'whole', entries: 7 });
    await tamper('delete from audit_log where position >= 4');
    expect(await check()).to.include({ outcome: 'whole' });
    expect(await check(noted)).to.deep.equal({ outcome: 'broken', position: 5 });
    await add(4);
    expect(await check()).to.include({ outcome: 'whole', entries: 7 });
    expect(await check(noted)).to.deep.equal({ outcome: 'other_hash', position: 5 });
  });

  it('rejects every update, deletion and truncation, even by the owner of the table', async () => {
    await add(1);
    for (const statement of [
      `update audit_log set action = 'signed_in'`,
      'update audit_log set hash = null, position = null',
      'delete from audit_log',
      'truncate audit_log',
    ]) {
      for (const db of [test().app, test().database]) {
        const error: unknown = await db.raw(statement).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(codeOf(error), statement).to.equal(insufficientPrivilege);
      }
    }
    expect(await check()).to.include({ outcome: 'whole', entries: 1 });
  });

  it('loses old entries to the retention only, which leaves a mark', async () => {
    await add(4);
    const old = await head();
    // Written in the past: the hash of each entry covers its time.
    await tamper('truncate audit_log');
    for (const months of [30, 25, 23, 0]) {
      await test().database.raw(
        `insert into audit_log (actor, action, at) values ('system', 'email_set', now() - make_interval(months => ?))`,
        [months],
      );
    }
    const noted = await head();
    const remove = async (months: number): Promise<number> => {
      const { rows } = await test().app.raw<{ rows: { removed: string }[] }>(
        'select remove_old_audit_entries(?) as removed',
        [months],
      );
      return Number(rows[0]?.removed);
    };
    expect(await remove(24)).to.equal(2);
    expect(await remove(24)).to.equal(0);
    expect((await entries()).map(({ position, action }) => [Number(position), action])).to.deep.equal([
      [3, 'email_set'],
      [4, 'email_set'],
      [5, 'audit_entries_removed'],
    ]);
    expect(await check(noted)).to.include({ outcome: 'whole', entries: 3 });
    expect(await check({ position: 2, hash: old.hash }), 'a head that the retention removed').to.include({
      outcome: 'whole',
    });
    await tamper('delete from audit_log where position = 3');
    expect(await check()).to.deep.equal({ outcome: 'broken', position: 1 });
    for (const months of [11, 0, -1]) {
      const error: unknown = await remove(months).catch((thrown: unknown) => thrown);
      expect(codeOf(error), String(months)).to.equal('22023');
    }
  });

  it('records changes of accounts and leads in the transaction of the change, without texts', async () => {
    const author = await insert(test().database, 'staff', staffRow({ name: 'Zq9name' }));
    // The last owner cannot be deactivated.
    await insert(test().database, 'staff', staffRow());
    const actor = { id: String(author['id']), name: 'Zq9name' };
    const leadId = String((await insert(test().database, 'leads', leadRow('contact')))['id']);
    await leadWork(test().app, 'mail.example.com').change(leadId, { status: 'contacted' }, actor);
    await leadHistory(test().app).addNote(randomUUID(), leadId, 'zq9note', actor);
    await staffAccounts(test().app).change(actor.id, { email: 'zq9@example.com', isActive: false });
    const found = await entries();
    expect(found.map(({ action, actor: by, subject_id: subject }) => [action, by, subject])).to.deep.equal([
      ['lead_status', 'staff', leadId],
      ['lead_note', 'staff', leadId],
      ['email_set', 'operator', actor.id],
      ['member_deactivated', 'operator', actor.id],
    ]);
    expect(JSON.stringify(found)).to.not.match(/zq9/i);
    await test().database.raw('alter table audit_log rename to elsewhere');
    try {
      const change: unknown = await staffAccounts(test().app)
        .change(actor.id, { isActive: true })
        .catch((thrown: unknown) => thrown);
      expect(change).to.be.instanceOf(Error);
      expect(await test().database('staff').where({ id: actor.id }).first('is_active')).to.deep.equal({
        is_active: false,
      });
    } finally {
      await test().database.raw('alter table elsewhere rename to audit_log');
    }
  });

  const home = { network: '192.0.2.0/24', device: 'Firefox on Windows' };
  const countOf = async (): Promise<[action: string, subject: string | null, count: number][]> => {
    const { rows } = await test().database.raw<{
      rows: { action: string; subject_id: string | null; count: string }[];
    }>('select action, subject_id, count(*) from audit_log group by action, subject_id order by count(*), subject_id');
    return rows.map(({ action, subject_id: subject, count }) => [action, subject, Number(count)]);
  };

  it('records at most 100 refused sign-ins with unknown usernames in 15 minutes', async () => {
    const log = auditLog(test().app);
    const known = randomUUID();
    for (let each = 0; each < 105; each++) await log.addRefusedSignIn(home);
    await log.addRefusedSignIn(home, known);
    expect(await countOf()).to.deep.equal([
      ['sign_in_refused', known, 1],
      ['sign_in_refused', null, 100],
    ]);
    expect(await test().database('audit_origins')).to.have.length(101);
  });

  it('records at most 100 refusals of a kind for one account in an hour', async () => {
    const log = auditLog(test().app);
    const [one, other] = [randomUUID(), randomUUID()];
    const refuse = (id: string) =>
      log.addRefusal({ action: 'access_refused', actor: { id }, subjectId: id, origin: home });
    for (let each = 0; each < 102; each++) await refuse(one);
    await refuse(other);
    await log.addRefusal({ action: 'attempt_limited', actor: 'unknown', subjectId: one, origin: home });
    expect(await countOf()).to.have.deep.members([
      ['access_refused', one, 100],
      ['access_refused', other, 1],
      ['attempt_limited', one, 1],
    ]);
    await tamper(`update audit_log set at = at - interval '61 minutes'`);
    await refuse(one);
    expect(await countOf()).to.deep.include(['access_refused', one, 101]);
  });

  describe('with origins', () => {
    const addOne = (origin: AuditOrigin) =>
      auditLog(test().app).add({ action: 'signed_in', actor: 'unknown', details: { a: 1 }, origin });
    beforeEach(() => test().database('audit_origins').delete());

    it('covers the network and the device by a key of each entry, and keeps them elsewhere', async () => {
      await addOne(home);
      await addOne(home);
      await addOne({ network: null, device: null });
      await add(1);
      expect(await check()).to.include({ outcome: 'whole', entries: 4 });
      const [one, other] = await entries();
      expect(one?.details).to.have.keys('a', 'origin');
      expect(one?.details.origin)
        .to.match(/^[0-9a-f]{64}$/)
        .and.not.equal(other?.details.origin);
      expect(JSON.stringify([one, other])).to.not.match(/192\.0|Firefox/);
      const origins = await test().database('audit_origins').orderBy('at');
      expect(origins.map(({ network, device }) => ({ network, device }))).to.deep.equal([
        home,
        home,
        { network: null, device: null },
      ]);
    });

    for (const [what, statement] of [
      ['network', `update audit_origins set network = '198.51.100.0/24'`],
      ['device', 'update audit_origins set device = null'],
      ['key', `update audit_origins set key = repeat('a', 64)`],
    ] as const) {
      it(`differ from their entry if the ${what} was changed`, async () => {
        await add(1);
        await addOne(home);
        await test().database.raw(statement);
        expect(await check()).to.deep.equal({ outcome: 'other_origin', position: 2 });
      });
    }

    it('differ from an entry that has none', async () => {
      await add(2);
      const [, second] = await entries();
      await test()
        .app('audit_origins')
        .insert({ entry_id: second?.id, key: 'a'.repeat(64), ...home });
      expect(await check()).to.deep.equal({ outcome: 'other_origin', position: 2 });
    });

    it('lose networks and devices after 90 days, and are whole without them', async () => {
      const remove = () => retentionStore(test().app).removeAuditOrigins();
      for (const days of [91, 89]) {
        await addOne(home);
        await test()
          .database('audit_origins')
          .whereRaw(`at > now() - interval '1 day'`)
          .update({ at: test().database.raw('now() - make_interval(days => ?)', [days]) });
      }
      expect([await remove(), await remove()]).to.deep.equal([1, 0]);
      const [, kept] = await entries();
      expect(await test().database('audit_origins').pluck('entry_id')).to.deep.equal([kept?.id]);
      expect(await check()).to.include({ outcome: 'whole', entries: 2 });
    });
  });

  it('counts what raises alerts: of the last hour by staff, and of the last day of one account', async () => {
    const log = auditLog(test().app);
    const [one, other] = await Promise.all(
      [0, 1].map(async () => String((await insert(test().database, 'staff', staffRow()))['id'])),
    );
    const actor = { id: one ?? '' };
    const none = { erasures: 0, exports: 0, owners: 0, passwords: 0, codes: 0 };
    expect(await auditAlarms(test().app)).to.deep.equal(none);
    for (let each = 0; each < 4; each++) {
      await log.add({ action: 'person_erased', actor });
      await log.addRefusedSignIn(home, one);
      await log.addRefusedSignIn(home);
      await log.add({ action: 'second_factor_refused', actor: 'unknown', subjectId: other });
    }
    await log.addRefusedSignIn(home, other);
    await log.add({ action: 'password_refused', actor, subjectId: one });
    await log.add({ action: 'person_erased', actor: 'operator' });
    await log.add({ action: 'person_exported', actor });
    await log.add({ action: 'leads_exported', actor });
    await log.add({ action: 'made_owner', actor: 'operator', subjectId: other });
    for (const role of ['owner', 'member']) await log.add({ action: 'member_added', actor, details: { role } });
    expect(await auditAlarms(test().app)).to.deep.equal({ erasures: 4, exports: 2, owners: 2, passwords: 5, codes: 4 });
    await tamper(`update audit_log set at = at - interval '61 minutes'`);
    expect(await auditAlarms(test().app)).to.deep.equal({ ...none, passwords: 5, codes: 4 });
    await tamper(`update audit_log set at = at - interval '1 day'`);
    expect(await auditAlarms(test().app)).to.deep.equal(none);
  });
});
