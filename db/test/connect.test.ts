import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { connectDatabase } from '../src/connect.ts';
import { followUpClaims } from '../src/follow-up-claims.ts';
import { poolUse } from '../src/pool-use.ts';
import { openRateLimitDatabase } from '../src/rate-limits.ts';
import { checkReadiness } from '../src/readiness.ts';
import { DatabaseUnavailableError } from '../src/unavailable.ts';

describe('a database that only reads for a while, as one does that another server takes over from', () => {
  const test = withTestDatabase();
  const name = () => new URL(test().url).pathname.slice(1);
  const readsOnly = async (): Promise<void> => {
    await test().database.raw(`alter database ${name()} set default_transaction_read_only = on`);
  };
  const writesAgain = async (): Promise<void> => {
    await test().database.raw(`alter database ${name()} reset default_transaction_read_only`);
  };
  // Opened while it writes, so that it still does.
  beforeEach(() => test().database.raw('select'));
  afterEach(writesAgain);

  const refusal = (answer: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(answer).then(
      () => expect.fail('It was written'),
      (error: unknown) => error,
    );
  /** On a pool of one connection, which is opened while the database only reads. */
  async function refusedThenTaken(ask: (database: Knex) => Promise<unknown>): Promise<unknown> {
    await readsOnly();
    const database = connectDatabase({ url: test().url, applicationName: 'test', poolSize: 1 });
    try {
      const refused = await refusal(ask(database));
      await writesAgain();
      await ask(database);
      return refused;
    } finally {
      await database.destroy();
    }
  }
  const points = { key: 'a form:192.0.2.1', points: 1, milliseconds: 60_000 };

  for (const [way, write] of [
    ['a statement', async (database: Knex) => database('sessions').delete()],
    ['a transaction', (database: Knex) => database.transaction((transaction) => transaction('sessions').delete())],
  ] as const) {
    it(`takes ${way} once it writes again, on a pool of then`, async () => {
      expect(await refusedThenTaken(write)).to.have.property('code', '25006');
    });
  }

  it('refuses one statement, not one for each connection of then, where nobody asked meanwhile', async () => {
    await readsOnly();
    const database = connectDatabase({ url: test().url, applicationName: 'test', poolSize: 4 });
    // Each takes a connection of its own.
    const together = <Result>(ask: () => PromiseLike<Result>): Promise<PromiseSettledResult<Result>[]> =>
      Promise.allSettled(Array.from({ length: 4 }, ask));
    try {
      await together(() => database.raw('select pg_sleep(0.2)'));
      expect(poolUse(database)).to.deep.equal({ used: 0, free: 4, waiting: 0 });
      await writesAgain();
      const write = () => database('sessions').delete();
      expect(await refusal(write())).to.have.property('code', '25006');
      expect((await together(write)).map(({ status }) => status)).to.deep.equal(Array(4).fill('fulfilled'));
    } finally {
      await database.destroy();
    }
  });

  it('is not ready for so long, and then is, with nobody else to use the pool', async () => {
    expect(await refusedThenTaken(checkReadiness)).to.be.instanceOf(DatabaseUnavailableError);
  });

  it('keeps the sweep waiting for so long, as one that does not answer does', async () => {
    expect(await refusedThenTaken((database) => followUpClaims(database).check())).to.be.instanceOf(
      DatabaseUnavailableError,
    );
  });

  it('counts for the limits once it writes again', async () => {
    await readsOnly();
    const limits = openRateLimitDatabase(test().url, 20_000);
    try {
      expect(await refusal(limits.add(points))).to.be.instanceOf(DatabaseUnavailableError);
      await writesAgain();
      expect(await limits.add(points)).to.include({ points: 1 });
    } finally {
      await limits.close();
    }
  });
});
