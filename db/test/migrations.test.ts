import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Knex } from 'knex';
import pg from 'pg';
import { connectDatabase, connectForMaintenance } from '../src/connection/connect.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { createIndex, type LargeIndex } from '../src/schema/large-indexes.ts';
import { MigrationHistoryError, migrateTo, migrateUp, oneTry, upgradeFirst } from '../src/schema/migrate.ts';
import { migrations, type NamedMigration } from '../src/schema/migrations.ts';
import { previousRelease, requiredStop } from '../src/schema/releases.ts';
import { newLead } from './rows.ts';
import { describeSchema, ledgerTables } from './schema.ts';

const tables = [
  'account_notices',
  'audit_log',
  'audit_origins',
  'bulk_requests',
  'device_failures',
  'digest_entries',
  'email_opt_outs',
  'email_texts',
  'erasure_notices',
  'erasure_skips',
  'erasures',
  'follow_up_counts',
  'follow_ups',
  'known_devices',
  'lead_counts',
  'lead_events',
  'lead_notifications',
  'lead_reminders',
  'lead_replies',
  'lead_search',
  'lead_search_builds',
  'lead_views',
  'leads',
  'notice_texts',
  'passkeys',
  'pending_emails',
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

const last = migrations.at(-1)?.name ?? '';
const madeUpName = '20991231-01-made-up';

/** Returns the migrations and a later one, which changes `leads` unless it is given. */
function madeUp(
  migration: Partial<NamedMigration['migration']> = {},
  largeIndexes: readonly LargeIndex[] = [],
): readonly NamedMigration[] {
  const up = (db: Knex) => db.schema.alterTable('leads', (table) => table.text('made_up'));
  const down = (db: Knex) => db.schema.alterTable('leads', (table) => table.dropColumn('made_up'));
  return [...migrations, { name: madeUpName, migration: { up, down, largeIndexes, ...migration } }];
}

describe('migrations of an empty database', () => {
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

  it('bring an empty database up to date, in order', async () => {
    expect(await migrateUp(test.database)).to.deep.equal({ run: migrations.map(({ name }) => name), later: [] });
    expect(await tableNames()).to.have.members([...tables, ...ledgerTables]);
  });

  it('each revert exactly what they created', async () => {
    await migrateTo(test.database, requiredStop.lastMigration);
    await leadIntake(test.database, 'mail.example.com').storeLead(newLead({ idempotencyKey: 'a key' }));
    for (const { name, migration } of migrations.filter((each) => each.name > requiredStop.lastMigration)) {
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
});

describe('migrations', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  it('have names that sort in the order in which they run', () => {
    const names = migrations.map(({ name }) => name);
    expect(names).to.deep.equal([...new Set(names)].sort());
  });

  it('do nothing if the database is up to date', async () => {
    const before = await describeSchema(test.database);
    expect(await migrateUp(test.database)).to.deep.equal({ run: [], later: [] });
    expect(await describeSchema(test.database)).to.deep.equal(before);
  });

  describe('on a database with other migrations', () => {
    const later = '20991231-99-later';
    const ledger = () => test.database<{ name: string; batch: number; migration_time: Date }>('schema_migrations');
    const addLater = () => ledger().insert({ name: later, batch: 2, migration_time: new Date() });

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

    it('fail if the last one is missing and a later release has run', async () => {
      await ledger()
        .where({ name: migrations.at(-1)?.name ?? '' })
        .update({ name: later });
      const before = await describeSchema(test.database);
      const refusal: unknown = await migrateUp(test.database).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(MigrationHistoryError);
      expect(await describeSchema(test.database)).to.deep.equal(before);
    });

    for (const [what, change] of [
      ['is older than the required stop', () => ledger().where('name', '>', '20261125-14-email-bounds').delete()],
      ['misses one of its migrations', () => ledger().where('name', 'like', '20261121-03-%').delete()],
      ['has another in their place', () => ledger().where('name', 'like', '20261121-03-%').update({ name: later })],
    ] as const) {
      it(`name the required stop if the database ${what}`, async () => {
        await change();
        const before = [await describeSchema(test.database), await ledger()];
        for (const attempt of [
          () => migrateUp(test.database),
          () => migrateTo(test.database, previousRelease.lastMigration),
        ]) {
          const refusal: unknown = await attempt().catch((error: unknown) => error);
          expect(refusal).to.be.instanceOf(MigrationHistoryError).with.property('message', upgradeFirst);
        }
        expect([await describeSchema(test.database), await ledger()]).to.deep.equal(before);
      });
    }
  });

  it('go back no further than the required stop', async () => {
    const before = await describeSchema(test.database);
    const refusal: unknown = await migrateTo(test.database, '20261125-14-email-bounds').catch(
      (error: unknown) => error,
    );
    expect(refusal).to.be.instanceOf(RangeError);
    expect(await describeSchema(test.database)).to.deep.equal(before);
  });

  it('throw the error of PostgreSQL, and not a NotMigratedError, if a table is missing', async () => {
    await test.database.schema.dropTable('rate_limits');
    const dropping = madeUp({ down: (db) => db.schema.alterTable('rate_limits', (table) => table.dropColumn('key')) });
    await migrateUp(test.database, undefined, dropping);
    const error: unknown = await migrateTo(test.database, last, undefined, dropping).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(pg.DatabaseError).with.property('code', '42P01');
  });

  describe('behind a session that holds a lock, like a backup', () => {
    const chain = madeUp();
    const storeLead = () => leadIntake(test.database, 'mail.example.com').storeLead(newLead());
    const isWaiting = async (): Promise<boolean> => {
      const { rows } = await test.database.raw<{ rows: unknown[] }>(
        `select from pg_locks where relation = 'leads'::regclass and mode = 'AccessExclusiveLock' and not granted`,
      );
      return rows.length > 0;
    };
    beforeEach(() => migrateUp(test.database, undefined, chain));

    it('let visitors store leads between their attempts, and run after the lock is released', async () => {
      const maintenance = connectForMaintenance({ url: test.url, applicationName: 'migrate' });
      try {
        const migrating = await test.database.transaction(async (holder) => {
          await holder.raw('lock table leads in access share mode');
          const result = Promise.allSettled([migrateTo(maintenance, last, undefined, chain)]);
          await until('the migration waits', isWaiting);
          // The insert queues behind the migration until the first attempt ends.
          expect(await storeLead()).to.include({ outcome: 'stored' });
          return { result };
        });
        expect(await migrating.result).to.deep.equal([
          { status: 'fulfilled', value: { run: [], takenBack: [madeUpName] } },
        ]);
        expect(await test.database('leads')).to.have.length(1);
      } finally {
        await maintenance.destroy();
      }
    });

    it('cannot deadlock with the intake on the way back, whatever they change first', async () => {
      const maintenance = connectForMaintenance({ url: test.url, applicationName: 'migrate' });
      const back = madeUp({
        down: async (db) => {
          await db.raw('lock table follow_ups in access exclusive mode');
          await db.schema.alterTable('leads', (table) => table.dropColumn('made_up'));
        },
      });
      try {
        const migrating = await test.database.transaction(async (visit) => {
          // PostgreSQL cancels this transaction, not the migration, if both wait for each other.
          await visit.raw(`set local deadlock_timeout = '1ms'`);
          await visit.raw('lock table leads in row exclusive mode');
          const result = Promise.allSettled([migrateTo(maintenance, last, undefined, back)]);
          await until('the migration waits', isWaiting);
          await visit.raw('lock table follow_ups in row exclusive mode');
          return { result };
        });
        expect(await migrating.result).to.have.nested.property('[0].status', 'fulfilled');
      } finally {
        await maintenance.destroy();
      }
    });

    it('fail after the last attempt, without a change', async () => {
      const before = await describeSchema(test.database);
      await test.database.transaction(async (holder) => {
        await holder.raw('lock table leads in access share mode');
        const patience = { waitMs: 50, pauseMs: 50, triesForMs: 300 };
        const error = await migrateTo(test.database, last, patience, chain).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(pg.DatabaseError).with.property('code', '55P03');
      });
      expect(await describeSchema(test.database)).to.deep.equal(before);
    });
  });

  describe('with an index on a table that is in use', () => {
    const index = 'leads_made_up';
    const large: LargeIndex = { name: index, table: 'leads', isUnique: false, columns: '(email)' };
    const chain = madeUp({ up: async (db) => void (await db.raw(createIndex(large))) }, [large]);
    const run = [madeUpName];
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
      const line = 'index CREATE INDEX leads_made_up ON public.leads USING btree (email)';
      whole = [...(await describeSchema(test.database)), line, 'relation i leads_made_up'].sort();
      await storeLead();
    });

    /** Leaves an invalid index: the build times out while it waits for a visitor's transaction. */
    async function interruptBuild(): Promise<void> {
      const visit = await test.database.transaction();
      await visit('leads').update({ updated_at: visit.fn.now() });
      const error: unknown = await migrateUp(test.database, oneTry(50), chain).catch((reason: unknown) => reason);
      await visit.rollback();
      expect(error).to.be.instanceOf(pg.DatabaseError).with.property('code', '55P03');
      expect(await states(), 'an invalid index').to.deep.equal([false]);
    }

    it('build the index while leads are stored, before a migration locks a table', async () => {
      const old = await test.database.transaction(undefined, { isolationLevel: 'repeatable read' });
      await old('leads').first('id');
      const migrating = migrateUp(test.database, undefined, chain);
      await until('the build waits for older transactions', async () => (await states()).length > 0);
      expect(await storeLead()).to.include({ outcome: 'stored' });
      await old.rollback();
      expect(await migrating).to.deep.equal({ run, later: [] });
      expect(await states()).to.deep.equal([true]);
      expect((await describeSchema(test.database)).sort()).to.deep.equal(whole);
    });

    it('replace the invalid index of an interrupted build', async () => {
      await interruptBuild();
      expect(await storeLead()).to.include({ outcome: 'stored' });
      expect(await migrateUp(test.database, undefined, chain)).to.deep.equal({ run, later: [] });
      expect(await states()).to.deep.equal([true]);
    });

    it('replace the invalid index of an interrupted build, even in the transaction of a restore', async () => {
      await interruptBuild();
      expect(await test.database.transaction((transaction) => migrateUp(transaction, undefined, chain))).to.deep.equal({
        run,
        later: [],
      });
      expect(await states()).to.deep.equal([true]);
      expect((await describeSchema(test.database)).sort()).to.deep.equal(whole);
    });

    it('build the index only once if several processes migrate', async () => {
      const patience = { waitMs: 2_000, pauseMs: 50, triesForMs: 20_000 };
      const pools = Array.from({ length: 3 }, () =>
        connectForMaintenance({ url: test.url, applicationName: 'migrate' }),
      );
      try {
        const ran = await Promise.all(pools.map((pool) => migrateUp(pool, patience, chain)));
        expect(ran.flatMap((each) => each.run)).to.deep.equal(run);
        expect(await states()).to.deep.equal([true]);
      } finally {
        await Promise.all(pools.map((pool) => pool.destroy()));
      }
    });
  });
});
