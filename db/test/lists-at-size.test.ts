import { fillDatabase, withTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { sampleLeads } from '@dune-tide/local/seed/sample-leads';
import type { LeadKind } from '@dune-tide/domain/leads';
import { expect } from 'chai';
import pg from 'pg';
import { dashboardQueries } from '../src/leads/dashboard.ts';
import { leadLists, type LeadPlace } from '../src/leads/lists.ts';
import { analyzeLeads, storeSettledLeads } from '../src/leads/settled.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** The statement of a call, and its cost. */
interface Cost {
  readonly sql: string;
  /** The number of pages of tables and indexes that were read. */
  readonly buffers: number;
  readonly nodes: readonly PlanNode[];
}

const pageSize = 100;
const listed: readonly LeadKind[] = ['contact', 'service_inquiry', 'career_application'];
const byKind = 'leads_by_kind_newest_first';
const small = 2_000;
const large = 20_000;

/** Runs a call, and explains the one statement that it sends. */
async function costOf({ database, url }: TestDatabase, call: () => Promise<unknown>): Promise<Cost> {
  const sent: { sql: string; bindings: unknown[] }[] = [];
  const keep = (query: { sql: string; bindings: unknown[] }): void => void sent.push(query);
  database.on('query', keep);
  await call();
  database.removeListener('query', keep);
  const [statement, ...others] = sent;
  if (!statement || others.length > 0) expect.fail(`${sent.length} statements were sent`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const explain = `explain (analyze, buffers, format json) ${statement.sql}`;
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain, statement.bindings);
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!plan) expect.fail('no plan');
    return {
      sql: statement.sql,
      buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      nodes: allNodes(plan),
    };
  } finally {
    await client.end();
  }
}

const allNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allNodes)];

describe('the staff’s lists at size', () => {
  const test = withTestDatabase();
  let costsWhenSmall: Readonly<Record<string, Cost>>;

  before(async () => {
    await store(small, 1);
    costsWhenSmall = await costsOfAll();
    await store(large - small, 2);
  });

  async function store(count: number, seed: number): Promise<void> {
    const leads = [...sampleLeads({ count, seed, until: new Date(Date.UTC(2026, 0, 1)) })];
    for (let from = 0; from < count; from += 1_000) {
      await storeSettledLeads(test().database, 'mail.example.com', leads.slice(from, from + 1_000));
    }
    await analyzeLeads(test().database);
  }

  /** Returns the sort key after which the last full page starts. */
  async function deepest(kind: LeadKind): Promise<LeadPlace> {
    const place = await test()
      .database('leads')
      .where({ kind })
      .orderBy([{ column: 'created_at' }, { column: 'id' }])
      .offset(pageSize)
      .first<LeadPlace>({ id: 'id', createdAt: 'created_at' });
    return place;
  }

  async function costsOfAll(): Promise<Record<string, Cost>> {
    const lists = leadLists(test().database);
    const costs: Record<string, Cost> = {
      'the counts': await costOf(test(), () => lists.counts()),
      'the announced counts': await costOf(test(), () => dashboardQueries(test().database).announcement()),
      'the recent activity': await costOf(test(), () => dashboardQueries(test().database).recentActivity(20)),
    };
    for (const kind of listed) {
      const place = await deepest(kind);
      costs[`the first page of ${kind}`] = await costOf(test(), () => lists.page(kind, pageSize + 1));
      costs[`the deepest page of ${kind}`] = await costOf(test(), () => lists.page(kind, pageSize + 1, place));
      costs[`the total of ${kind}`] = await costOf(test(), () => lists.total(kind));
      costs[`one ${kind}`] = await costOf(test(), () => lists.one(place.id));
    }
    return costs;
  }

  it('read only the leads that they show, by index', async () => {
    for (const [call, { sql, nodes }] of Object.entries(await costsOfAll())) {
      expect(sql, call).to.not.match(/offset/i);
      // They show no lead, and read the few that need an answer by an index of these.
      if (call === 'the announced counts') continue;
      const ofLeads = nodes.filter((node) => node['Relation Name'] === 'leads');
      for (const node of ofLeads) {
        // For the last page of a list, PostgreSQL can also read the rows in their physical order.
        expect(node['Node Type'], call).to.be.oneOf(['Index Scan', 'Bitmap Heap Scan']);
        expect(node['Actual Rows'], call).to.be.at.most(pageSize + 1);
      }
      const indexes = nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name.startsWith('leads'));
      for (const index of indexes) {
        // The activity also has changes of leads, with the names of these leads.
        const byId = call.startsWith('one') || call === 'the recent activity';
        expect(index, call).to.be.oneOf(byId ? ['leads_pkey', 'leads_by_kind_newest_first'] : [byKind]);
      }
      expect(ofLeads.length > 0, call).to.equal(!/count|total/.test(call));
      expect(indexes.length > 0, call).to.equal(!/count|total/.test(call));
    }
  });

  it('cost the same on the deepest page as on the first', async () => {
    const costs = await costsOfAll();
    for (const kind of listed) {
      const first = costs[`the first page of ${kind}`]?.buffers ?? 0;
      const last = costs[`the deepest page of ${kind}`]?.buffers ?? 0;
      // Leads differ in length, so the number of table pages that hold them varies.
      expect(last, kind).to.be.at.most(first * 2);
    }
  });

  it('cost the same with ten times as many leads', async () => {
    for (const [call, { buffers }] of Object.entries(await costsOfAll())) {
      const before = costsWhenSmall[call]?.buffers ?? 0;
      // The leads of a list page are in more or fewer pages of the table, depending on the other leads between them.
      expect(buffers, `${call}: ${before} pages, then ${buffers}`).to.be.at.most(before * 2 + 8);
    }
  });
});

