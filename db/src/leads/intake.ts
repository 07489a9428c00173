import { leadDefinitions, type LeadKind, type RequiredFollowUp } from '@dune-tide/domain/leads';
import type { SpamSign } from '@dune-tide/domain/spam';
import type { Knex } from 'knex';
import { batched, newId, runPrepared, DatabaseUnavailableError, type BatchOptions } from '../connection/index.ts';
import { newFollowUp, type NewFollowUp, type StoredFollowUp } from '../follow-ups/index.ts';
import { countingPoints, sumsByKey, type ExhaustedQuota, type Quota } from '../rate-limits/index.ts';

/** A quota that a lead counts against. */
export interface LeadQuota extends Quota {
  /** The points that the lead uses. */
  readonly points: number;
  /** The number of points above which even a retry of a stored lead is refused. */
  readonly retryLimit: number;
}

/** A validated lead that is to be stored. */
export interface NewLead {
  readonly kind: LeadKind;
  readonly email: string;
  /** The fields of the form as the visitor sent them, and the texts that the form composes from them. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly followUps: readonly RequiredFollowUp[];
  /** The reason why it is held as spam; its follow-ups are then stored when staff release it. */
  readonly spamSign: SpamSign | null;
  /** The key of the request. A second lead with the same key and another kind or other fields is rejected. */
  readonly idempotencyKey: string | null;
  /** The limits that the lead counts against, even if it is not stored; none by default. Each has another key. */
  readonly quotas?: readonly LeadQuota[] | undefined;
}

/**
 * The outcome of storing a lead:
 * - `stored`: the lead and all its follow-ups are committed
 * - `replayed`: the same request was stored before, with this id
 * - `key_reused`: the key belongs to another request
 * - `over_quota`: nothing was stored, because this quota is exhausted; if several are, the one whose window ends first
 */
export type Intake =
  | { readonly outcome: 'stored'; readonly id: string; readonly followUps: readonly StoredFollowUp[] }
  | { readonly outcome: 'replayed'; readonly id: string }
  | { readonly outcome: 'key_reused' }
  | { readonly outcome: 'over_quota'; readonly exhausted: ExhaustedQuota };

/**
 * The time limit for storing a lead. With the time limit for counting the request, it lets the API respond within 5 s
 * (docs/PRODUCT.md, "Time limits").
 */
const storeLimitMs = 4_500;

/**
 * One statement at a time makes the batches large, and a second one gains nothing on a machine with two cores. Larger
 * batches would leave the API idle, without responses to send, while a batch is written. A slow statement does not
 * block the next one for long: the pool has more connections.
 */
const batching: BatchOptions = { concurrency: 1, maxBatchSize: 32, slowAfterMs: 250, maxWaitMs: storeLimitMs };

/** A lead with the ids that it and its follow-ups get. */
interface Arrival {
  readonly id: string;
  readonly lead: NewLead;
  readonly followUps: readonly NewFollowUp[];
}

/**
 * Stores leads. Leads that arrive together are committed together.
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 * @param limitMs - the time limit for storing a lead
 */
export function leadIntake(db: Knex, mailDomain: string, limitMs = storeLimitMs) {
  const store = batched((arrivals: readonly Arrival[]) => insertTogether(db, arrivals), batching);

  const storeOnce = async (lead: NewLead): Promise<Intake> => {
    const id = newId();
    const followUps = lead.spamSign === null ? lead.followUps.map((each) => newFollowUp(each, mailDomain)) : [];
    const written = await store({ id, lead, followUps });
    if (written.outcome === 'over_quota') {
      const { exhausted, allowsRetry } = written;
      // A retry of a stored lead gets the original response even if the quota has been used up in the meantime.
      const earlier = lead.idempotencyKey === null || !allowsRetry ? undefined : await earlierOutcome(db, lead);
      return earlier ?? { outcome: 'over_quota', exhausted };
    }
    if (written.outcome === 'stored') return { outcome: 'stored', id, followUps: followUps.map(storedFollowUp) };
    if (lead.idempotencyKey === null) throw new Error('A lead without a key was not stored');
    // If the earlier lead has been deleted, the key is free again.
    return (await earlierOutcome(db, lead)) ?? storeOnce({ ...lead, quotas: [] });
  };

  return {
    /**
     * Stores a lead and its follow-ups in one statement.
     * @throws {DatabaseUnavailableError} if it is unknown whether the lead was stored
     */
    storeLead: (lead: NewLead): Promise<Intake> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new DatabaseUnavailableError(new Error(`Not stored within ${limitMs} ms`)));
        }, limitMs);
        storeOnce(lead)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      }),
  };
}

type Written =
  | { readonly outcome: 'stored' | 'key_used' }
  | { readonly outcome: 'over_quota'; readonly exhausted: ExhaustedQuota; readonly allowsRetry: boolean };

