import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import { initialStatus, type LeadKind, type RequiredFollowUp } from '@dune-tide/domain/leads';
import type { SpamSign } from '@dune-tide/domain/spam';
import type { Knex } from 'knex';
import { batched, type BatchOptions } from './batched.ts';
import { newId } from './ids.ts';
import { runPrepared } from './prepared.ts';
import { countingPoints, sumsByKey } from './rate-limits.ts';
import { DatabaseUnavailableError, reachDatabase } from './unavailable.ts';

/** At most `leads` leads for a key within a window that begins with the first one; see `db/src/rate-limits.ts`. */
export interface Quota {
  readonly key: string;
  readonly leads: number;
  readonly milliseconds: number;
}

/** A validated lead on its way in. */
export interface NewLead {
  readonly kind: LeadKind;
  readonly email: string;
  /** Everything the visitor sent that the form knows, composed texts included. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly followUps: readonly RequiredFollowUp[];
  /** Why it is taken for spam; what it owes is then written when staff release it. */
  readonly spamSign: SpamSign | null;
  /** What the request carried; with another kind of lead or other answers it is refused. */
  readonly idempotencyKey: string | null;
  /** What it counts against, stored or not; nothing is no limit. */
  readonly quota?: Quota | undefined;
}

/** A follow-up that waits for its worker. */
export interface StoredFollowUp {
  readonly id: string;
  readonly kind: FollowUpKind;
}

/**
 * - `stored`: the lead and all its follow-ups are committed
 * - `replayed`: the same request was stored before; its id again
 * - `key_reused`: the key belongs to another request
 * - `over_quota`: nothing was stored, since the quota is used up for so many milliseconds
 */
export type Intake =
  | { readonly outcome: 'stored'; readonly id: string; readonly followUps: readonly StoredFollowUp[] }
  | { readonly outcome: 'replayed'; readonly id: string }
  | { readonly outcome: 'key_reused' }
  | { readonly outcome: 'over_quota'; readonly milliseconds: number };

/**
 * - `released`: the mark is gone and the follow-ups are committed
 * - `unmarked`: there was no mark, or no longer; nothing was written
 * - `unknown`: there is no such lead
 */
export type Release =
  | { readonly outcome: 'released'; readonly followUps: readonly StoredFollowUp[] }
  | { readonly outcome: 'unmarked' }
  | { readonly outcome: 'unknown' };

/** Together with the time that a count of the limits may take, it leaves room to answer within 5 s (reliability, "Faults to survive"). */
const takeInLimitMs = 4_500;

/**
 * One at a time makes the batches large, and a machine of two cores has no use for a second; not so large, though, that
 * the api has nobody to answer while a batch is written. Nobody waits long behind a server that is slow or stopped: the
 * pool has connections for others.
 */
const batching: BatchOptions = { concurrency: 1, maxBatchSize: 32, slowAfterMs: 250, maxWaitMs: takeInLimitMs };

/** A lead as its statement takes it, with the ids that it gets. */
interface Arrival {
  readonly id: string;
  readonly lead: NewLead;
  readonly followUps: readonly FollowUpRow[];
}

interface FollowUpRow extends StoredFollowUp {
  readonly recipient: string;
  readonly message_id: string;
}

/**
 * The one way in for leads. Those that arrive together are committed together.
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 */
export function leadIntake(db: Knex, mailDomain: string) {
  const followUpRow = ({ kind, recipient }: RequiredFollowUp): FollowUpRow => {
    const id = newId();
    return { id, kind, recipient, message_id: `<${id}@${mailDomain}>` };
  };

  const store = batched((arrivals: readonly Arrival[]) => insertTogether(db, arrivals), batching);

  const takeIn = async (lead: NewLead): Promise<Intake> => {
    const id = newId();
    const followUps = lead.spamSign === null ? lead.followUps.map(followUpRow) : [];
    const written = await store({ id, lead, followUps });
    if (written.outcome === 'over_quota') {
      // Whoever lost the answer to a lead that was stored gets it also when the quota is used up since.
      return (lead.idempotencyKey === null ? undefined : await earlierAnswer(db, lead)) ?? written;
    }
    if (written.outcome === 'stored') return { outcome: 'stored', id, followUps: followUps.map(storedFollowUp) };
    if (lead.idempotencyKey === null) throw new Error('A lead without a key was not stored');
    // No answer: the earlier lead was deleted meanwhile, so the key is free again.
    return (await earlierAnswer(db, lead)) ?? takeIn({ ...lead, quota: undefined });
  };

  return {
    /**
     * Commits a lead together with the follow-ups it owes, in one statement.
     * @throws {DatabaseUnavailableError} when nothing is known to be stored
     */
    takeIn: (lead: NewLead): Promise<Intake> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new DatabaseUnavailableError(new Error(`Not stored within ${takeInLimitMs} ms`)));
        }, takeInLimitMs);
        takeIn(lead)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      }),

    /**
     * Takes the mark of spam off a lead and writes the follow-ups that it owes, once however often it is asked.
     * @param owedBy - what a lead owes
     * @throws {DatabaseUnavailableError}
     */
    async release(
      id: string,
      owedBy: (lead: Pick<NewLead, 'kind' | 'email'>) => readonly RequiredFollowUp[],
    ): Promise<Release> {
      return reachDatabase(
        db.transaction(async (transaction): Promise<Release> => {
          // Of two who release at once the second waits here, and finds the mark gone.
          const lead = await transaction('leads')
            .where({ id })
            .forUpdate()
            .first<(Pick<NewLead, 'kind' | 'email'> & { spam_sign: SpamSign | null }) | undefined>(
              'kind',
              'email',
              'spam_sign',
            );
          if (!lead) return { outcome: 'unknown' };
          if (lead.spam_sign === null) return { outcome: 'unmarked' };
          const followUps = owedBy(lead).map(followUpRow);
          await transaction('follow_ups').insert(followUps.map((followUp) => ({ ...followUp, lead_id: id })));
          await transaction('leads').where({ id }).update({ spam_sign: null });
          return { outcome: 'released', followUps: followUps.map(storedFollowUp) };
        }),
      );
    },
  };
}

