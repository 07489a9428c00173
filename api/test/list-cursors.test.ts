import { randomUUID } from 'node:crypto';
import { leadSearchIndex, storeSettledLeads } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { sampleLeads } from '@dune-tide/local/seed/sample-leads';
import { expect } from 'chai';
import fc from 'fast-check';
import { addStaff, signIn, type TestSession } from './staff-support.ts';
import { withTestApi, type TestResponse } from './support.ts';

/** The part of a parameter's schema that its values are generated from. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly format?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface List {
  readonly path: string;
  readonly filters: readonly Parameter[];
}

/** The pairs of a query string. */
type Pairs = readonly (readonly [name: string, value: string])[];

describe('every list with a cursor', () => {
  const api = withTestApi();
  let staff: TestSession;
  let lists: readonly List[];
  let leadId = '';
  let emails: readonly string[];
  let owners: readonly string[];

  before(async () => {
    const accounts = [await addStaff(api(), { name: 'Noura' }), await addStaff(api(), { name: 'Thabo' })];
    owners = accounts.map(({ id }) => id);
    staff = await signIn(api(), accounts[0] ?? expect.fail('no account'));
    const leads = [
      ...sampleLeads({ count: 40, seed: 5, until: new Date(), staff: accounts.map(({ id, name }) => ({ id, name })) }),
    ];
    await storeSettledLeads(api().database, brand.mailDomain, leads);
    emails = leads.slice(0, 3).map(({ email }) => email);
    [leadId] = leads.toSorted((a, b) => b.events.length - a.events.length).map(({ id }) => id) as [string];
    for (const text of ['One', 'Two', 'Three', 'Four']) await staff.post(`/leads/${leadId}/notes`, { text });
    for (const status of ['won', 'lost', 'new']) await staff.patch(`/leads/${leadId}`, { status });
    await staff.patch(`/team/${owners[1]}`, { email: 'thabo@studio.example' });
    await api().database.raw(`update follow_ups set state = 'failed', sent_at = null where hashtext(id::text) % 2 = 0`);
    const mailboxes = Array.from({ length: 9 }, (_, index) => ({ id: randomUUID(), mailbox: `m${index}@v.example` }));
    await api().database('email_opt_outs').insert(mailboxes);
    await leadSearchIndex(api().database).fillOlder();
    lists = await declaredLists();
  });

  /** Returns the calls of the OpenAPI document that have a cursor, with their other parameters. */
  async function declaredLists(): Promise<List[]> {
    const { paths } = (await api().send({ path: '/api/openapi.json' })).json() as {
      readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
    };
    return Object.entries(paths).flatMap(([path, { get }]) => {
      const query = get?.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
      if (!query.some(({ name }) => name === 'cursor')) return [];
      const filters = query.filter(({ name }) => !['cursor', 'limit'].includes(name));
      return [{ path: path.replace('{id}', leadId), filters }];
    });
  }

  /** The values of the parameters whose schema does not list them. */
  const otherValues = (): Readonly<Record<string, readonly string[]>> => ({
    q: ['a', 'exa', 'design exa', 'Exa  A'],
    owner: ['me', 'none', ...owners, ...owners.map((id) => id.toUpperCase())],
    person: [...owners, ...owners.map((id) => id.toUpperCase())],
    email: [...emails, ...emails.map((email) => email.toUpperCase())],
    action: ['note_added', 'lead_status', 'signed_in'],
    from: ['2024-02-29', dayAgo(60)],
    to: [dayAgo(0), dayAgo(20)],
  });

  function anyValues({ name, schema }: Parameter): fc.Arbitrary<Pairs> {
    const values = schema.enum ?? schema.items?.enum ?? otherValues()[name] ?? expect.fail(`no values for ${name}`);
    const isMany = schema.type === 'array';
    return fc
      .array(fc.constantFrom(...values), isMany ? { minLength: 2, maxLength: 5 } : { minLength: 1, maxLength: 1 })
      .map((chosen) => chosen.map((value) => [name, value] as const));
  }

  /** Generates the query strings of a list: any filters in any order, with repeated values where they may repeat. */
  const anySearch = ({ filters }: List): fc.Arbitrary<string> =>
    fc
      .tuple(
        ...filters.map((filter) =>
          filter.required === true ? anyValues(filter) : fc.option(anyValues(filter), { nil: [] }),
        ),
      )
      .map((chosen) => chosen.flat())
      .chain((pairs) => fc.shuffledSubarray([...pairs], { minLength: pairs.length, maxLength: pairs.length }))
      .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString());

  it('has pages with all rows exactly once, for any filters in any order', async () => {
    expect(lists.map(({ path }) => path)).to.have.length.greaterThan(7);
    for (const list of lists) {
      await fc.assert(
        fc.asyncProperty(anySearch(list), fc.integer({ min: 2, max: 12 }), async (search, pages) => {
          const first = await staff.send({ path: `${list.path}?${search}` });
          expect(first.status, first.text).to.equal(200);
          const limit = Math.min(100, Math.ceil(Number(first.headers['x-total-count']) / pages) || 1);
          const rows: string[] = [];
          for (let next: string | undefined = `${list.path}?${search}&limit=${limit}`; next !== undefined;) {
            const page = await staff.send({ path: next });
            expect(page.status, next).to.equal(200);
            rows.push(...rowsOf(page));
            [, next] = /^<([^>]+)>; rel="next"$/.exec(String(page.headers.link)) ?? [];
          }
          expect(rows.slice(0, 100)).to.deep.equal(rowsOf(first));
          expect([rows.length, new Set(rows).size].map(String)).to.deep.equal(
            Array(2).fill(first.headers['x-total-count']),
          );
        }),
        { numRuns: Math.max(1, 3 * list.filters.length) },
      );
    }
  });

  it('accepts a cursor with the same filters in another order, and with no others', async () => {
    for (const [list, search, same, other] of [
      ['/leads', 'status=won&status=new&kind=contact', 'kind=contact&status=new&status=won&status=new', 'status=won'],
      ['/leads', 'owner=me', `owner=${staff.account.id.toUpperCase()}`, 'owner=none'],
      ['/leads', 'response=answered&response=none&sort=newest', 'response=none&response=answered', 'response=none'],
      ['/audit-log', 'action=lead_status', 'action=lead_status', 'action=signed_in'],
      ['/follow-ups', 'state=sent&order=newest', 'order=newest&state=sent', 'state=failed'],
    ] as const) {
      const { headers } = await staff.get(`${list}?${search}&limit=1`);
      const [, cursor = ''] = /cursor=([^&]+)/.exec(String(headers.link)) ?? [];
      const statusOf = async (query: string) => (await staff.get(`${list}?cursor=${cursor}&${query}`)).status;
      expect([await statusOf(search), await statusOf(same), await statusOf(other)], search).to.deep.equal([
        200, 200, 422,
      ]);
    }
  });
});

const rowsOf = (page: TestResponse): string[] => (page.json() as unknown[]).map((row) => JSON.stringify(row));
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
