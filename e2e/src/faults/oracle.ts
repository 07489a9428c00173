import { isDeepStrictEqual } from 'node:util';
import type { FollowUpKind, FollowUpState } from '@dune-tide/domain/follow-ups';
import { requiredFollowUps, type LeadKind } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import type { Ledger } from './ledger.ts';
import { staffEmail } from './running-system.ts';
import type { AcceptedMail } from '@dune-tide/testkit/smtp';
import { until } from '@dune-tide/testkit/until';

/** Deviations that a fault allows. */
export interface Allowed {
  /** Message-IDs of emails that may be delivered twice: the response was cut off or the outcome could not be stored. */
  readonly cut: ReadonlySet<string>;
  /** Recipients that the mail server rejects permanently. */
  readonly refused: ReadonlySet<string>;
  /** Seconds within which each 503 must be returned; not checked if undefined. */
  readonly slowestRefusal?: number;
}

/** Counts of a drained system, and every violation found in it. */
export interface Verdict {
  /** Number of visitors; a visitor who retries counts once. */
  readonly requests: number;
  /** Number of visitors who got a 201. */
  readonly created: number;
  /** Number of visitors whose request was cut or got a 503. */
  readonly failed: number;
  readonly leads: number;
  readonly followUps: number;
  /** Number of copies that the mail server accepted. */
  readonly mails: number;
  /** Number of emails that it accepted more than once. */
  readonly doubles: number;
  /** 201s without a lead, and required follow-ups that were neither delivered nor rejected. */
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
  readonly kind: FollowUpKind;
  readonly lead_id: string | null;
  readonly message_id: string;
  readonly recipient: string;
  readonly state: FollowUpState;
  /** Whether it is a reply that staff have undone. */
  readonly is_withdrawn: boolean;
}

/** After this many milliseconds without a send, waiting rows are made due. Live workers store their outcomes sooner. */
const stuckMs = 2_000;

/**
 * Waits until no follow-up is pending or being sent. Delayed rows are made due to save time.
 * @param seconds - time limit; throws when it is exceeded
 * @param letGo - called when no email has been sent for a while
 * @returns the seconds that it took
 */
export async function drain(database: Knex, seconds: number, letGo = makeDue): Promise<number> {
  const started = performance.now();
  let progress = { left: Infinity, at: started };
  await until(
    'no follow-up is waiting',
    async () => {
      const [unsent] = await database('follow_ups').whereIn('state', ['pending', 'sending']).count('* as count');
      const left = Number(unsent?.['count']);
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

/** Makes the delayed rows due, so that the sweep finds them. */
export async function makeDue(database: Knex): Promise<void> {
  await database('follow_ups')
    .where({ state: 'pending' })
    .andWhereRaw('greatest(sweep_at, available_at) > now()')
    .update({ available_at: database.raw('least(available_at, now())'), sweep_at: database.fn.now() });
}

/** Ends the leases of dead workers. */
export async function endLeases(database: Knex, messageIds: Iterable<string>): Promise<void> {
  await database('follow_ups')
    .where({ state: 'sending' })
    .whereIn('message_id', [...messageIds])
    .update({ available_at: database.fn.now(), sweep_at: database.fn.now() });
}

/** Checks a drained system (docs/PRODUCT.md, "Fault verdict"); STAFF_EMAIL is set. */
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

  const { asked, responded } = ledger.read();
  const requests = new Map(asked.map((request) => [request.key, request]));
  const promised = new Map<string, Set<string>>();
  for (const { key, status, id } of responded) {
    if (status === 201) promised.set(key, (promised.get(key) ?? new Set()).add(id ?? ''));
  }
  expectNone(
    'responses that no fault explains',
    responded.filter(({ status }) => status !== undefined && status !== 201 && status !== 503),
  );
  const refusals = responded.filter(({ status }) => status === 503);
  const { slowestRefusal = Infinity } = allowed;
  expectNone(
    `503 later than ${slowestRefusal} s`,
    refusals.filter(({ seconds }) => seconds > slowestRefusal),
  );

  const leads = await database('leads').select<LeadRow[]>('id', 'kind', 'email', 'answers', 'idempotency_key');
  const leadsByKey = new Map<string, LeadRow[]>();
  for (const lead of leads) {
    const key = lead.idempotency_key ?? '';
    leadsByKey.set(key, [...(leadsByKey.get(key) ?? []), lead]);
  }
  expectNone(
    'leads without a request',
    leads.filter(({ idempotency_key: key }) => !requests.has(key ?? '')),
  );
  expectNone(
    'leads that differ from the request',
    leads.filter(({ kind, email, answers: fields, idempotency_key: key }) => {
      const request = requests.get(key ?? '');
      if (!request) return false;
      const { body } = request;
      return !isDeepStrictEqual(
        { kind, email, answers: fields },
        { kind: request.kind, email: body.email, answers: body },
      );
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

  // The scenarios in `webhooks.ts` check webhooks themselves.
  const rows = await database('follow_ups')
    .leftJoin('lead_replies', 'lead_replies.id', 'follow_ups.id')
    .whereNot({ kind: 'webhook' })
    .select<FollowUpRow[]>(
      'kind',
      'lead_id',
      'message_id',
      'recipient',
      'state',
      database.raw('withdrawn_at is not null as is_withdrawn'),
    );
  // A lead requires no reminder, reply or notification. Their scenarios count them.
  const ofLeads = rows.filter(({ kind }) => !['reminder', 'reply', 'lead_notification'].includes(kind));
  const required = leads.reduce((sum, lead) => sum + requiredFollowUps(lead, staffEmail).length, 0);
  if (ofLeads.length !== required) wrong.push(`${ofLeads.length} follow-ups instead of ${required}`);
  const unsettled = rows.filter(({ state, recipient, is_withdrawn: isWithdrawn }) => {
    if (isWithdrawn) return state !== 'cancelled';
    return state !== (allowed.refused.has(recipient) ? 'failed' : 'sent');
  });
  expectNone('follow-ups in a wrong state', unsettled);

  const copies = new Map<string, number>();
  for (const { messageId } of accepted) copies.set(messageId, (copies.get(messageId) ?? 0) + 1);
  const sent = new Set(rows.filter(({ state }) => state === 'sent').map(({ message_id: messageId }) => messageId));
  const unaccepted = [...sent].filter((messageId) => !copies.has(messageId));
  expectNone('rows marked sent whose email the mail server never accepted', unaccepted);
  expectNone(
    'emails without a row marked sent',
    [...copies.keys()].filter((messageId) => !sent.has(messageId)),
  );
  const doubled = [...copies].filter(([, count]) => count > 1);
  expectNone(
    'emails accepted twice without a cut response',
    doubled.filter(([messageId, count]) => count > 2 || !allowed.cut.has(messageId)),
  );

  return {
    requests: requests.size,
    created: promised.size,
    failed: requests.size - promised.size,
    leads: leads.length,
    followUps: rows.length,
    mails: accepted.length,
    doubles: doubled.length,
    lost: lostLeads.length + (required - ofLeads.length) + unsettled.length + unaccepted.length,
    slowest: Math.max(0, ...responded.map(({ seconds }) => seconds)),
    wrong,
  };
}
