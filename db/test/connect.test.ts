import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { connectDatabase } from '../src/connection/connect.ts';
import { poolUse } from '../src/connection/pool-use.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';
import { followUpClaims } from '../src/follow-ups/claims.ts';
import { openRateLimitDatabase } from '../src/rate-limits/points.ts';
import { checkReadiness } from '../src/schema/readiness.ts';

describe('a database that is read-only during a failover', () => {
  const test = withTestDatabase();
  const name = () => new URL(test().url).pathname.slice(1);
  const makeReadOnly = async (): Promise<void> => {
    await test().database.raw(`alter database ${name()} set default_transaction_read_only = on`);
  };
  const makeWritable = async (): Promise<void> => {
    await test().database.raw(`alter database ${name()} reset default_transaction_read_only`);
  };
  // This connection is opened while the database is writable, so it stays writable.
  beforeEach(() => test().database.raw('select'));
  afterEach(makeWritable);

  const errorOf = (result: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(result).then(
      () => expect.fail('The statement succeeded'),
      (error: unknown) => error,
    );
  /**
   * Calls the function during and after the failover, on a pool whose connections were opened during it.
   * @returns the error of the first call
   */
  async function failThenSucceed(call: (database: Knex) => Promise<unknown>, poolSize = 1): Promise<unknown> {
    await makeReadOnly();
    const database = connectDatabase({ url: test().url, applicationName: 'test', poolSize });
    try {
      const error = await errorOf(call(database));
      await makeWritable();
      await call(database);
      return error;
    } finally {
      await database.destroy();
    }
  }

  for (const [way, write] of [
    ['a statement', async (database: Knex) => database('sessions').delete()],
    ['a transaction', (database: Knex) => database.transaction((transaction) => transaction('sessions').delete())],
  ] as const) {
    it(`accepts ${way} after the failover, on a pool that was opened during it`, async () => {
      expect(await failThenSucceed(write)).to.have.nested.property('cause.code', '25006');
    });
  }

  it('rejects only one statement after the failover, although several connections are read-only', async () => {
    await makeReadOnly();
    const database = connectDatabase({ url: test().url, applicationName: 'test', poolSize: 4 });
    const settleAll = <Result>(call: () => PromiseLike<Result>): Promise<PromiseSettledResult<Result>[]> =>
      Promise.allSettled(Array.from({ length: 4 }, call));
    try {
      // Held open until all have started, so that each opens a connection.
      const transactions = await Promise.all(Array.from({ length: 4 }, () => database.transaction()));
      await Promise.all(transactions.map((transaction) => transaction.rollback()));
      expect(poolUse(database)).to.deep.equal({ used: 0, free: 4, waiting: 0 });
      await makeWritable();
      const write = () => database('sessions').delete();
      expect(await errorOf(write())).to.have.nested.property('cause.code', '25006');
      expect((await settleAll(write)).map(({ status }) => status)).to.deep.equal(Array(4).fill('fulfilled'));
    } finally {
      await database.destroy();
    }
  });

  it('is not ready until the failover ends', async () => {
    expect(await failThenSucceed(checkReadiness, 2)).to.be.instanceOf(DatabaseUnavailableError);
  });

  it('is unavailable to the sweep until the failover ends', async () => {
    expect(await failThenSucceed((database) => followUpClaims(database).check())).to.be.instanceOf(
      DatabaseUnavailableError,
    );
  });

  it('counts rate limits after the failover', async () => {
    await makeReadOnly();
    const limits = openRateLimitDatabase(test().url, 20_000);
    const count = () => limits.takePoints([{ key: 'a form:192.0.2.1', limit: 1, milliseconds: 60_000 }]);
    try {
      expect(await errorOf(count())).to.be.instanceOf(DatabaseUnavailableError);
      await makeWritable();
      expect(await count()).to.deep.equal([]);
    } finally {
      await limits.close();
    }
  });
});
