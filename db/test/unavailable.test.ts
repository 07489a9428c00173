import { createServer, type AddressInfo, type Socket } from 'node:net';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import type { Knex } from 'knex';
import pg from 'pg';
import { connectDatabase, servingLimits } from '../src/connection/connect.ts';
import { acquireConnection } from '../src/connection/knex-internals.ts';
import { destroySocket } from '../src/connection/pg-internals.ts';
import { DatabaseUnavailableError, NotMigratedError } from '../src/connection/unavailable.ts';
import { openRateLimitDatabase } from '../src/rate-limits/points.ts';

const failure = (query: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(query).then(
    () => expect.fail('The query succeeded'),
    (error: unknown) => error,
  );

/** For connections that the server or the pool does not give. */
const hurried = { ...servingLimits, connect: 300 };

describe('a statement that fails', () => {
  const test = withTestDatabase();
  /** Makes the server raise an error with an SQLSTATE. */
  const raises = (code: string) =>
    failure(test().database.raw(`do $$ begin raise exception sqlstate '${code}'; end $$`));

  // Deadlock, serialization failure, read-only transaction, too many connections, disk full, lock timeout, shutdown,
  // cancelled query, protocol violation, wrong password, unknown database, input/output error, prepared statements of
  // others.
  const passing = '40P01 40001 25006 53300 53100 55P03 57P01 57014 08P01 28P01 3D000 58030 26000 42P05'.split(' ');
  for (const code of passing) {
    it(`throws a DatabaseUnavailableError on ${code}`, async () => {
      const error = await raises(code);
      expect(error).to.be.instanceOf(DatabaseUnavailableError);
      expect((error as Error).cause).to.have.property('code', code);
    });
  }

  it('throws a NotMigratedError if a table is missing', async () => {
    expect(await failure(test().database('nothing'))).to.be.instanceOf(NotMigratedError);
  });

  // Invalid text, constraint violation, unknown column, unsupported feature, exception of a trigger, several rows for
  // one, internal error.
  for (const code of '22021 23514 42703 0A000 P0001 21000 XX000'.split(' ')) {
    it(`throws the error of the server unchanged on ${code}`, async () => {
      expect(await raises(code))
        .to.be.instanceOf(pg.DatabaseError)
        .with.property('code', code);
    });
  }

  it('waits for at most 3 s for a lock and 3.75 s for a statement', async () => {
    const pool = connectDatabase({ url: test().url, applicationName: 'test', poolSize: 1 });
    for (const [limit, time] of Object.entries({ lock_timeout: '3s', statement_timeout: '3750ms' })) {
      const { rows } = await pool.raw<{ rows: unknown[] }>(`show ${limit}`);
      expect(rows).to.deep.equal([{ [limit]: time }]);
    }
    await pool.destroy();
  });

  it('throws a TypeError of our code unchanged', async () => {
    const own = new TypeError('no such function');
    expect(await failure(test().database.transaction(() => Promise.reject(own)))).to.equal(own);
  });

  it('throws a plain error of our code in a transaction unchanged', async () => {
    const own = new Error('our own');
    expect(await failure(test().database.transaction(() => Promise.reject(own)))).to.equal(own);
  });

  it('throws the error of Knex unchanged if it cannot build the statement', async () => {
    const error = await failure(test().database('leads').where({ id: undefined }));
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(DatabaseUnavailableError);
  });

  it('throws a DatabaseUnavailableError if the server closes the connection, idle or not', async () => {
    const own = `select pg_terminate_backend(pg_backend_pid())`;
    expect(await failure(test().database.raw(own))).to.be.instanceOf(DatabaseUnavailableError);
    const between = test().database.transaction(async (transaction) => {
      const client = await acquireConnection(transaction);
      const ended = new Promise((resolve) => client.once('end', resolve));
      await test().database.raw('select pg_terminate_backend(?)', [await pidOf(transaction)]);
      await ended;
      await transaction.raw('select 1');
    });
    expect(await failure(between)).to.be.instanceOf(DatabaseUnavailableError);
  });

  it('throws a DatabaseUnavailableError if the connection breaks', async () => {
    const broken = test().database.transaction(async (transaction) => {
      const client = await acquireConnection(transaction);
      const sleeping = transaction.raw('select pg_sleep(3)');
      setImmediate(() => destroySocket(client));
      await sleeping;
    });
    expect(await failure(broken)).to.be.instanceOf(DatabaseUnavailableError);
  });

  it('throws a DatabaseUnavailableError if a server is silent, hangs up or does not support SSL', async () => {
    const servers = {
      silent: () => undefined,
      closing: (socket: Socket) => socket.end(),
      plain: (socket: Socket) => socket.end('N'),
    };
    for (const [name, greet] of Object.entries(servers)) {
      const sockets = new Set<Socket>();
      const server = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('data', () => greet(socket));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const ssl = name === 'plain' ? '?sslmode=verify-full' : '';
      const url = `postgres://a:b@127.0.0.1:${port}/c${ssl}`;
      const pool = connectDatabase({ url, applicationName: 'test', poolSize: 1, timeLimits: hurried });
      const limits = openRateLimitDatabase(url, 200);
      try {
        expect(await failure(pool.raw('select 1')), name).to.be.instanceOf(DatabaseUnavailableError);
        expect(await failure(pool.transaction(async () => undefined)), name).to.be.instanceOf(DatabaseUnavailableError);
        expect(await failure(limits.takePoints([])), name).to.be.instanceOf(DatabaseUnavailableError);
      } finally {
        for (const socket of sockets) socket.destroy();
        await pool.destroy();
        await limits.close();
        await new Promise((resolve) => server.close(resolve));
      }
    }
  });

  it('throws a DatabaseUnavailableError if no connection is free, and after the pool was closed', async () => {
    const pool = connectDatabase({ url: test().url, applicationName: 'test', poolSize: 1, timeLimits: hurried });
    const holder = await pool.transaction();
    expect(await failure(pool.raw('select 1'))).to.be.instanceOf(DatabaseUnavailableError);
    await holder.rollback();
    await pool.destroy();
    expect(await failure(pool.raw('select 1'))).to.be.instanceOf(DatabaseUnavailableError);
  });
});

async function pidOf(transaction: Knex.Transaction): Promise<number> {
  const { rows } = await transaction.raw<{ rows: [{ pid: number }] }>('select pg_backend_pid() as pid');
  return rows[0].pid;
}
