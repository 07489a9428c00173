import { checkAuditLog } from '@dune-tide/db/audit-log';
import { retentionStart, retentionStore, type RetentionPlace } from '@dune-tide/db/personal-data';
import { erasure } from '@dune-tide/domain/limits';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { contactMessage, storeLeads, type TestLead } from '@dune-tide/testkit/leads';
import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { retain, startRetaining } from '../src/retention/retain.ts';
import { requireFollowUps } from './support.ts';

const monthsAgo = (months: number): Date => {
  const time = new Date();
  time.setUTCMonth(time.getUTCMonth() - months);
  return new Date(time.getTime() - 86_400_000);
};

describe('the retention', () => {
  const test = withTestDatabase();
  beforeEach(() => test().database('leads').delete());

  const store = async (lead: Partial<TestLead>): Promise<string> => {
    const id = randomUUID();
    await storeLeads(test().database, [{ ...contactMessage, ...lead, id }]);
    return id;
  };
  const run = (leads: number, applications = 0) =>
    retain({
      retention: retentionStore(test().app),
      periods: { leads, applications },
      auditMonths: 24,
      logger: memoryLogger().logger,
      closing: new AbortController().signal,
    });
  const left = () => test().database('leads').pluck<string[]>('id');
  const expired = () =>
    test().database('audit_log').where({ action: 'leads_expired' }).orderBy('at').pluck<{ leads: number }[]>('details');

  it('erases leads of all kinds after their period, applications after their own, and records how many', async () => {
    for (const kind of ['contact', 'service_inquiry', 'portfolio_request', 'career_application'] as const) {
      const [required] = await requireFollowUps(test().database, kind);
      const createdAt = monthsAgo(7);
      await test()
        .database('leads')
        .where({ id: required?.leadId })
        .update({ created_at: createdAt, updated_at: createdAt });
      await test().database('follow_ups').where({ lead_id: required?.leadId }).update({ updated_at: createdAt });
    }
    const young = await store({ createdAt: monthsAgo(5) });
    const before = (await expired()).length;
    expect(await run(6, 12)).to.equal(3);
    expect(await test().database('leads').pluck('kind')).to.have.members(['career_application', 'contact']);
    expect((await expired()).slice(before).reduce((sum, { leads }) => sum + leads, 0)).to.equal(3);
    expect(await run(6, 6)).to.equal(1);
    expect(await left()).to.deep.equal([young]);
    expect((await checkAuditLog(test().database)).outcome).to.equal('whole');
  });

  it('does not add the leads that it erases to the list of erasures', async () => {
    await store({ createdAt: monthsAgo(7) });
    expect(await run(6)).to.equal(1);
    expect(await test().database('erasures')).to.deep.equal([]);
  });

  it('keeps all leads with 0 months', async () => {
    const id = await store({ createdAt: monthsAgo(100) });
    expect(await run(0)).to.equal(0);
    expect(await left()).to.deep.equal([id]);
  });

  it('counts from the last change: of the lead, in its history, or of its emails', async () => {
    const [changed, noted, mailed, untouched] = [
      await store({ createdAt: monthsAgo(20), updatedAt: monthsAgo(1) }),
      await store({ createdAt: monthsAgo(20) }),
      await store({ createdAt: monthsAgo(20) }),
      await store({ createdAt: monthsAgo(20) }),
    ];
    await test()
      .database('lead_events')
      .insert({ id: randomUUID(), lead_id: noted, kind: 'note', details: { text: 'They called.' } });
    const id = randomUUID();
    const row = { id, lead_id: mailed, kind: 'acknowledgement', recipient: 'noura@example.com' };
    await test()
      .database('follow_ups')
      .insert({ ...row, message_id: `<${id}@example.com>` });
    expect(await run(12)).to.equal(1);
    expect(await left())
      .to.have.members([changed, noted, mailed])
      .and.not.include(untouched);
  });

  it('erases in batches, stops after any of them and continues in the next pass', async () => {
    const createdAt = monthsAgo(20);
    const leads = Array.from({ length: 2 * erasure.leadsTogether + 1 }, () => ({ ...contactMessage, createdAt }));
    await storeLeads(test().database, leads);
    const recent = await store({});
    const retention = retentionStore(test().app);
    const first = await retention.eraseSome({ leads: 12, applications: 0 }, retentionStart);
    expect(first.erased).to.equal(erasure.leadsTogether);
    expect(await run(12)).to.equal(erasure.leadsTogether + 1);
    expect(await left()).to.deep.equal([recent]);
  });

  it('does nothing while another worker is in a pass', async () => {
    await store({ createdAt: monthsAgo(20) });
    const [one, other] = await Promise.all([run(12), run(12)]);
    expect(one + other).to.equal(1);
  });

  it('skips leads that are being changed, without waiting for them', async () => {
    const [busy] = [await store({ createdAt: monthsAgo(20) }), await store({ createdAt: monthsAgo(20) })];
    await test().database.transaction(async (transaction) => {
      await transaction('leads').where({ id: busy }).forUpdate().first();
      expect(await run(12)).to.equal(1);
    });
    expect(await left()).to.deep.equal([busy]);
  });

  it('goes through every kind once', async () => {
    const kinds: string[] = [];
    for (let place: RetentionPlace | undefined = retentionStart; place;) {
      kinds.push(place.kind);
      ({ next: place } = await retentionStore(test().app).eraseSome({ leads: 1, applications: 1 }, place));
    }
    expect(kinds).to.deep.equal(['contact', 'service_inquiry', 'career_application', 'portfolio_request']);
  });
});

describe('the passes of the retention', () => {
  /** Milliseconds since the start, which only the test moves. */
  let time = 0;
  let waits: number[] = [];
  beforeEach(() => {
    [time, waits] = [0, []];
    performance.now = () => time;
  });
  afterEach(() => void Reflect.deleteProperty(performance, 'now'));

  const { logger } = memoryLogger();
  const dependencies = { periods: { leads: 6, applications: 6 }, auditMonths: 24, logger };

  it('start a minute after the worker and then every day', async () => {
    const closing = new AbortController();
    const passes: number[] = [];
    await startRetaining({
      ...dependencies,
      retention: {
        async eraseSome() {
          passes.push(time);
          return { erased: 0, next: undefined };
        },
        removeAuditEntries: async () => 0,
        removeAuditOrigins: async () => 0,
      },
      closing: closing.signal,
      async wait(milliseconds) {
        time += milliseconds;
        if (passes.length === 3) closing.abort();
      },
    });
    const [minute, day] = [60_000, 86_400_000];
    expect(passes).to.deep.equal([minute, minute + day, minute + 2 * day]);
  });

  it('pause after each batch for as long as the batch took', async () => {
    const next = { kind: 'contact', createdAt: new Date(), id: randomUUID() } as const;
    let batches = 0;
    let entries = 2;
    await retain({
      ...dependencies,
      retention: {
        async eraseSome() {
          batches += 1;
          time += 1_000 * batches;
          return { erased: 1, next: batches < 3 ? next : undefined };
        },
        async removeAuditEntries() {
          time += 500;
          entries -= 1;
          return entries;
        },
        removeAuditOrigins: async () => 0,
      },
      closing: new AbortController().signal,
      wait: async (milliseconds) => void waits.push(milliseconds),
    });
    expect(waits).to.deep.equal([1_000, 2_000, 500]);
  });
});
