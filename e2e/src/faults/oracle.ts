import { isDeepStrictEqual } from 'node:util';
import type { FollowUpState } from '@dune-tide/domain/follow-ups';
import { requiredFollowUps, type LeadKind } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import type { Ledger } from './ledger.ts';
import { staffEmail } from './running-system.ts';
import type { AcceptedMail } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';

/** What a fault allows. */
export interface Allowed {
  /** Message-IDs whose answer was cut off or could not be written down, so that one more copy may be there. */
  readonly cut: ReadonlySet<string>;
  /** Recipients whose mails the server refuses for good. */
  readonly refused: ReadonlySet<string>;
  /** Seconds until each 503; none is looked for when left out. */
  readonly slowestRefusal?: number;
}

/** What a drained system holds, and everything that is wrong with it. */
export interface Verdict {
  /** Visitors; one who tries again counts once. */
  readonly requests: number;
  /** Visitors who got a 201. */
  readonly created: number;
  /** Visitors of whom nothing is known: cut, or answered with a 503. */
  readonly unanswered: number;
  readonly leads: number;
  readonly followUps: number;
  /** Copies that the mail server took. */
  readonly mails: number;
  /** Mails that it took twice. */
  readonly doubles: number;
  /** 201s without their lead, and follow-ups that were owed and are neither mailed nor refused. */
  readonly lost: number;
  readonly slowest: number;
  readonly wrong: readonly string[];
}

interface LeadRow {
  readonly id: string;
  readonly kind: LeadKind;
  readonly email: string;
  readonly answers: unknown;
  readonly idempotency_key: string | null;
}

interface FollowUpRow {
  readonly lead_id: string;
  readonly message_id: string;
  readonly recipient: string;
  readonly state: FollowUpState;
}

/** So long nothing is sent before what waits is let go: the living settle what they hold in less. */
const stuckMs = 2_000;

/**
 * Waits until no follow-up is pending or being sent. What is put off is made due instead of waited for.
 * @param letGo - called when nothing is sent for a while
 * @throws when it takes longer than the seconds
 * @returns the seconds it took
 */
export async function drain(database: Knex, seconds: number, letGo = makeDue): Promise<number> {
  const started = performance.now();
  let progress = { left: Infinity, at: started };
  await until(
    'nothing is owed any more',
    async () => {
      const [owed] = await database('follow_ups').whereIn('state', ['pending', 'sending']).count('* as count');
      const left = Number(owed?.['count']);
      if (left < progress.left) progress = { left, at: performance.now() };
      if (performance.now() > progress.at + stuckMs) {
        progress = { left, at: performance.now() };
        await letGo(database);
      }
      return left === 0;
    },
    seconds,
  );
  return (performance.now() - started) / 1000;
}

/** Lets the delays of waiting rows end, and the sweep find them. */
export async function makeDue(database: Knex): Promise<void> {
  await database('follow_ups')
    .where({ state: 'pending' })
    .andWhereRaw('greatest(sweep_at, available_at) > now()')
    .update({ available_at: database.raw('least(available_at, now())'), sweep_at: database.fn.now() });
}

/** Ends the leases of workers that are dead. */
export async function endLeases(database: Knex, messageIds: Iterable<string>): Promise<void> {
  await database('follow_ups')
    .where({ state: 'sending' })
    .whereIn('message_id', [...messageIds])
    .update({ available_at: database.fn.now(), sweep_at: database.fn.now() });
}

/** Judges a drained system (reliability, "How a fault test judges"); STAFF_EMAIL is set. */
export async function judge(
  database: Knex,
  ledger: Ledger,
  accepted: readonly AcceptedMail[],
  allowed: Allowed,
): Promise<Verdict> {
  const wrong: string[] = [];
  const expectNone = (what: string, found: readonly unknown[]): void => {
    if (found.length > 0) wrong.push(`${what}: ${found.length}, e.g. ${JSON.stringify(found[0])}`);
  };

  const { asked, answered } = ledger.read();
  const requests = new Map(asked.map((request) => [request.key, request]));
  const promised = new Map<string, Set<string>>();
  for (const { key, status, id } of answered) {
    if (status === 201) promised.set(key, (promised.get(key) ?? new Set()).add(id ?? ''));
  }
  expectNone(
    'answers that no fault explains',
    answered.filter(({ status }) => status !== undefined && status !== 201 && status !== 503),
  );
  const refusals = answered.filter(({ status }) => status === 503);
  const { slowestRefusal = Infinity } = allowed;
  expectNone(
    `refused later than ${slowestRefusal} s`,
    refusals.filter(({ seconds }) => seconds > slowestRefusal),
  );

  const leads = await database('leads').select<LeadRow[]>('id', 'kind', 'email', 'answers', 'idempotency_key');
  const leadsByKey = new Map<string, LeadRow[]>();
  for (const lead of leads) {
    const key = lead.idempotency_key ?? '';
    leadsByKey.set(key, [...(leadsByKey.get(key) ?? []), lead]);
  }
  expectNone(
    'leads that nobody asked for',
    leads.filter(({ idempotency_key: key }) => !requests.has(key ?? '')),
  );
  expectNone(
    'leads that are not what was posted',
    leads.filter(({ kind, email, answers, idempotency_key: key }) => {
      const request = requests.get(key ?? '');
      if (!request) return false;
      const { body } = request;
      return !isDeepStrictEqual({ kind, email, answers }, { kind: request.kind, email: body.email, answers: body });
    }),
  );
  expectNone(
    'keys with more than one lead',
    [...leadsByKey].filter(([, found]) => found.length > 1),
  );
  const lostLeads = [...promised].filter(
    ([key, ids]) => ids.size !== 1 || !ids.has(leadsByKey.get(key)?.[0]?.id ?? 'none'),
  );
  expectNone('201s without exactly their lead', lostLeads);

  const rows = await database('follow_ups').select<FollowUpRow[]>('lead_id', 'message_id', 'recipient', 'state');
  const owed = leads.reduce((sum, lead) => sum + requiredFollowUps(lead, staffEmail).length, 0);
  if (rows.length !== owed) wrong.push(`${rows.length} follow-ups instead of ${owed}`);
  const unpaid = rows.filter(({ state, recipient }) => state !== (allowed.refused.has(recipient) ? 'failed' : 'sent'));
  expectNone('follow-ups that are not as they should be', unpaid);

  const copies = new Map<string, number>();
  for (const { messageId } of accepted) copies.set(messageId, (copies.get(messageId) ?? 0) + 1);
  const sent = new Set(rows.filter(({ state }) => state === 'sent').map(({ message_id: messageId }) => messageId));
  const unmailed = [...sent].filter((messageId) => !copies.has(messageId));
  expectNone('rows marked sent that the mail server never took', unmailed);
  expectNone(
    'mails that no row is marked sent for',
    [...copies.keys()].filter((messageId) => !sent.has(messageId)),
  );
  const doubled = [...copies].filter(([, count]) => count > 1);
  expectNone(
    'mailed twice without a cut answer',
    doubled.filter(([messageId, count]) => count > 2 || !allowed.cut.has(messageId)),
  );

  return {
    requests: requests.size,
    created: promised.size,
    unanswered: requests.size - promised.size,
    leads: leads.length,
    followUps: rows.length,
    mails: accepted.length,
    doubles: doubled.length,
    lost: lostLeads.length + (owed - rows.length) + unpaid.length + unmailed.length,
    slowest: Math.max(0, ...answered.map(({ seconds }) => seconds)),
    wrong,
  };
}
