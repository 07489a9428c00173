import { withTestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';
import { leadIntake } from '../src/leads/intake.ts';
import { openRateLimitDatabase } from '../src/rate-limits/points.ts';
import { newLead } from './rows.ts';

const patientMs = 20_000;

const quotaOf = (key: string, limit: number, milliseconds: number) => ({
  key,
  limit,
  retryLimit: 2 * limit,
  points: 1,
  milliseconds,
});

describe('the table of the rate limits', () => {
  const test = withTestDatabase();
  beforeEach(() => test().database('rate_limits').delete());

  const rows = (count: number, prefix: string, expire: number) =>
    Array.from({ length: count }, (_, index) => ({ key: `${prefix}:${index}`, points: 1, expire }));

  it('loses all expired rows, even if two processes delete them concurrently', async () => {
    const { database, url } = test();
    await database.batchInsert('rate_limits', rows(2_500, 'over', Date.now() - 60_000));
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

  it('adds the same keys for two processes without a deadlock, whatever their order', async () => {
    const keys = ['a', 'b', 'c'];
    const expire = Date.now() + 60_000;
    await test()
      .database('rate_limits')
      .insert(keys.map((key) => ({ key, points: 1, expire })));
    // The lock stops both statements at the middle key. In different orders each would hold the next key of the other.
    const held = await test().database.transaction();
    await held('rate_limits').where({ key: 'b' }).forUpdate().select();
    const storeLead = (ordered: readonly string[]) => {
      const intake = leadIntake(test().database, 'mail.example.com');
      return ordered.map((key) => intake.storeLead(newLead({ quotas: [quotaOf(key, 10, 60_000)] })));
    };
    const counting = Promise.all([...storeLead(keys), ...storeLead(keys.toReversed())]);
    await Promise.race([
      counting,
      until('both wait', async () => {
        const { rows: waiting } = await test().database.raw<{ rows: unknown[] }>(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length === 2;
      }),
    ]);
    await held.rollback();
    await counting;
    expect(await test().database('rate_limits').orderBy('key').pluck('points')).to.deep.equal([3, 3, 3]);
  });

  it('adds the points of each lead to each of its quotas, and compares them in the order of arrival', async () => {
    const intake = leadIntake(test().database, 'mail.example.com');
    const taken = await Promise.all(
      [3, 4, 4, 1].map((points) =>
        intake.storeLead(newLead({ quotas: [{ ...quotaOf('size', 7, 60_000), points }, quotaOf('count', 9, 60_000)] })),
      ),
    );
    expect(taken.map(({ outcome }) => outcome)).to.deep.equal(['stored', 'stored', 'over_quota', 'over_quota']);
    expect(taken[2]).to.have.nested.property('exhausted.key', 'size');
    expect(await test().database('rate_limits').orderBy('key').select('key', 'points')).to.deep.equal([
      { key: 'count', points: 4 },
      { key: 'size', points: 12 },
    ]);
  });

  it('names the exhausted quota whose window ends first', async () => {
    const intake = leadIntake(test().database, 'mail.example.com');
    const quotas = [quotaOf('short', 0, 60_000), quotaOf('long', 0, 900_000), quotaOf('enough', 5, 9_000)];
    expect(await intake.storeLead(newLead({ quotas }))).to.have.nested.property('exhausted.key', 'short');
  });

  it('allows retries of a stored lead up to the limit of each quota', async () => {
    const intake = leadIntake(test().database, 'mail.example.com');
    const quotas = [quotaOf('narrow', 1, 60_000), { ...quotaOf('wide', 1, 60_000), retryLimit: 3 }];
    const outcomes: string[] = [];
    for (let times = 0; times < 4; times++) {
      outcomes.push((await intake.storeLead(newLead({ quotas, idempotencyKey: 'one lead' }))).outcome);
    }
    expect(outcomes).to.deep.equal(['stored', 'replayed', 'over_quota', 'over_quota']);
  });

  it('returns at most the length of the window, even in a transaction that started before it', async () => {
    const lead = () => newLead({ quotas: [quotaOf('a form:192.0.2.1', 1, 60_000)] });
    const earlier = await test().database.transaction();
    await earlier.raw('select');
    expect(await leadIntake(test().database, 'mail.example.com').storeLead(lead())).to.include({ outcome: 'stored' });
    const refused = await leadIntake(earlier, 'mail.example.com').storeLead(lead());
    await earlier.commit();
    if (refused.outcome !== 'over_quota') expect.fail(refused.outcome);
    expect(refused.exhausted.milliseconds).to.be.within(50_000, 60_000);
  });

  it('returns at least 1 ms, even in a transaction that started before the window ended', async () => {
    const lead = () => newLead({ quotas: [quotaOf('a form:192.0.2.2', 1, 60_000)] });
    const earlier = await test().database.transaction();
    await earlier.raw('select');
    expect(await leadIntake(test().database, 'mail.example.com').storeLead(lead())).to.include({ outcome: 'stored' });
    // The window ends 1 ms after the start of the transaction.
    const { rows: ends } = await earlier.raw<{ rows: { expire: string }[] }>(
      `select (extract(epoch from now()) * 1000)::bigint + 1 as expire`,
    );
    await test()
      .database('rate_limits')
      .update(ends[0] ?? {});
    await until('the window has ended', () => Date.now() > Number(ends[0]?.expire));
    const refused = await leadIntake(earlier, 'mail.example.com').storeLead(lead());
    await earlier.commit();
    expect(refused).to.deep.equal({
      outcome: 'over_quota',
      exhausted: { key: 'a form:192.0.2.2', milliseconds: 1 },
    });
  });

  it('cancels a statement after its time limit, and runs the next one', async () => {
    const limits = openRateLimitDatabase(test().url, 200);
    const count = () => limits.takePoints([{ key: 'a form:192.0.2.3', limit: 100, milliseconds: 60_000 }]);
    await test().database.transaction(async (transaction) => {
      await transaction.raw('lock table rate_limits in access exclusive mode');
      const error: unknown = await count().catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(DatabaseUnavailableError);
    });
    // On a busy machine, the next statement can also take longer than the limit.
    const counted = await until('a statement within the limit', () => count().catch(() => undefined));
    expect(counted).to.deep.equal([]);
    await limits.close();
  });

  it('is an unlogged table', async () => {
    const { rows: found } = await test().database.raw<{ rows: { relpersistence: string }[] }>(
      `select relpersistence from pg_class where oid = 'rate_limits'::regclass`,
    );
    expect(found).to.deep.equal([{ relpersistence: 'u' }]);
  });
});
