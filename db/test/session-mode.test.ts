import { withTestDatabase } from '@dune-tide/testkit/database';
import { startTransactionPooler, type TransactionPooler } from '@dune-tide/testkit/transaction-pooler';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type pg from 'pg';
import { connectDatabase } from '../src/connection/connect.ts';
import { afterFailure } from '../src/connection/failed-statements.ts';
import { acquireConnection, releaseConnection } from '../src/connection/knex-internals.ts';
import { checkSessionMode, TransactionPoolingError } from '../src/connection/session-mode.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';
import { checkReadiness } from '../src/schema/readiness.ts';

describe('a pooler in front of the database', () => {
  const test = withTestDatabase();
  let pooler: TransactionPooler;
  let pooled: Knex;
  beforeEach(async () => {
    pooler = await startTransactionPooler(test().url);
    pooled = connectDatabase({ url: pooler.instead(test().appUrl), applicationName: 'test', poolSize: 2 });
  });
  afterEach(async () => {
    await pooled.destroy();
    await pooler.close();
  });

  const failure = (work: Promise<unknown>): Promise<unknown> => work.then(() => undefined).catch((error) => error);

  it('is detected if it gives each transaction another connection, whenever it is checked', async () => {
    for (let check = 0; check < 3; check++) {
      const error = await failure(checkReadiness(pooled));
      expect(error).to.be.instanceOf(TransactionPoolingError).and.instanceOf(DatabaseUnavailableError);
      expect((error as Error).message).to.equal('PgBouncer must be in session mode.');
    }
  });

  it('is not found where there is none, also by concurrent checks of a small pool', async () => {
    const direct = connectDatabase({ url: test().appUrl, applicationName: 'test', poolSize: 2 });
    try {
      await Promise.all(Array.from({ length: 6 }, () => checkSessionMode(direct)));
      await checkReadiness(direct);
    } finally {
      await direct.destroy();
    }
  });

  it('causes an outage by prepared statements of others, whose connections are not used again', async () => {
    const connections = [await acquireConnection(pooled), await acquireConnection(pooled)] as const;
    const [one, two] = connections;
    const run = (client: pg.Client) =>
      failure(
        client.query({ name: 'one', text: 'select 1' }).catch((error: unknown) => {
          throw afterFailure(client, error);
        }),
      );
    expect(await run(one)).to.equal(undefined);
    const isThere = await run(two);
    // The second connection keeps the prepared statement of the first.
    await two.query('begin');
    const isMissing = await run(one);
    for (const [error, code] of [
      [isThere, '42P05'],
      [isMissing, '26000'],
    ] as const) {
      expect(error).to.be.instanceOf(DatabaseUnavailableError);
      expect((error as Error).cause).to.include({ code });
    }
    for (const client of connections) {
      expect(client).to.have.property('__knex__disposed');
      await releaseConnection(pooled, client);
    }
  });
});
