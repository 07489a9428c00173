import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import pg from 'pg';
import { connectDatabase, connectForMaintenance } from '../src/connection/connect.ts';
import { leadIntake } from '../src/leads/intake.ts';
import {
  MigrationHistoryError,
  migrateTo,
  migrateUp,
  migrations,
  migratorConfig,
  oneTry,
} from '../src/schema/migrate.ts';
import { newLead } from './rows.ts';
import { describeSchema, ledgerTables } from './schema.ts';

const tables = [
  'account_notices',
  'audit_log',
  'bulk_requests',
  'digest_entries',
  'email_opt_outs',
  'email_texts',
  'erasures',
  'follow_up_counts',
  'follow_ups',
  'lead_counts',
  'lead_events',
  'lead_reminders',
  'lead_replies',
  'lead_search',
  'lead_views',
  'leads',
  'notice_texts',
  'passkeys',
  'pending_sign_ins',
  'rate_limits',
  'recent_emails',
  'recipes',
  'recovery_codes',
  'sessions',
  'staff',
  'totp_factors',
  'webhook_events',
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

  const takeAllBack = () => test.database.migrate.rollback(migratorConfig, true);

  it('bring an empty database up to date, in order', async () => {
    expect(await migrateUp(test.database)).to.deep.equal({ run: migrations.map(({ name }) => name), later: [] });
    expect(await tableNames()).to.have.members([...tables, ...ledgerTables]);
  });

  it('have names that sort in the order in which they run', () => {
    const names = migrations.map(({ name }) => name);
    expect(names).to.deep.equal([...new Set(names)].sort());
  });

  it('do nothing if the database is up to date', async () => {
    await migrateUp(test.database);
    const before = await describeSchema(test.database);
    expect(await migrateUp(test.database)).to.deep.equal({ run: [], later: [] });
    expect(await describeSchema(test.database)).to.deep.equal(before);
  });

  it('leave only the tables of Knex after a revert, and can run again', async () => {
    await migrateUp(test.database);
    const before = await describeSchema(test.database);
    await takeAllBack();
    expect(await describeSchema(test.database)).to.deep.equal([]);
    expect(await tableNames()).to.have.members(ledgerTables);

    await migrateUp(test.database);
    expect(await describeSchema(test.database)).to.deep.equal(before);
  });

  it('each revert exactly what they created', async () => {
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

  it('can be reverted while there are leads', async () => {
    await migrateUp(test.database);
    await leadIntake(test.database, 'mail.example.com').storeLead(newLead({ idempotencyKey: 'a key' }));
    await takeAllBack();
    expect(await tableNames()).to.have.members(ledgerTables);
  });

  it('run once if several processes start concurrently on an empty database', async () => {
    const pools = Array.from({ length: 4 }, () =>
      connectDatabase({ url: test.url, applicationName: 'migrate', poolSize: 2 }),
    );
    try {
      const ran = await Promise.all(pools.map((pool) => migrateUp(pool)));
      expect(ran.flatMap(({ run }) => run)).to.have.members(migrations.map(({ name }) => name));
    } finally {
      await Promise.all(pools.map((pool) => pool.destroy()));
    }
  });

  describe('on a database with other migrations', () => {
    const later = '20991231-99-later';
    const ledger = () => test.database<{ name: string; batch: number; migration_time: Date }>('schema_migrations');
    const addLater = () => ledger().insert({ name: later, batch: 2, migration_time: new Date() });
    beforeEach(() => migrateUp(test.database));

    it('do nothing if a later release has run, and return the names of its migrations', async () => {
      await addLater();
      const before = await describeSchema(test.database);
      expect(await migrateUp(test.database)).to.deep.equal({ run: [], later: [later] });
      expect(await describeSchema(test.database)).to.deep.equal(before);
    });

    it('revert nothing if a later release has run', async () => {
      await addLater();
      for (const { name } of migrations.slice(-2)) {
        const refusal: unknown = await migrateTo(test.database, name).catch((error: unknown) => error);
        expect(refusal).to.be.instanceOf(MigrationHistoryError);
        expect(String(refusal)).to.include(later);
      }
      expect(await ledger()).to.have.length(migrations.length + 1);
    });

    for (const [what, change] of [
      [
        'one is missing in the middle',
        () =>
          ledger()
            .where({ name: migrations[2]?.name ?? '' })
            .delete(),
      ],
      [
        'the last one is missing and a later release has run',
        () =>
          ledger()
            .where({ name: migrations.at(-1)?.name ?? '' })
            .update({ name: later }),
      ],
    ] as const) {
      it(`fail if ${what}`, async () => {
        await change();
        const before = await describeSchema(test.database);
        const refusal: unknown = await migrateUp(test.database).catch((error: unknown) => error);
        expect(refusal).to.be.instanceOf(MigrationHistoryError);
        expect(await describeSchema(test.database)).to.deep.equal(before);
      });
    }
  });

  it('throw the error of PostgreSQL, and not a NotMigratedError, if a table is missing', async () => {
    await migrateUp(test.database);
    await test.database.schema.dropTable('rate_limits');
    const error: unknown = await migrateTo(test.database, migrations[0]?.name ?? '').catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(pg.DatabaseError).with.property('code', '42P01');
  });

  describe('behind a session that holds a lock, like a backup', () => {
    const names = migrations.map(({ name }) => name);
    /** A later migration changes the table `leads`, so a revert to this one waits for a lock on the table. */
    const stays = '20261121-10-message-ids';
    const takenBack = names.slice(names.indexOf(stays) + 1).toReversed();
    const storeLead = () => leadIntake(test.database, 'mail.example.com').storeLead(newLead());
    const isWaiting = async (): Promise<boolean> => {
      const { rows } = await test.database.raw<{ rows: unknown[] }>(
        `select from pg_locks where relation = 'leads'::regclass and mode = 'AccessExclusiveLock' and not granted`,
      );
      return rows.length > 0;
    };
    beforeEach(() => migrateUp(test.database));

    it('let visitors store leads between their attempts, and run after the lock is released', async () => {
      const maintenance = connectForMaintenance({ url: test.url, applicationName: 'migrate' });
      try {
        const migrating = await test.database.transaction(async (holder) => {
          await holder.raw('lock table leads in access share mode');
          const result = Promise.allSettled([migrateTo(maintenance, stays)]);
          await until('the migration waits', isWaiting);
          // The insert queues behind the migration until the first attempt ends.
          expect(await storeLead()).to.include({ outcome: 'stored' });
          return { result };
        });
        expect(await migrating.result).to.deep.equal([{ status: 'fulfilled', value: { run: [], takenBack } }]);
        expect(await test.database('leads')).to.have.length(1);
      } finally {
        await maintenance.destroy();
      }
    });

    it('fail after the last attempt, without a change', async () => {
      const before = await describeSchema(test.database);
      await test.database.transaction(async (holder) => {
        await holder.raw('lock table leads in access share mode');
        const patience = { waitMs: 50, pauseMs: 50, triesForMs: 300 };
        const error = await migrateTo(test.database, stays, patience).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(pg.DatabaseError).with.property('code', '55P03');
      });
      expect(await describeSchema(test.database)).to.deep.equal(before);
    });
  });

  describe('with an index on a table that is in use', () => {
    const before = '20261123-12-retried-at';
    const index = 'follow_ups_once_per_lead';
    const run = migrations.map(({ name }) => name).filter((name) => name > before);
    const storeLead = () => leadIntake(test.database, 'mail.example.com').storeLead(newLead());
    const states = async (): Promise<boolean[]> => {
      const { rows } = await test.database.raw<{ rows: { isValid: boolean }[] }>(
        `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(?)`,
        [index],
      );
      return rows.map(({ isValid }) => isValid);
    };
    let whole: string[];
    beforeEach(async () => {
      await migrateUp(test.database);
      whole = await describeSchema(test.database);
      await migrateTo(test.database, before);
      await storeLead();
    });

    /** Leaves an invalid index: the build times out while it waits for a visitor's transaction. */
    async function interruptBuild(): Promise<void> {
      const visit = await test.database.transaction();
      await visit('leads').update({ updated_at: visit.fn.now() });
      await visit('follow_ups').update({ updated_at: visit.fn.now() });
      const error: unknown = await migrateUp(test.database, oneTry(50)).catch((reason: unknown) => reason);
      await visit.rollback();
      expect(error).to.be.instanceOf(pg.DatabaseError).with.property('code', '55P03');
      expect(await states(), 'an invalid index').to.deep.equal([false]);
    }

    it('build the index while leads are stored, before a migration locks a table', async () => {
      const old = await test.database.transaction(undefined, { isolationLevel: 'repeatable read' });
      await old('leads').first('id');
      const migrating = migrateUp(test.database);
      await until('the build waits for older transactions', async () => (await states()).length > 0);
      expect(await storeLead()).to.include({ outcome: 'stored' });
      await old.rollback();
      expect(await migrating).to.deep.equal({ run, later: [] });
      expect(await states()).to.deep.equal([true]);
      expect(await describeSchema(test.database)).to.deep.equal(whole);
    });

    it('replace the invalid index of an interrupted build', async () => {
      await interruptBuild();
      expect(await storeLead()).to.include({ outcome: 'stored' });
      expect(await migrateUp(test.database)).to.deep.equal({ run, later: [] });
      expect(await states()).to.deep.equal([true]);
    });

    it('replace the invalid index of an interrupted build, even in the transaction of a restore', async () => {
      await interruptBuild();
      expect(await test.database.transaction((transaction) => migrateUp(transaction))).to.deep.equal({
        run,
        later: [],
      });
      expect(await states()).to.deep.equal([true]);
      expect(await describeSchema(test.database)).to.deep.equal(whole);
    });

    it('build the index only once if several processes migrate', async () => {
      const patience = { waitMs: 2_000, pauseMs: 50, triesForMs: 20_000 };
      const pools = Array.from({ length: 3 }, () =>
        connectForMaintenance({ url: test.url, applicationName: 'migrate' }),
      );
      try {
        const ran = await Promise.all(pools.map((pool) => migrateUp(pool, patience)));
        expect(ran.flatMap((each) => each.run)).to.deep.equal(run);
        expect(await states()).to.deep.equal([true]);
      } finally {
        await Promise.all(pools.map((pool) => pool.destroy()));
      }
    });
  });
});
