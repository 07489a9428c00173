import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { connectForMaintenance } from '../src/connection/connect.ts';
import { leadLists } from '../src/leads/lists.ts';
import { migrateTo, migrateUp } from '../src/schema/migrate.ts';
import { insert, leadRow } from './rows.ts';

const before = '20261125-13-follow-up-kinds';
const lateIndexes = ['leads_answered', 'leads_unanswered'];
const ago = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);

describe('the migration to work on leads', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase('template0');
    await migrateUp(test.database);
    await migrateTo(test.database, before);
  });
  afterEach(() => test.drop());

  const store = async (kind: 'contact' | 'service_inquiry' | 'career_application', hours: number): Promise<string> =>
    String((await insert(test.database, 'leads', leadRow(kind, { created_at: ago(hours) })))['id']);
  const responseOf = async (id: string) => (await leadLists(test.database).one(id))?.response;
  const validIndexes = async (): Promise<string[]> => {
    const { rows } = await test.database.raw<{ rows: { name: string }[] }>(
      `select indexrelid::regclass::text as name from pg_index where indisvalid and indexrelid::regclass::text = any (?)`,
      [lateIndexes],
    );
    return rows.map(({ name }) => name).toSorted();
  };

  it('counts leads older than a day as answered at an unknown time, and keeps the clocks of the others', async () => {
    const old = [await store('contact', 25), await store('service_inquiry', 1_000)];
    const recent = [await store('contact', 1), await store('service_inquiry', 23)];
    const application = await store('career_application', 1_000);
    await migrateUp(test.database);
    const lists = leadLists(test.database);
    for (const id of old) {
      expect(await lists.one(id)).to.include({ response: 'answered', answeredAt: null, status: 'new', version: 1 });
    }
    expect([await responseOf(recent[0] ?? ''), await responseOf(recent[1] ?? '')]).to.deep.equal(['waiting', 'soon']);
    expect(await lists.one(application)).to.include({ response: 'none', status: 'new' });
    expect(await lists.unanswered()).to.deep.equal({ overdue: 0, soon: 1, waiting: 1, unowned: 2 });
  });

  it('keeps the status of an inquiry', async () => {
    await insert(test.database, 'leads', leadRow('service_inquiry', { status: 'won' }));
    await migrateUp(test.database);
    expect(await leadLists(test.database).counts()).to.deep.equal([
      { kind: 'service_inquiry', status: 'won', count: 1 },
    ]);
  });

  it('gives a clock to the leads that release 0.1.0 stores afterwards', async () => {
    await migrateUp(test.database);
    // The columns that release 0.1.0 writes.
    const id = await store('contact', 0);
    const { owner_id: owner, answered_before: answeredBefore } = await test.database('leads').where({ id }).first();
    expect([owner, answeredBefore]).to.deep.equal([null, null]);
    expect(await responseOf(id)).to.equal('waiting');
    expect(await leadLists(test.database).unanswered()).to.include({ waiting: 1, unowned: 1 });
  });

  it('rewrites no lead', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => store('contact', index * 10)));
    const places = () => test.database('leads').orderBy('id').select('id', test.database.raw('ctid::text, xmin::text'));
    const stored = await places();
    await migrateUp(test.database);
    expect(await places()).to.deep.equal(stored);
  });

  it('builds its indexes after the transaction, also if the process was interrupted before', async () => {
    const maintenance = connectForMaintenance({ url: test.url, applicationName: 'migrate' });
    try {
      await migrateUp(maintenance);
      expect(await validIndexes()).to.deep.equal(lateIndexes);
      await maintenance.raw('drop index leads_unanswered');
      await maintenance.raw('drop index leads_answered');
      expect(await migrateUp(maintenance)).to.deep.equal({ run: [], later: [] });
      expect(await validIndexes()).to.deep.equal(lateIndexes);
    } finally {
      await maintenance.destroy();
    }
  });

  it('also builds its indexes in a transaction, e.g. of a restore', async () => {
    await test.database.transaction((transaction) => migrateUp(transaction));
    expect(await validIndexes()).to.deep.equal(lateIndexes);
  });

  it('can be reverted, which loses the work on leads', async () => {
    await migrateUp(test.database);
    await insert(test.database, 'leads', leadRow('contact', { status: 'won', spam_sign: 'by_hand' }));
    await insert(test.database, 'leads', leadRow('service_inquiry', { status: 'won' }));
    await migrateTo(test.database, before);
    const counts = await test.database('lead_counts').orderBy('kind').select('kind', 'status', 'count');
    expect(counts).to.deep.equal([
      { kind: 'contact', status: null, count: '1' },
      { kind: 'service_inquiry', status: 'won', count: '1' },
    ]);
    expect(await test.database('leads').where({ kind: 'contact' }).pluck('spam_sign')).to.deep.equal(['honeypot']);
  });
});
