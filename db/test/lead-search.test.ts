import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions, leadResponses, leadStatuses, requiredFollowUps, workedKinds } from '@dune-tide/domain/leads';
import { dueSoonHours, maxCountedMatches } from '@dune-tide/domain/limits';
import { sampleLeads } from '@dune-tide/local/seed/sample-leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Knex } from 'knex';
import { connectForMaintenance } from '../src/connection/connect.ts';
import type { Person } from '../src/lead-expressions/columns.ts';
import { leadLists, type StoredLead } from '../src/leads/lists.ts';
import type { LeadQuery, QueryPlace } from '../src/leads/search-conditions.ts';
import { leadSearchIndex } from '../src/leads/search-index.ts';
import { leadSearch } from '../src/leads/search.ts';
import { analyzeLeads, storeSettledLeads } from '../src/leads/settled.ts';
import { leadWork } from '../src/leads/work.ts';
import { insert, leadRow, staffRow } from './rows.ts';

const { timeZone, mailDomain } = brand;
const storedLeads = 1_600;
const requiredBy = (lead: Parameters<typeof requiredFollowUps>[0]) => requiredFollowUps(lead, undefined);

describe('finding leads', () => {
  const test = withTestDatabase();
  const search = () => leadSearch(test().app);
  let staff: Person[];
  /** All leads but portfolio requests, newest first. */
  let leads: StoredLead[];

  before(async () => {
    staff = await Promise.all(
      ['Noura', 'Reem', 'Lerato'].map(async (name) => {
        const { id } = await insert(test().database, 'staff', staffRow({ name }));
        return { id: String(id), name };
      }),
    );
    const made = [...sampleLeads({ count: storedLeads, seed: 3, until: new Date(), staff })];
    // Without the time limits of a serving pool.
    const maintenance = connectForMaintenance({ url: test().url, applicationName: 'test' });
    try {
      for (let from = 0; from < storedLeads; from += 1_000) {
        await storeSettledLeads(maintenance, mailDomain, made.slice(from, from + 1_000));
      }
      await maintenance.raw(`update leads set spam_sign = 'honeypot' where hashtext(id::text) % 29 = 0`);
      // The state of the response of the others does not change while the tests run.
      for (const hours of [brand.responsePromiseHours - dueSoonHours, brand.responsePromiseHours]) {
        await maintenance('leads')
          .whereRaw(`created_at + make_interval(hours => ?) between now() and now() + interval '15 minutes'`, [hours])
          .delete();
      }
      await fill(maintenance);
      await analyzeLeads(maintenance);
    } finally {
      await maintenance.destroy();
    }
    leads = await readLeads();
  });

  async function fill(database: Knex): Promise<void> {
    for (let before: string | undefined; ;) {
      const { next } = await leadSearchIndex(database).fillOlder(before);
      if (next === undefined) return;
      before = next;
    }
  }

  async function readLeads(): Promise<StoredLead[]> {
    const all: StoredLead[] = [];
    for (const kind of workedKinds) all.push(...(await leadLists(test().database).page(kind, storedLeads)));
    return all.sort((a, b) => Number(b.createdAt) - Number(a.createdAt) || (a.id < b.id ? 1 : -1));
  }

  /** Reads pages to the end, or until `most` leads are read. */
  async function follow(query: LeadQuery, pageSize = 100, most = 300, between = async () => {}): Promise<StoredLead[]> {
    const found: StoredLead[] = [];
    for (let after: QueryPlace | undefined; found.length < most;) {
      const page = await search().page(query, pageSize, after);
      found.push(...page);
      const last = page.at(-1);
      if (!last || page.length < pageSize) break;
      after = search().placeOf(query, last);
      await between();
    }
    return found;
  }

  it('gives the same leads as a plain search of all', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(), async (query) => {
        const expected = plainSearch(leads, query);
        const found = await follow(query);
        expect(found.map(({ id }) => id).slice(0, 300)).to.deep.equal(expected.map(({ id }) => id).slice(0, 300));
        expect(await search().count(query)).to.equal(Math.min(expected.length, maxCountedMatches + 1));
      }),
      { numRuns: 75 },
    );
  });

  it('returns each lead once and misses none that stayed, while the list changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyQuery(),
        fc.integer({ min: 1, max: 40 }),
        fc.infiniteStream(fc.nat()),
        async (query, size, nats) => {
          const next = (): number => nats.next().value;
          const before = plainSearch(await readLeads(), query);
          const touched = new Set<string>();
          const found = await follow(query, size, 120, async () => {
            const { id } = before[next() % before.length] ?? expect.fail('no lead');
            touched.add(id);
            const actor = staff[0] ?? expect.fail('no account');
            if (next() % 4 === 0) await test().database('leads').where({ id }).delete();
            else
              await leadWork(test().app, mailDomain).changeTogether(
                [id],
                changes[next() % changes.length] ?? {},
                actor,
                requiredBy,
              );
            await insert(test().database, 'leads', leadRow('contact', { email: before[0]?.email }));
            await leadSearchIndex(test().app).fillNewest();
          });
          const ids = found.map(({ id }) => id);
          expect(new Set(ids).size).to.equal(ids.length);
          const stayed = before.map(({ id }) => id).filter((id) => !touched.has(id));
          const isWhole = ids.length < 120;
          const last = isWhole ? stayed.length : stayed.findLastIndex((id) => ids.includes(id)) + 1;
          expect(ids).to.include.members(stayed.slice(0, last));
        },
      ),
      { numRuns: 10 },
    );
    leads = await readLeads();
  });

  const changes = [{ status: 'won' }, { answered: false }, { spam: true }, { spam: false }, { ownerId: null }] as const;

  /** Generates a query from a stored lead, so that it has matches, and from random filters. */
  function anyQuery(): fc.Arbitrary<LeadQuery> {
    const subset = <Value>(values: readonly Value[]) =>
      fc.option(fc.subarray([...values], { minLength: 1 }), { nil: [] });
    const day = fc.nat({ max: 730 }).map((ago) => dayOf(new Date(Date.now() - ago * 86_400_000)));
    return fc
      .record({
        lead: fc.nat().map((index) => leads[index % leads.length] ?? expect.fail('no leads')),
        picks: fc.array(
          fc.record({ word: fc.nat(), from: fc.nat({ max: 3 }), length: fc.integer({ min: 1, max: 9 }) }),
          { maxLength: 3 },
        ),
        kinds: subset(workedKinds),
        statuses: subset(leadStatuses),
        ownerId: fc.option(fc.constantFrom(null, ...staff.map(({ id }) => id)), { nil: undefined, freq: 2 }),
        responses: subset(leadResponses),
        from: fc.option(day, { nil: undefined, freq: 1 }),
        to: fc.option(day, { nil: undefined, freq: 1 }),
        spam: fc.constantFrom('only', 'without', undefined, undefined),
        isByEmail: fc.integer({ min: 1, max: 12 }).map((one) => one === 1),
        sort: fc.constantFrom('newest', 'newest', 'due'),
      } as const)
      .map(({ lead, picks, isByEmail, ...filters }): LeadQuery => {
        const words = plainWords(lead);
        const parts = picks.map(({ word, from, length }) => {
          const whole = Array.from(words[word % words.length] ?? '');
          const start = length < 3 ? 0 : from;
          return whole.slice(start, start + length).join('');
        });
        return {
          ...filters,
          timeZone,
          words: parts.join(' ').trim() || undefined,
          email: isByEmail ? lead.email.toUpperCase() : undefined,
        };
      });
  }
});

