import { randomUUID } from 'node:crypto';
import { leadKinds, type LeadKind } from '@dune-tide/domain/leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { leadLists, type LeadPlace, type StoredLead } from '../src/leads/lists.ts';
import { fieldsOf, insert, leadRow } from './rows.ts';

type Row = Record<string, unknown>;

describe('leadLists', () => {
  const test = withTestDatabase();
  beforeEach(() => test().database.raw('truncate leads cascade'));

  const at = (milliseconds: number): Date => new Date(Date.UTC(2026, 0, 1) + milliseconds);
  const store = async (leads: Row[]): Promise<void> => {
    await test().database<Row>('leads').insert(leads);
  };
  const newestFirst = (a: Row, b: Row): number =>
    Number(b['created_at']) - Number(a['created_at']) || (String(a['id']) < String(b['id']) ? 1 : -1);

  /**
   * Reads all pages of a list.
   * @param between - runs between two pages
   */
  async function allPages(limit: number, between: () => Promise<void> = async () => undefined): Promise<string[]> {
    const ids: string[] = [];
    for (let after: LeadPlace | undefined; ;) {
      const page: StoredLead[] = await leadLists(test().database).page('contact', limit, after);
      ids.push(...page.map(({ id }) => id));
      if (page.length < limit) return ids;
      after = page.at(-1);
      await between();
    }
  }

  const isClocked = (kind: LeadKind): boolean => kind === 'contact' || kind === 'service_inquiry';

  for (const kind of leadKinds) {
    it(`return a lead of the kind ${kind} as it was stored`, async () => {
      const row = await insert(test().database, 'leads', leadRow(kind, { created_at: at(1), updated_at: at(2) }));
      const expected = {
        id: row['id'],
        kind,
        email: 'noura@example.com',
        status: kind === 'portfolio_request' ? null : 'new',
        fields: fieldsOf(kind),
        spamSign: null,
        owner: null,
        ...(isClocked(kind)
          ? { dueAt: new Date(at(1).getTime() + 24 * 3_600_000), response: 'overdue' }
          : { dueAt: null, response: 'none' }),
        answeredAt: null,
        version: 1,
        activity: 0,
        createdAt: at(1),
        updatedAt: at(2),
      };
      expect(await leadLists(test().database).page(kind, 10)).to.deep.equal([expected]);
      expect(await leadLists(test().database).one(String(row['id']))).to.deep.equal(expected);
      for (const other of leadKinds.filter((name) => name !== kind)) {
        expect(await leadLists(test().database).page(other, 10), other).to.deep.equal([]);
      }
    });
  }

  it('return undefined for an unknown id', async () => {
    expect(await leadLists(test().database).one(randomUUID())).to.equal(undefined);
  });

  it('have times with milliseconds, like the API', async () => {
    const { rows } = await test().database.raw<{ rows: { scale: number }[] }>(
      `select datetime_precision as scale from information_schema.columns
       where table_name = 'leads' and data_type like 'timestamp%'`,
    );
    expect(rows).to.deep.equal(Array.from({ length: 5 }, () => ({ scale: 3 })));
  });

  it('have each lead once, newest first, even if many leads share a time', async () => {
    const leads = Array.from({ length: 50 }, (_, index) =>
      leadRow('contact', { created_at: at(index < 35 ? 500 : index) }),
    );
    await store(leads);
    const expected = leads.toSorted(newestFirst).map(({ id }) => id);
    for (const limit of [1, 7, 10, 25, 49, 50, 51])
      expect(await allPages(limit), `by ${limit}`).to.deep.equal(expected);
  });

  it('neither skip nor repeat a lead if new leads arrive between two pages', async () => {
    const leads = Array.from({ length: 30 }, () => leadRow('contact', { created_at: at(0) }));
    await store(leads);
    const read = await allPages(7, () => store([leadRow('contact', { created_at: at(1) }), leadRow('contact')]));
    expect(read).to.deep.equal(leads.toSorted(newestFirst).map(({ id }) => id));
  });

  it('continue after a lead that was deleted', async () => {
    const leads = Array.from({ length: 9 }, (_, index) => leadRow('contact', { created_at: at(index) }));
    await store(leads);
    const [, , third] = await leadLists(test().database).page('contact', 3);
    await test().database('leads').where({ id: third?.id }).delete();
    const next = await leadLists(test().database).page('contact', 100, third);
    expect(next.map(({ id }) => id)).to.deep.equal(
      leads
        .toSorted(newestFirst)
        .slice(3)
        .map(({ id }) => id),
    );
  });

  it('end with an empty page', async () => {
    await store([leadRow('contact', { created_at: at(0) })]);
    const [last] = await leadLists(test().database).page('contact', 10);
    expect(await leadLists(test().database).page('contact', 10, last)).to.deep.equal([]);
  });
});
