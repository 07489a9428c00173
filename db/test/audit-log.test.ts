import { randomUUID } from 'node:crypto';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { staffAccounts } from '../src/accounts/accounts.ts';
import { auditLog, checkAuditLog, type AuditHead } from '../src/audit-log/log.ts';
import { serverErrorOf } from '../src/connection/unavailable.ts';
import { leadHistory } from '../src/leads/history.ts';
import { leadWork } from '../src/leads/work.ts';
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
    const actor = { id: String(author['id']), name: 'Zq9name' };
    const leadId = String((await insert(test().database, 'leads', leadRow('contact')))['id']);
    await leadWork(test().app, 'mail.example.com').change(leadId, { status: 'contacted' }, actor);
    await leadHistory(test().app).addNote(randomUUID(), leadId, 'zq9note', actor);
    await staffAccounts(test().app).change(actor.id, { email: 'zq9@example.com', isActive: false });
    const found = await entries();
    expect(found.map(({ action, actor: by, subject_id: subject }) => [action, by, subject])).to.deep.equal([
      ['lead_status', 'staff', leadId],
      ['lead_note', 'staff', leadId],
      ['member_deactivated', 'operator', actor.id],
      ['email_set', 'operator', actor.id],
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

  it('records at most 100 refused sign-ins with unknown usernames in 15 minutes', async () => {
    const log = auditLog(test().app);
    const known = randomUUID();
    for (let each = 0; each < 105; each++) await log.addRefusedSignIn(undefined);
    await log.addRefusedSignIn(known);
    const found = await entries();
    expect(found.filter(({ subject_id: subject }) => subject === null)).to.have.length(100);
    expect(found.at(-1)).to.include({ subject_id: known, actor: 'unknown' });
  });
});
