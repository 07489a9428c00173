import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { BackupError, readBackup, restoreBackup } from '../src/backup/backup.ts';
import { followUpAdmin } from '../src/follow-ups/admin.ts';
import { followUpClaims } from '../src/follow-ups/claims.ts';
import { followUpRow, insert, leadRow } from './rows.ts';

type Row = Record<string, unknown>;

/** A kind that only the databases of this file allow: not an email, any number for a lead, or without a lead. */
const kind = 'ping';

describe('a kind of follow-up that is not an email', () => {
  const made: TestDatabase[] = [];
  let test: TestDatabase;
  beforeEach(async () => {
    test = await newDatabase();
  });
  afterEach(async () => {
    for (const each of made.splice(0)) await each.drop();
  });

  async function newDatabase(): Promise<TestDatabase> {
    const created = await createTestDatabase();
    made.push(created);
    await created.database.raw('alter table follow_ups drop constraint follow_ups_kind_known');
    return created;
  }
  const newLead = async (): Promise<string> => String((await insert(test.database, 'leads', leadRow()))['id']);
  async function newPing(leadId: string | null, overrides: Row = {}): Promise<string> {
    const row = followUpRow(leadId, { kind, recipient: null, message_id: null, ...overrides });
    return String((await insert(test.database, 'follow_ups', row))['id']);
  }

  it('is stored any number of times for a lead, and without a lead', async () => {
    const leadId = await newLead();
    const ids = [await newPing(leadId), await newPing(leadId), await newPing(null), await newPing(null)];
    const admin = followUpAdmin(test.database);
    expect((await admin.ofLead(leadId))?.map(({ id }) => id)).to.have.members(ids.slice(0, 2));
    expect(await admin.countByState()).to.deep.equal({ pending: 4 });
    await test.database('leads').where({ id: leadId }).delete();
    expect(await test.database('follow_ups').pluck('id'), 'deleted with its lead').to.have.members(ids.slice(2));
  });

  it('is claimed, settled and swept together with emails', async () => {
    const leadId = await newLead();
    const email = followUpRow(leadId);
    await insert(test.database, 'follow_ups', email);
    const ids = [String(email['id']), await newPing(leadId), await newPing(null)];
    await test.database('follow_ups').update({ sweep_at: test.database.fn.now() });
    const followUps = followUpClaims(test.database);
    expect((await followUps.postponeDue(10)).map((found) => found.id)).to.have.members(ids);
    const claims = await Promise.all(ids.map((id) => followUps.claim(id, 60)));
    const claimed = claims.map((claim) => (claim.outcome === 'claimed' ? claim.followUp : expect.fail(claim.outcome)));
    expect(claimed.map(({ id, recipient, messageId, leadId: of }) => [id, recipient, messageId, of])).to.deep.equal([
      [ids[0], email['recipient'], email['message_id'], leadId],
      [ids[1], null, null, leadId],
      [ids[2], null, null, null],
    ]);
    expect(await Promise.all(claimed.map((each) => followUps.markSent(each, 'ok')))).to.deep.equal([true, true, true]);
  });

  it('is listed, retried and cancelled without a lead and a recipient', async () => {
    const id = await newPing(null, { state: 'failed', server_answer: '410' });
    const admin = followUpAdmin(test.database);
    const [listed] = await admin.page('failed', 'newest', 10);
    expect(listed).to.include({ id, kind, leadId: null, leadEmail: null, recipient: null, serverAnswer: '410' });
    expect(await admin.retry(id)).to.have.nested.include({ outcome: 'changed', 'followUp.state': 'pending' });
    expect(await admin.cancel(id)).to.have.nested.include({ outcome: 'changed', 'followUp.state': 'cancelled' });
  });

  it('is backed up and restored, and counts as data that a restore must not overwrite', async () => {
    const leadId = await newLead();
    for (const of of [leadId, leadId, null]) await newPing(of);
    const backup = await buffer(
      Readable.from(readBackup(test.database, () => undefined)).map((part: Buffer | string) => Buffer.from(part)),
    );
    const other = await newDatabase();
    await restoreBackup(other.database, Readable.from([backup]), false);
    const content = ({ database }: TestDatabase) => database<Row>('follow_ups').orderBy('id');
    expect(await content(other)).to.deep.equal(await content(test));

    await other.database('leads').delete();
    expect(await content(other)).to.have.length(1);
    const refusal: unknown = await restoreBackup(other.database, Readable.from([backup]), false).catch(
      (error: unknown) => error,
    );
    expect(refusal).to.be.instanceOf(BackupError);
  });
});
