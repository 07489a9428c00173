import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { findInDatabase } from '@dune-tide/testkit/find-text';
import { erasure } from '@dune-tide/domain/limits';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { readBackup, restoreBackup } from '../src/backup/backup.ts';
import { connectForMaintenance } from '../src/connection/connect.ts';
import { replyStore } from '../src/follow-ups/replies.ts';
import { personalData } from '../src/personal-data/personal-data.ts';
import { followUpRow, insert, leadRow, staffRow } from './rows.ts';

type Row = Record<string, unknown>;

describe('personal data', () => {
  let test: TestDatabase;
  let maintenance: Knex;
  beforeEach(async () => {
    test = await createTestDatabase();
    maintenance = connectForMaintenance({ url: test.ownerUrl, applicationName: 'test' });
  });
  afterEach(async () => {
    await maintenance.destroy();
    await test.drop();
  });

  const storeLead = async (email: string): Promise<string> =>
    String((await insert(test.database, 'leads', leadRow('contact', { email })))['id']);
  const leads = (): Promise<string[]> => test.database('leads').orderBy('created_at').pluck<string[]>('email');
  const backUp = (): Promise<Buffer> =>
    buffer(Readable.from(readBackup(maintenance, () => undefined)).map((part: Buffer | string) => Buffer.from(part)));
  const restore = (backup: Buffer) => restoreBackup(maintenance, Readable.from([backup]), true);

  /** Stores a lead whose acknowledgement has failed and is corrected to another address. */
  async function storeCorrected(from: string, to: string, changeLead: boolean): Promise<string> {
    const leadId = await storeLead(from);
    const followUp = await insert(
      test.database,
      'follow_ups',
      followUpRow(leadId, { recipient: from, state: 'failed' }),
    );
    const second = followUpRow(leadId, { kind: 'portfolio_pdf', recipient: from });
    await insert(test.database, 'follow_ups', second);
    const member = await insert(test.database, 'staff', staffRow());
    const actor = { id: String(member['id']), name: String(member['name']) };
    await replyStore(test.app, 'mail.example.com').correctRecipient(String(followUp['id']), to, changeLead, actor);
    return leadId;
  }

  it('includes the leads whose email was corrected to the address', async () => {
    await storeCorrected('nora@exmaple.com', 'noura@example.com', false);
    const { erased } = await personalData(test.app).erase('Noura@Example.com', 'operator');
    expect(erased).to.include({ leads: 1, emails: 2 });
    expect(await leads()).to.deep.equal([]);
  });

  it('keeps the lead of another person whose address staff corrected from the erased one', async () => {
    await storeCorrected('nora@example.com', 'noura@example.com', true);
    await personalData(test.app).erase('nora@example.com', 'operator');
    expect(await leads()).to.deep.equal(['noura@example.com']);
    expect(await findInDatabase(test.database, ['nora@example.com'])).to.deep.equal([]);
    expect(await test.database('follow_ups').orderBy('kind').pluck('state')).to.deep.equal(['pending', 'cancelled']);
  });

  it('is erased in batches, and a call says if leads are left', async () => {
    await test.database.raw(
      `insert into leads (id, kind, email, answers)
       select gen_random_uuid(), kind, email, answers from leads, generate_series(1, ?)
       where id = ?`,
      [erasure.leads, await storeLead('noura@example.com')],
    );
    const people = personalData(test.app);
    const { erased: first } = await people.erase('noura@example.com', 'operator');
    expect(first).to.include({ leads: erasure.leads, isComplete: false });
    const { erased: second } = await people.erase('noura@example.com', 'operator');
    expect(second).to.include({ leads: 1, isComplete: true });
  });

  it('that arrived after the erasure survives a restore', async () => {
    await storeLead('noura@example.com');
    await personalData(test.app).erase('noura@example.com', 'operator');
    const later = await storeLead('noura@example.com');
    await test.database<Row>('email_opt_outs').insert({ id: randomUUID(), mailbox: 'noura@example.com' });
    const { erasedLeads } = await restore(await backUp());
    expect(erasedLeads).to.equal(0);
    expect(await test.database('leads').pluck('id')).to.deep.equal([later]);
    expect(await test.database('email_opt_outs')).to.have.length(1);
  });

  it('of a lead that its visitor has withdrawn does not return with a restore, and other leads do', async () => {
    const first = await storeLead('noura@example.com');
    await storeLead('noura@example.com');
    await test.database<Row>('email_opt_outs').insert({ id: randomUUID(), mailbox: 'thabo@example.com' });
    const backup = await backUp();
    const people = personalData(test.app);
    expect((await people.eraseLead(first))?.erased).to.include({ leads: 1 });
    expect(await people.eraseLead(first)).to.equal(undefined);
    const [entry] = await test.database<Row>('audit_log').where({ action: 'lead_withdrawn' });
    expect(entry).to.include({ actor: 'unknown', subject_id: first });
    await people.erase('thabo@example.com', 'operator');
    expect(await restore(backup)).to.include({ erasedLeads: 1 });
    expect(await leads()).to.deep.equal(['noura@example.com']);
    expect(await test.database('email_opt_outs')).to.deep.equal([]);
  });
});