const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
const dayOf = (time: Date): string => dayFormat.format(time);

/** Filters leads one by one, in the words of the rules. */
function plainSearch(leads: readonly StoredLead[], query: LeadQuery): StoredLead[] {
  const found = leads.filter((lead) => {
    const { kinds = [], statuses = [], responses = [], ownerId, from, to, spam, email, words = '' } = query;
    const isAmong = <Value>(values: readonly Value[], value: Value | null): boolean =>
      values.length === 0 || values.some((each) => each === value);
    const day = dayOf(lead.createdAt);
    return (
      isAmong<string>(kinds, lead.kind) &&
      isAmong(statuses, lead.status) &&
      isAmong(responses, lead.response) &&
      (ownerId === undefined || (lead.owner?.id ?? null) === ownerId) &&
      (from === undefined || day >= from) &&
      (to === undefined || day <= to) &&
      (spam === undefined || (lead.spamSign !== null) === (spam === 'only')) &&
      (email === undefined || lead.email.toLowerCase() === email.toLowerCase()) &&
      (query.sort !== 'due' || ['waiting', 'soon', 'overdue'].includes(lead.response)) &&
      words.split(' ').every((word) => hasWord(lead, word))
    );
  });
  return query.sort === 'due'
    ? found.sort((a, b) => Number(a.dueAt) - Number(b.dueAt) || (a.id < b.id ? -1 : 1))
    : found;
}

function hasWord(lead: StoredLead, word: string): boolean {
  return plainWords(lead).some(
    (each) => each.startsWith(word) || (Array.from(word).length >= 3 && each.includes(word)),
  );
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\p{M}'’ـء]/gu, '')
    .toLowerCase();
const arabic = (text: string): string =>
  text.replace(/[ىی]/g, 'ي').replace(/ة/g, 'ه').replace(/ک/g, 'ك').replace(/ٱ/g, 'ا');
const plainWordsOf = new Map<string, string[]>();

/** Returns the words of all fields: between spaces, without other characters, and their parts. */
function plainWords(lead: StoredLead): string[] {
  const known = plainWordsOf.get(lead.id);
  if (known) return known;
  const kind = leadDefinitions[lead.kind];
  const values: Readonly<Record<string, unknown>> = { ...lead.fields };
  const labels = kind.fields.flatMap(({ key, options, staffOptions }) =>
    [...(options ?? []), ...(staffOptions ?? [])]
      .filter(({ value }) => value === values[key])
      .map(({ label }) => label),
  );
  const sent = kind.ordered.map(({ key }) => values[key]).filter((text) => typeof text === 'string');
  const texts = [lead.email, ...sent, ...labels];
  const chunks = arabic(plain(texts.join(' '))).split(/\s+/);
  const words = chunks.flatMap((chunk) => {
    const parts = chunk.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    return [parts.join(''), ...parts];
  });
  const { phone } = values;
  const all = [...words, typeof phone === 'string' ? phone.replace(/\D/g, '') : ''].filter(Boolean);
  plainWordsOf.set(lead.id, all);
  return all;
}
