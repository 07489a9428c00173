import { withTestDatabase } from '@dune-tide/testkit/database';
import { startTestProxy, type TestProxy } from '@dune-tide/testkit/proxy';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { connectDatabase, type TimeLimits } from '../src/connection/connect.ts';
import { runPrepared } from '../src/connection/prepared.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';

type Run = (db: Knex) => PromiseLike<unknown>;

/** Ways to run a statement that waits for the test. */
const ways: readonly (readonly [way: string, run: Run])[] = [
  ['a raw statement', (db) => db.raw('insert into slow_writes values (1)')],
  ['a built statement', (db) => db('slow_writes').insert({ id: 1 })],
  ['a prepared statement', (db) => runPrepared(db, { name: 'write', text: 'insert into slow_writes values (1)' }, [])],
  ['a transaction', (db) => db.transaction((transaction) => transaction('slow_writes').insert({ id: 1 }))],
  [
    'a nested transaction',
    (db) => db.transaction((outer) => outer.transaction((inner) => inner.raw('insert into slow_writes values (1)'))),
  ],
];

describe('a fault of the database', () => {
  const test = withTestDatabase();
  let proxy: TestProxy;
  let pool: Knex;
  before(async () => {
    proxy = await startTestProxy(test().url);
    await test().database.raw(`
      create table slow_writes (id integer);
      create function wait_for_the_test() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(1); return null; end
      $$;
      create trigger wait_for_the_test after insert on slow_writes execute function wait_for_the_test();
    `);
  });
  after(() => proxy.close());
  beforeEach(() => {
    proxy.rules = {};
    pool = connect(proxy.instead(test().url));
  });
  afterEach(() => pool.destroy());

  function connect(url: string, timeLimits: Partial<TimeLimits> = {}): Knex {
    const limits = { connect: 2_000, query: 10_000, statement: 10_000, lock: 10_000, ...timeLimits };
    return connectDatabase({ url, applicationName: 'test', poolSize: 1, timeLimits: limits });
  }

  async function expectUnavailable(run: Run, database: Knex): Promise<Error> {
    const error: unknown = await Promise.resolve(run(database)).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(DatabaseUnavailableError);
    expect((error as Error).message).to.equal('The database is unavailable.');
    return error as Error;
  }

  async function waiting(): Promise<number | undefined> {
    const { rows } = await test().database.raw<{ rows: { pid: number }[] }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    );
    return rows[0]?.pid;
  }

  /** Runs a statement that waits until it fails. @param fault - caused while it waits */
  const interrupt = (run: Run, database: Knex, fault?: (pid: number) => unknown): Promise<Error> =>
    test().database.transaction(async (holder) => {
      await holder.raw('select pg_advisory_xact_lock(1)');
      const interrupted = expectUnavailable(run, database);
      if (fault) await fault(await until('the statement waits', waiting));
      return interrupted;
    });

  /** Uses another pool for one test. */
  async function on(database: Knex, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } finally {
      await database.destroy();
    }
  }

  for (const [way, run] of ways) {
    describe(`during ${way}`, () => {
      it('throws a DatabaseUnavailableError if the pool is full', async () => {
        const full = connect(test().url, { connect: 200 });
        await on(full, async () => {
          const holder = await full.transaction();
          await expectUnavailable(run, full);
          await holder.rollback();
          await run(full);
        });
      });

      it('throws a DatabaseUnavailableError if the server refuses the connection', async () => {
        const refused = connect('postgres://a:b@127.0.0.1:1/c');
        await on(refused, async () => {
          const { cause } = await expectUnavailable(run, refused);
          expect(cause).to.have.property('code', 'ECONNREFUSED');
        });
      });

      it('throws a DatabaseUnavailableError if the connection is cut, and the next call succeeds', async () => {
        await interrupt(run, pool, () => proxy.drop());
        await run(pool);
      });

      it('throws a DatabaseUnavailableError if the server ends the session', async () => {
        await interrupt(run, pool, (pid) => test().database.raw('select pg_terminate_backend(?)', [pid]));
        await run(pool);
      });

      it('throws a DatabaseUnavailableError if a time limit of the driver or the server ends it', async () => {
        for (const limits of [{ query: 200 }, { statement: 200 }]) {
          const hurried = connect(test().url, limits);
          await on(hurried, async () => {
            await interrupt(run, hurried);
            await hurried.raw('select 1');
          });
        }
      });

      it('throws a DatabaseUnavailableError while it is read-only, and the next call succeeds', async () => {
        const name = new URL(test().url).pathname.slice(1);
        await test().database.raw(`alter database ${name} set default_transaction_read_only = on`);
        const readOnly = connect(test().url);
        await on(readOnly, async () => {
          try {
            expect((await expectUnavailable(run, readOnly)).cause).to.have.property('code', '25006');
          } finally {
            await test().database.raw(`alter database ${name} reset default_transaction_read_only`);
          }
          await run(readOnly);
        });
      });
    });
  }

  for (const [way, run] of ways.slice(-2)) {
    it(`throws a DatabaseUnavailableError if it cuts the COMMIT of ${way}`, async () => {
      for (const direction of ['to server', 'to client'] as const) {
        let isCommitting = false;
        proxy.rules = {
          judge: (chunk, where) => {
            if (where === 'to server') isCommitting = chunk.includes('COMMIT');
            return isCommitting && where === direction ? 'drop' : 'pass';
          },
        };
        await expectUnavailable(run, pool);
        proxy.rules = {};
      }
      await run(pool);
    });
  }

  it('is not an error that a deferred constraint raises at the COMMIT', async () => {
    await pool.raw('create table pairs (id integer unique deferrable initially deferred)');
    const error: unknown = await pool
      .transaction((transaction) => transaction('pairs').insert([{ id: 1 }, { id: 1 }]))
      .catch((reason: unknown) => reason);
    expect(error).to.have.property('code', '23505');
  });
});
