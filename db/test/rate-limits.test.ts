import { withTestDatabase } from '@dune-tide/e2e/support/database';
import { expect } from 'chai';
import { openRateLimitDatabase } from '../src/rate-limits.ts';

const patientMs = 20_000;

describe('the table of the rate limits', () => {
  const test = withTestDatabase();
  const rows = (count: number, prefix: string, expire: number) =>
    Array.from({ length: count }, (_, index) => ({ key: `${prefix}:${index}`, points: 1, expire }));

  it('is cleared of the counts whose time is over, however many, by two processes at once', async () => {
    const { database, url } = test();
    await database.batchInsert('rate_limits', rows(2_500, 'over', Date.now() - 1));
    await database.batchInsert('rate_limits', rows(3, 'under way', Date.now() + 60_000));
    const opened = [1, 2].map(() => openRateLimitDatabase(url, patientMs));
    await Promise.all(opened.map((each) => each.clearExpired()));
    expect(await database('rate_limits').orderBy('key').pluck('key')).to.deep.equal([
      'under way:0',
      'under way:1',
      'under way:2',
    ]);
    await Promise.all(opened.map((each) => each.close()));
  });

  it('lets no statement take longer than its time, and goes on with the next', async () => {
    const limits = openRateLimitDatabase(test().url, 200);
    const error: unknown = await limits.query({ text: 'select pg_sleep(20)' }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Error);
    expect((await limits.query({ text: 'select 1 as one' })).rows).to.deep.equal([{ one: 1 }]);
    await limits.close();
  });

  it('does without a write-ahead log', async () => {
    const { rows: found } = await test().database.raw<{ rows: { relpersistence: string }[] }>(
      `select relpersistence from pg_class where oid = 'rate_limits'::regclass`,
    );
    expect(found).to.deep.equal([{ relpersistence: 'u' }]);
  });
});
