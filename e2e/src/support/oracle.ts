import type { FollowUpState } from '@dune-tide/domain/follow-ups';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { TestSmtp } from './smtp.ts';
import { until } from './until.ts';

/** What a load generator knows: the id of every lead that was answered with 201. */
export interface Promised {
  readonly leadIds: readonly string[];
  /** What each lead owes. */
  readonly followUpsPerLead: number;
  /** Message-IDs whose answer was cut off, so that one more copy is allowed. */
  readonly cut: ReadonlySet<string>;
}

interface Row {
  readonly lead_id: string;
  readonly message_id: string;
  readonly state: FollowUpState;
}

/** Waits until no follow-up is pending or being sent. */
export async function drained(database: Knex, count: number, seconds: number): Promise<void> {
  let states: Record<string, number> = {};
  try {
    await until(
      'drained',
      async () => {
        const rows = await database('follow_ups').select('state').count('* as count').groupBy('state');
        states = Object.fromEntries(rows.map((row) => [String(row['state']), Number(row['count'])]));
        const all = Object.values(states).reduce((sum, each) => sum + each, 0);
        return all >= count && !states['pending'] && !states['sending'];
      },
      seconds,
    );
  } catch (error) {
    throw new Error(`${count} follow-ups are not settled within ${seconds} s: ${JSON.stringify(states)}`, {
      cause: error,
    });
  }
}

/**
 * Judges a drained system (reliability, "How a fault test judges"): every 201 has its lead and its follow-ups, each
 * was mailed, and nothing was mailed twice but what was cut off.
 * @returns how many mails went out twice
 */
export async function judge(database: Knex, smtp: TestSmtp, promised: Promised): Promise<{ doubles: number }> {
  const leads = await database('leads').pluck<string[]>('id');
  const rows = await database('follow_ups').select<Row[]>('lead_id', 'message_id', 'state');
  expect(new Set(leads), 'every 201 has exactly one lead').to.deep.equal(new Set(promised.leadIds));
  expect(leads, 'no lead twice').to.have.length(promised.leadIds.length);
  expect(rows, 'follow-ups = leads × what each owes').to.have.length(leads.length * promised.followUpsPerLead);
  expect(
    rows.filter(({ state }) => state !== 'sent'),
    'every follow-up is sent',
  ).to.deep.equal([]);

  const copies = new Map<string, number>();
  for (const { messageId } of smtp.accepted) copies.set(messageId, (copies.get(messageId) ?? 0) + 1);
  expect(new Set(copies.keys()), 'what the mail server took = the rows marked sent').to.deep.equal(
    new Set(rows.map((row) => row.message_id)),
  );
  const doubled = [...copies].filter(([, count]) => count > 1);
  expect(
    doubled.filter(([messageId, count]) => count > 2 || !promised.cut.has(messageId)),
    'mailed twice without a cut answer',
  ).to.deep.equal([]);
  return { doubles: doubled.length };
}
