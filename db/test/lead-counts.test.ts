import { leadKinds, leadStatuses, type LeadKind, type LeadStatus } from '@dune-tide/domain/leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Knex } from 'knex';
import pg from 'pg';
import { leadIntake } from '../src/leads/intake.ts';
import { leadLists } from '../src/leads/lists.ts';
import { leadRow, newLead } from './rows.ts';

type Row = Record<string, unknown>;

/** A change of the number of leads of a kind or a status. */
type Change =
  | { readonly does: 'store'; readonly kind: LeadKind; readonly count: number }
  | { readonly does: 'take in'; readonly key: string | null }
  | { readonly does: 'set status'; readonly status: LeadStatus; readonly count: number }
  | { readonly does: 'delete'; readonly kind: LeadKind; readonly count: number };

interface Transaction {
  readonly changes: readonly Change[];
  readonly ends: 'commit' | 'rollback';
}

const rows = (kind: LeadKind, count: number): Row[] => Array.from({ length: count }, () => leadRow(kind));

/** Selects leads of a kind that no other connection has locked. */
const someOf = (db: Knex, kind: LeadKind, count: number): Knex.QueryBuilder =>
  db('leads').select('id').where({ kind }).orderBy('id').limit(count).forUpdate().skipLocked();

async function apply(db: Knex, change: Change): Promise<unknown> {
  switch (change.does) {
    case 'store':
      return db<Row>('leads').insert(rows(change.kind, change.count));
    case 'take in':
      return leadIntake(db, 'mail.example.com').storeLead(newLead({ idempotencyKey: change.key }));
    case 'set status':
      return db('leads')
        .whereIn('id', someOf(db, 'service_inquiry', change.count))
        .update({ status: change.status });
    case 'delete':
      return db('leads')
        .whereIn('id', someOf(db, change.kind, change.count))
        .delete();
  }
}

const kind = fc.constantFrom(...leadKinds);
const count = fc.integer({ min: 0, max: 5 });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ does: fc.constant('store' as const), kind, count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ does: fc.constant('take in' as const), key: fc.constantFrom(null, 'a', 'b') }),
  fc.record({ does: fc.constant('set status' as const), status: fc.constantFrom(...leadStatuses), count }),
  fc.record({ does: fc.constant('delete' as const), kind, count }),
);
const transaction: fc.Arbitrary<Transaction> = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 4 }),
  ends: fc.constantFrom('commit', 'commit', 'rollback'),
});

describe('the counts of leads', () => {
  const test = withTestDatabase();
  beforeEach(() => test().database.raw('truncate leads cascade'));

  /** Returns the differences between the leads and the counts, both read from one snapshot. */
  async function differences(): Promise<Row[]> {
    const { rows: found } = await test().database.raw<{ rows: Row[] }>(
      `select kind, status, sum(lead) as missing from (
         select kind, status, 1 as lead from leads union all select kind, status, -count from lead_counts
       ) as compared group by kind, status having sum(lead) <> 0`,
    );
    return found;
  }

  async function run({ changes, ends }: Transaction): Promise<void> {
    const started = await test().database.transaction();
    try {
      for (const entry of changes) await apply(started, entry);
      await (ends === 'commit' ? started.commit() : started.rollback());
    } catch (error) {
      await started.rollback();
      // Two transactions that share a slot and change several counts can deadlock. PostgreSQL then rolls one back.
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      if (!(cause instanceof pg.DatabaseError && cause.code === '40P01')) throw error;
    }
  }

  it('are empty without leads', async () => {
    expect(await leadLists(test().database).counts()).to.deep.equal([]);
    expect(await leadLists(test().database).total('contact')).to.equal(0);
  });

  it('are returned by kind and status, and as a total', async () => {
    await test()
      .database<Row>('leads')
      .insert([...rows('contact', 3), ...rows('service_inquiry', 2), leadRow('service_inquiry', { status: 'won' })]);

    const lists = leadLists(test().database);
    expect(await lists.counts()).to.have.deep.members([
      { kind: 'contact', status: 'new', count: 3 },
      { kind: 'service_inquiry', status: 'new', count: 2 },
      { kind: 'service_inquiry', status: 'won', count: 1 },
    ]);
    expect(await lists.total('service_inquiry')).to.equal(3);
    expect(await lists.total('career_application')).to.equal(0);
  });

  it('do not list a kind whose leads were deleted', async () => {
    await test().database<Row>('leads').insert(rows('contact', 2));
    await test().database('leads').delete();
    expect(await leadLists(test().database).counts()).to.deep.equal([]);
  });

  it('are not written by a change that keeps the kind and the status', async () => {
    await test().database<Row>('leads').insert(rows('service_inquiry', 2));
    const before = await test().database<Row>('lead_counts').select('*', test().database.raw('xmin::text, ctid::text'));

    await test().database('leads').update({ updated_at: test().database.fn.now(), status: 'new' });

    expect(
      await test().database<Row>('lead_counts').select('*', test().database.raw('xmin::text, ctid::text')),
    ).to.deep.equal(before);
  });

  it('are empty after a truncate, unless it is rolled back', async () => {
    await test().database<Row>('leads').insert(rows('contact', 2));
    const started = await test().database.transaction();
    await started.raw('truncate leads cascade');
    expect(await leadLists(started).counts()).to.deep.equal([]);
    await started.rollback();
    expect(await leadLists(test().database).total('contact')).to.equal(2);

    await test().database.raw('truncate leads cascade');
    expect(await leadLists(test().database).counts()).to.deep.equal([]);
  });

  it('match the table if a truncate has an older snapshot than the leads that it removes', async () => {
    const started = await test().database.transaction({ isolationLevel: 'repeatable read' });
    await started.raw('select 1 from staff');
    await test().database<Row>('leads').insert(rows('contact', 2));
    await started.raw('truncate leads cascade');
    await started.commit();
    expect(await differences()).to.deep.equal([]);
  });

  it('match the table after a savepoint is rolled back, and after an upsert', async () => {
    const [first, second] = rows('service_inquiry', 2);
    await test().database.transaction(async (started) => {
      await started<Row>('leads').insert(first ?? {});
      await started
        .transaction(async (nested) => {
          await nested<Row>('leads').insert(rows('contact', 3));
          throw new RangeError('rolled back');
        })
        .catch((error: unknown) => expect(error).to.be.instanceOf(RangeError));
      await started<Row>('leads')
        .insert([{ ...first, status: 'won' }, second ?? {}])
        .onConflict('id')
        .merge(['status']);
    });
    expect(await differences()).to.deep.equal([]);
    expect(await leadLists(test().database).counts()).to.have.deep.members([
      { kind: 'service_inquiry', status: 'new', count: 1 },
      { kind: 'service_inquiry', status: 'won', count: 1 },
    ]);
  });

  it('match the table at every moment while several connections change it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(transaction, { maxLength: 4 }), { minLength: 4, maxLength: 4 }),
        async (connections) => {
          const load = { isRunning: true };
          const watched = (async () => {
            while (load.isRunning) expect(await differences()).to.deep.equal([]);
          })();
          const ran = Promise.all(
            connections.map(async (transactions) => {
              for (const entry of transactions) await run(entry);
            }),
          ).finally(() => (load.isRunning = false));
          await Promise.all([ran, watched]);
          expect(await differences()).to.deep.equal([]);
        },
      ),
      { numRuns: 20 },
    );
  });
});
