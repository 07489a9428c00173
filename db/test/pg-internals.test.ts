import { testService } from '@dune-tide/testkit/environment';
import { expect } from 'chai';
import pg from 'pg';
import { destroySocket } from '../src/connection/pg-internals.ts';

describe('the internals of pg', () => {
  it('close a connection immediately, which fails the query in progress', async () => {
    const client = new pg.Client({ connectionString: testService('TEST_DATABASE_URL') });
    client.on('error', () => undefined);
    await client.connect();
    const ended = new Promise((resolve) => client.once('end', resolve));
    const started = performance.now();
    const query = client.query('select pg_sleep(5)').then(
      () => expect.fail('The query succeeded'),
      (error: unknown) => error,
    );
    destroySocket(client);
    expect(await query)
      .to.be.instanceOf(Error)
      .and.not.instanceOf(pg.DatabaseError);
    await ended;
    expect(performance.now() - started).to.be.below(4_000);
  });
});