type StoredOrRefused =
  | { readonly id: string; readonly key: null }
  | { readonly id: string; readonly key: string; readonly milliseconds: number; readonly allows_retry: boolean };

/** Its parameters are the leads with their follow-ups, and the points for the limits, each as one JSON array. */
const storeLeads = {
  name: 'store-leads',
  text: `
    with arrived as materialized (
      select * from json_to_recordset($1::json) as lead (
        id uuid, kind text, email text, status text, answers jsonb, spam_sign text,
        idempotency_key text, follow_ups json, quotas json
      )
    ), counted as (${countingPoints('$2')}
    ), refused as materialized (
      select distinct on (arrived.id) arrived.id, counted.key, counted.milliseconds,
        bool_and(counted.points <= quota.retry_limit) over (partition by arrived.id) as allows_retry
      from arrived
      cross join json_to_recordset(arrived.quotas) as quota (key text, quota integer, retry_limit integer)
      join counted on counted.key = quota.key
      where counted.points > quota.quota
      order by arrived.id, counted.milliseconds
    ), stored as (
      insert into leads (id, kind, email, status, answers, spam_sign, idempotency_key)
      select id, kind, email, status, answers, spam_sign, idempotency_key from arrived
      where id not in (select id from refused)
      on conflict (idempotency_key) do nothing
      returning id
    ), owed as (
      insert into follow_ups (id, lead_id, kind, recipient, message_id)
      select owed.id, stored.id, owed.kind, owed.recipient, owed.message_id
      from stored
      join arrived on arrived.id = stored.id
      cross join json_to_recordset(arrived.follow_ups)
        as owed (id uuid, kind text, recipient text, message_id text)
    )
    select id, null as key, null::integer as milliseconds, null::boolean as allows_retry from stored
    union all
    select id, key, milliseconds, allows_retry from refused`,
};

/**
 * Counts leads against their quotas, and stores those within them with their follow-ups. The leads are passed as one
 * JSON value, so that one prepared statement serves any number of them.
 */
async function insertTogether(db: Knex, arrivals: readonly Arrival[]): Promise<Written[]> {
  const behind = pointsBehind(arrivals);
  const rows = arrivals.map(({ id, lead, followUps }, index) => ({
    id,
    kind: lead.kind,
    email: lead.email,
    status: leadDefinitions[lead.kind].initialStatus,
    answers: lead.fields,
    spam_sign: lead.spamSign,
    idempotency_key: lead.idempotencyKey,
    follow_ups: followUps,
    // The database has counted the whole batch, so the points of later leads are already in the sum.
    quotas: quotasOf(lead).map(({ key, limit, retryLimit }) => {
      const later = behind[index]?.get(key) ?? 0;
      return { key, quota: limit + later, retry_limit: retryLimit + later };
    }),
  }));
  // Two statements that insert the same keys in different orders would deadlock.
  rows.sort((a, b) => compare(a.idempotency_key ?? '', b.idempotency_key ?? ''));
  const counted = sumsByKey(arrivals.flatMap(({ lead }) => quotasOf(lead)));
  const found = await runPrepared<StoredOrRefused>(db, storeLeads, [JSON.stringify(rows), JSON.stringify(counted)]);
  const byId = new Map(found.map((row) => [row.id, row]));
  return arrivals.map(({ id }): Written => {
    const row = byId.get(id);
    if (!row) return { outcome: 'key_used' };
    if (row.key === null) return { outcome: 'stored' };
    const { key, milliseconds, allows_retry } = row;
    return { outcome: 'over_quota', exhausted: { key, milliseconds }, allowsRetry: allows_retry };
  });
}

/** Returns, for each arrival, the points that later arrivals take from the same quotas, by key. */
function pointsBehind(arrivals: readonly Arrival[]): ReadonlyMap<string, number>[] {
  const sums = new Map<string, number>();
  return arrivals
    .toReversed()
    .map(({ lead }) => {
      const quotas = quotasOf(lead);
      const behind = new Map(quotas.map(({ key }) => [key, sums.get(key) ?? 0]));
      for (const { key, points } of quotas) sums.set(key, (sums.get(key) ?? 0) + points);
      return behind;
    })
    .toReversed();
}

const quotasOf = ({ quotas = [] }: NewLead): readonly LeadQuota[] => quotas;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function storedFollowUp({ id, kind }: StoredFollowUp): StoredFollowUp {
  return { id, kind };
}

async function earlierOutcome(db: Knex, { kind, fields, idempotencyKey }: NewLead): Promise<Intake | undefined> {
  const isSame = db.raw('kind = ? and answers = ?::jsonb as is_same', [kind, JSON.stringify(fields)]);
  const earlier = await db('leads')
    .where({ idempotency_key: idempotencyKey })
    .first<{ id: string; is_same: boolean } | undefined>('id', isSame);
  if (!earlier) return undefined;
  return earlier.is_same ? { outcome: 'replayed', id: earlier.id } : { outcome: 'key_reused' };
}
