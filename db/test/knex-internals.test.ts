import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import {
  acquireConnection,
  disposeConnection,
  mapQueryErrors,
  poolOf,
  releaseConnection,
  wrapAcquisitions,
} from '../src/connection/knex-internals.ts';

describe('the internals of Knex', () => {
  const test = withTestDatabase();
  let pool: Knex;
  // A pool without the wrappers of `connectDatabase`, with one connection.
  beforeEach(() => {
    pool = knex({
      client: 'pg',
      connection: test().url,
      pool: { min: 0, max: 1 },
      log: { warn: () => undefined },
    });
  });
  afterEach(() => pool.destroy());

  const pidOf = async (db: Knex): Promise<number> => {
    const { rows } = await db.raw<{ rows: [{ pid: number }] }>('select pg_backend_pid() as pid');
    return rows[0].pid;
  };
  const failure = (query: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(query).then(
      () => expect.fail('The query succeeded'),
      (error: unknown) => error,
    );

  it('acquire a connection of the pool, which is reused after its release', async () => {
    const pid = await pidOf(pool);
    const connection = await acquireConnection(pool);
    const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
    expect(rows).to.deep.equal([{ pid }]);
    await releaseConnection(pool, connection);
    expect(await pidOf(pool)).to.equal(pid);
  });

  it('acquire the connection of a transaction, which stays in use after a release', async () => {
    await pool.transaction(async (transaction) => {
      const connection = await acquireConnection(transaction);
      const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
      expect(rows).to.deep.equal([{ pid: await pidOf(transaction) }]);
      await releaseConnection(transaction, connection);
      expect(poolOf(pool).numUsed()).to.equal(1);
    });
    expect(poolOf(pool).numUsed()).to.equal(0);
  });

  it('count the connections and the queries that wait for one', async () => {
    const counts = () => {
      const connections = poolOf(pool);
      return [connections.numUsed(), connections.numFree(), connections.numPendingAcquires()];
    };
    expect(counts()).to.deep.equal([0, 0, 0]);
    const connection = await acquireConnection(pool);
    const waiting = acquireConnection(pool);
    expect(counts()).to.deep.equal([1, 0, 1]);
    await releaseConnection(pool, connection);
    await releaseConnection(pool, await waiting);
    expect(counts()).to.deep.equal([0, 1, 0]);
  });

  it('close a marked connection instead of reusing it', async () => {
    const connection = await acquireConnection(pool);
    const ended = new Promise((resolve) => connection.once('end', resolve));
    disposeConnection(connection, new Error('unusable'));
    await releaseConnection(pool, connection);
    const next = await acquireConnection(pool);
    await releaseConnection(pool, next);
    expect(next === connection, 'the connection was reused').to.equal(false);
    await ended;
  });

  const statements: readonly (readonly [what: string, run: (db: Knex) => PromiseLike<unknown>])[] = [
    ['a raw statement', (db) => db.raw('select 1 / 0')],
    ['a built statement', (db) => db('nothing')],
    ['a transaction', (db) => db.transaction((transaction) => transaction.raw('select 1 / 0'))],
  ];
  for (const [what, run] of statements) {
    it(`pass ${what} through the wrapped acquisition`, async () => {
      const error = new Error('no connection');
      wrapAcquisitions(pool, async (acquisition) => {
        await releaseConnection(pool, await acquisition);
        throw error;
      });
      expect(await failure(run(pool))).to.equal(error);
    });

    it(`map the error of ${what}`, async () => {
      const connection = await acquireConnection(pool);
      const mapped = new Error('mapped');
      mapQueryErrors(connection, () => mapped);
      await releaseConnection(pool, connection);
      expect(await failure(run(pool))).to.equal(mapped);
    });
  }

  it('do not map the error of a query without a callback', async () => {
    const connection = await acquireConnection(pool);
    mapQueryErrors(connection, () => new Error('mapped'));
    expect(await failure(connection.query('select 1 / 0'))).to.have.property('code', '22012');
    await releaseConnection(pool, connection);
  });
});
