import { withTestDatabase } from '@dune-tide/e2e/support/database';
import { expect } from 'chai';
import pg from 'pg';
import { DatabaseUnavailableError, reachDatabase } from '../src/unavailable.ts';

const failure = (query: PromiseLike<unknown>): Promise<unknown> =>
  reachDatabase(query).then(
    () => expect.fail('It was answered'),
    (error: unknown) => error,
  );

describe('a database that refuses', () => {
  const test = withTestDatabase();
  /** Lets the server itself refuse with an SQLSTATE. */
  const raises = (code: string) =>
    failure(test().database.raw(`do $$ begin raise exception sqlstate '${code}'; end $$`));

  // Deadlock, serialization, read-only after a failover, too many connections, disk full, lock timeout, shutdown,
  // cancelled, protocol violation, wrong password, no such database, input/output.
  const passing = '40P01 40001 25006 53300 53100 55P03 57P01 57014 08P01 28P01 3D000 58030'.split(' ');
  for (const code of passing) {
    it(`is unavailable on ${code}`, async () => {
      const error = await raises(code);
      expect(error).to.be.instanceOf(DatabaseUnavailableError);
      expect((error as Error).cause).to.have.property('code', code);
    });
  }

  // Bad text, constraint, no such table, feature, raised by a trigger, two rows for one, internal.
  for (const code of '22021 23514 42P01 0A000 P0001 21000 XX000'.split(' ')) {
    it(`is at fault, or our statement is, on ${code}`, async () => {
      expect(await raises(code))
        .to.be.instanceOf(pg.DatabaseError)
        .with.property('code', code);
    });
  }

  it('is not waited for without end: 3 s for a lock, 3.75 s for a statement', async () => {
    for (const [limit, time] of Object.entries({ lock_timeout: '3s', statement_timeout: '3750ms' })) {
      const { rows } = await test().database.raw<{ rows: unknown[] }>(`show ${limit}`);
      expect(rows).to.deep.equal([{ [limit]: time }]);
    }
  });

  it('is not to blame for an error of our own code', async () => {
    const own = new TypeError('no such function');
    expect(await failure(test().database.transaction(() => Promise.reject(own)))).to.equal(own);
  });

  it('stays unavailable through a second look', async () => {
    const first = new DatabaseUnavailableError(new Error('away'));
    expect(await failure(Promise.reject(first))).to.equal(first);
  });
});
