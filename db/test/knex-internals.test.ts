import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import {
  acquireConnection,
  clientConverting,
  disposeConnection,
  poolOf,
  releaseConnection,
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

  describe('in a client that converts errors', () => {
    const found: { readonly error: unknown; readonly connection: pg.Client | undefined }[] = [];
    const converted = new Error('converted');
    const Client = clientConverting((error, connection) => {
      found.push({ error, connection });
      return converted;
    });
    const connect = (url: string): Knex =>
      knex({
        client: Client,
        connection: url,
        pool: { min: 0, max: 1 },
        acquireConnectionTimeout: 200,
        log: { warn: () => undefined },
      });
    let converting: Knex;
    beforeEach(() => {
      found.length = 0;
      converting = connect(test().url);
    });
    afterEach(() => converting.destroy());

    const statements: readonly (readonly [what: string, run: (db: Knex) => PromiseLike<unknown>])[] = [
      ['a raw statement', (db) => db.raw('select 1 / 0')],
      ['a built statement', (db) => db('nothing')],
      ['a statement of the schema', (db) => db.schema.dropTable('nothing')],
      ['a transaction', (db) => db.transaction((transaction) => transaction.raw('select 1 / 0'))],
      ['a nested transaction', (db) => db.transaction((outer) => outer.transaction((inner) => inner('nothing')))],
    ];
    for (const [what, run] of statements) {
      it(`convert the error of ${what} once, and pass its connection`, async () => {
        expect(await failure(run(converting))).to.equal(converted);
        expect(converted.message).to.equal('converted');
        expect(found).to.have.length(1);
        expect(found[0]?.error).to.be.instanceOf(pg.DatabaseError);
        expect(found[0]?.connection).to.be.instanceOf(pg.Client);
      });

      it(`convert the error of the pool for ${what}`, async () => {
        const holder = await converting.transaction();
        expect(await failure(run(converting))).to.equal(converted);
        await holder.rollback();
        expect(found).to.have.length(1);
        expect(found[0]?.connection).to.equal(undefined);
      });
    }

    it('convert the error of a server that refuses connections', async () => {
      const refused = connect('postgres://a:b@127.0.0.1:1/c');
      expect(await failure(refused.raw('select 1'))).to.equal(converted);
      await refused.destroy();
      expect(found[0]?.error).to.have.property('code', 'ECONNREFUSED');
    });

    it('keep the errors of our code and of statements that cannot be built', async () => {
      const own = new Error('our own');
      expect(await failure(converting.transaction(() => Promise.reject(own)))).to.equal(own);
      expect(await failure(converting('leads').where({ id: undefined }))).not.to.equal(converted);
      expect(found).to.deep.equal([]);
    });
  });
});
