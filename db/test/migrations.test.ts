import { createTestDatabase, type TestDatabase } from '@dune-tide/e2e/support/database';
import { expect } from 'chai';
import { connectDatabase } from '../src/connect.ts';
import { leadIntake } from '../src/leads.ts';
import { migrateDown, migrateUp, migrations } from '../src/migrate.ts';
import { newLead } from './rows.ts';
import { describeSchema, ledgerTables } from './schema.ts';

const tables = [
  'follow_up_counts',
  'follow_ups',
  'lead_counts',
  'leads',
  'rate_limits',
  'recipes',
  'sessions',
  'staff',
];

describe('migrations', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase('template0');
  });
  afterEach(() => test.drop());

  const tableNames = async (): Promise<string[]> => {
    const rows = await test
      .database('information_schema.tables')
      .where({ table_schema: 'public' })
      .orderBy('table_name')
      .select<{ table_name: string }[]>('table_name');
    return rows.map((row) => row.table_name);
  };

  it('bring an empty database up to date, each in its order', async () => {
    expect(await migrateUp(test.database)).to.deep.equal(migrations.map(({ name }) => name));
    expect(await tableNames()).to.have.members([...tables, ...ledgerTables]);
  });

  it('have names that sort in the order they run in', () => {
    const names = migrations.map(({ name }) => name);
    expect(names).to.deep.equal([...new Set(names)].sort());
  });

  it('do nothing when the database is up to date', async () => {
    await migrateUp(test.database);
    const before = await describeSchema(test.database);
    expect(await migrateUp(test.database)).to.deep.equal([]);
    expect(await describeSchema(test.database)).to.deep.equal(before);
  });

  it('leave nothing but their ledger when they are taken back, and can be run again', async () => {
    await migrateUp(test.database);
    const before = await describeSchema(test.database);
    await migrateDown(test.database);
    expect(await describeSchema(test.database)).to.deep.equal([]);
    expect(await tableNames()).to.have.members(ledgerTables);

    await migrateUp(test.database);
    expect(await describeSchema(test.database)).to.deep.equal(before);
  });

  it('each take back exactly what they made', async () => {
    for (const { name, migration } of migrations) {
      const before = await describeSchema(test.database);
      await migration.up(test.database);
      const made = await describeSchema(test.database);
      expect(made, `${name} up`).to.not.deep.equal(before);
      await migration.down?.(test.database);
      expect(await describeSchema(test.database), `${name} down`).to.deep.equal(before);
      await migration.up(test.database);
      expect(await describeSchema(test.database), `${name} up again`).to.deep.equal(made);
    }
  });

  it('can be taken back one by one while the tables hold leads', async () => {
    await migrateUp(test.database);
    await leadIntake(test.database, 'mail.example.com').takeIn(newLead({ idempotencyKey: 'a key' }));
    await migrateDown(test.database);
    expect(await tableNames()).to.have.members(ledgerTables);
  });

  it('run once when several processes start on an empty database together', async () => {
    const pools = Array.from({ length: 4 }, () =>
      connectDatabase({ url: test.url, applicationName: 'migrate', poolSize: 2 }),
    );
    try {
      const ran = await Promise.all(pools.map((pool) => migrateUp(pool)));
      expect(ran.flat()).to.have.members(migrations.map(({ name }) => name));
    } finally {
      await Promise.all(pools.map((pool) => pool.destroy()));
    }
  });
});