describe('the dashboard’s figures at size', () => {
  const test = withTestDatabase();

  before(async () => {
    // Two thirds of the leads have been answered and won.
    await fillDatabase(
      test().url,
      `insert into leads (id, kind, email, status, answers, created_at, answered_at)
       select gen_random_uuid(), lead.kind, 'noura@example.com', case when i % 6 < 4 then 'won' else 'new' end,
              '{"firstName":"A","lastName":"B","service":"ugc","message":"m","name":"A","serviceType":"t","budget":"b",
                "timeframe":"t","urgency":"u","projectDetails":"p"}'::jsonb || jsonb_build_object('padding', repeat(md5(i::text), 10)),
              lead.created_at, case when i % 6 < 4 then lead.created_at + interval '20 hours' end
       from generate_series(1, ${large}) as i, lateral (
         select (array['contact', 'service_inquiry'])[1 + i % 2] as kind,
                now() - interval '120 days' * i / ${large} as created_at
       ) as lead`,
    );
    await fillDatabase(test().url, 'vacuum analyze leads');
  });

  it('are counted from indexes, without a look at the answered leads themselves', async () => {
    const dashboard = dashboardQueries(test().database);
    const calls = {
      answerTimes: ['leads_answered', 'leads_unanswered'],
      answersPerWeek: ['leads_answered', 'leads_unanswered'],
      leadsByStatus: [byKind, 'leads_past_new'],
      leadsPerWeek: [byKind],
    } as const;
    for (const [name, indexes] of Object.entries(calls)) {
      const { nodes } = await costOf(test(), () => dashboard[name as keyof typeof calls]());
      const used = new Set(nodes.flatMap((node) => node['Index Name'] ?? []));
      expect([...used], name).to.have.members(indexes);
      const scans = nodes.filter(
        (node) => node['Relation Name'] === 'leads' && node['Node Type'] !== 'Index Only Scan',
      );
      const looked = scans.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
      expect(looked, name).to.be.at.most(indexes.includes('leads_unanswered' as never) ? large / 3 : 0);
    }
  });
});