type Written = { readonly outcome: 'stored' | 'key_used' } | Extract<Intake, { readonly outcome: 'over_quota' }>;

/** Takes leads with all that they owe, and points for the limits, each as one JSON value. */
const takeInLeads = {
  name: 'take-in-leads',
  text: `
    with arrived as materialized (
      select * from json_to_recordset($1::json) as lead (
        id uuid, kind text, email text, status text, answers jsonb, spam_sign text,
        idempotency_key text, follow_ups json, quota_key text, quota_points integer
      )
    ), counted as (${countingPoints('$2')}
    ), refused as materialized (
      select arrived.id, counted.milliseconds
      from arrived join counted on counted.key = arrived.quota_key
      where counted.points > arrived.quota_points
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
    select id, null::integer as milliseconds from stored
    union all
    select id, milliseconds from refused`,
};

/**
 * Counts leads against their quotas and writes those within them, with all that they owe. They come as one JSON value,
 * so that the statement is the same for any number.
 */
async function insertTogether(db: Knex, arrivals: readonly Arrival[]): Promise<Written[]> {
  const counted = arrivals.flatMap(({ lead: { quota } }) => (quota ? [{ ...quota, points: 1 }] : []));
  const behind = sameQuotaBehind(arrivals);
  const rows = arrivals.map(({ id, lead, followUps }, index) => ({
    id,
    kind: lead.kind,
    email: lead.email,
    status: initialStatus(lead.kind),
    answers: lead.answers,
    spam_sign: lead.spamSign,
    idempotency_key: lead.idempotencyKey,
    follow_ups: followUps,
    quota_key: lead.quota?.key ?? null,
    // How many there may be with those that came behind it.
    quota_points: lead.quota ? lead.quota.leads + (behind[index] ?? 0) : null,
  }));
  // Two statements with the same keys in different orders would wait for each other.
  rows.sort((a, b) => compare(a.idempotency_key ?? '', b.idempotency_key ?? ''));
  const found = await reachDatabase(
    runPrepared<{ id: string; milliseconds: number | null }>(db, takeInLeads, [
      JSON.stringify(rows),
      JSON.stringify(sumsByKey(counted)),
    ]),
  );
  const waits = new Map(found.map(({ id, milliseconds }) => [id, milliseconds]));
  return arrivals.map(({ id }) => {
    const milliseconds = waits.get(id);
    if (milliseconds === undefined) return { outcome: 'key_used' };
    return milliseconds === null ? { outcome: 'stored' } : { outcome: 'over_quota', milliseconds };
  });
}

/** How many of the same quota stand behind each. */
function sameQuotaBehind(arrivals: readonly Arrival[]): number[] {
  const behind = new Map<string, number>();
  return arrivals
    .toReversed()
    .map(({ lead: { quota } }) => {
      if (!quota) return 0;
      const count = behind.get(quota.key) ?? 0;
      behind.set(quota.key, count + 1);
      return count;
    })
    .toReversed();
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function storedFollowUp({ id, kind }: StoredFollowUp): StoredFollowUp {
  return { id, kind };
}

async function earlierAnswer(db: Knex, { kind, answers, idempotencyKey }: NewLead): Promise<Intake | undefined> {
  const isSame = db.raw('kind = ? and answers = ?::jsonb as is_same', [kind, JSON.stringify(answers)]);
  const earlier = await reachDatabase(
    db('leads')
      .where({ idempotency_key: idempotencyKey })
      .first<{ id: string; is_same: boolean } | undefined>('id', isSame),
  );
  if (!earlier) return undefined;
  return earlier.is_same ? { outcome: 'replayed', id: earlier.id } : { outcome: 'key_reused' };
}
