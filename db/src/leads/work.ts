import type { LeadKind, LeadStatus, RequiredFollowUp } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import { newId, reachDatabase } from '../connection/index.ts';
import { newFollowUp, isNotWithdrawn, type StoredFollowUp } from '../follow-ups/index.ts';
import { isAnswered, isOpen, owner, status, type Person } from '../lead-expressions/index.ts';
import { leadLists, type StoredLead } from './lists.ts';

/** Changes of a lead by staff. A field that is left out stays as it is. */
export interface LeadChanges {
  readonly status?: LeadStatus | undefined;
  /** The id of an active account; null for no owner. */
  readonly ownerId?: string | null | undefined;
  /** Whether the lead counts as answered. */
  readonly answered?: boolean | undefined;
}

/** Changes of several leads by staff. */
export interface BulkChanges extends LeadChanges {
  /** Marks leads as spam, or releases them. */
  readonly spam?: boolean | undefined;
}

/** Returns the follow-ups that a lead requires. */
export type OwedBy = (lead: { readonly kind: LeadKind; readonly email: string }) => readonly RequiredFollowUp[];

/**
 * The outcome of a change of one lead:
 * - `done`: the lead has the wanted values; `isChanged` is false if it had them before
 * - `unknown`: the lead does not exist
 * - `other_version`: the lead has none of the expected versions
 * - `no_status`: a portfolio request has no status
 * - `no_such_owner`: the owner is not an active account
 */
export type LeadChangeOutcome =
  | { readonly outcome: 'done'; readonly lead: StoredLead; readonly isChanged: boolean }
  | { readonly outcome: 'unknown' | 'other_version' | 'no_status' | 'no_such_owner' };

/** A request to change several leads. A transaction for each part of the leads carries it out. */
export interface BulkRequest {
  /** The same for each attempt. */
  readonly id: string;
  /** Distinguishes requests with the same id that ask for something else; undefined if the id is of this attempt alone. */
  readonly content?: string | undefined;
}

/** The outcome of a change of several leads; `no_such_owner` as for one lead, `id_used` if another request has the id. */
export type BulkOutcome =
  | {
      readonly outcome: 'done';
      /** Whether an earlier attempt made the changes. */
      readonly isRepeated: boolean;
      readonly changed: readonly string[];
      readonly unchanged: readonly string[];
      readonly missing: readonly string[];
      /** Emails that are due because leads were released. */
      readonly followUps: readonly StoredFollowUp[];
    }
  | { readonly outcome: 'no_such_owner' | 'id_used' };

/**
 * The outcome of releasing a lead that is held as spam:
 * - `released`: the spam sign is cleared, and the follow-ups are committed
 * - `unmarked`: the lead has no spam sign; nothing was written
 * - `unknown`: the lead does not exist
 */
export type Release =
  | { readonly outcome: 'released'; readonly followUps: readonly StoredFollowUp[] }
  | { readonly outcome: 'unmarked' }
  | { readonly outcome: 'unknown' };

/** The outcome of marking a lead as spam; `held` if it was held before. */
export type SpamMark = 'marked' | 'held' | 'unknown';

/** A kind of entry in `lead_events`. */
type EventKind = 'status' | 'owner' | 'answered' | 'not_answered' | 'spam' | 'released';

interface NewEvent {
  readonly lead_id: string;
  readonly kind: EventKind;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A lead as it is before a change. Its row is locked until the transaction ends. */
interface LockedLead {
  readonly id: string;
  readonly kind: LeadKind;
  readonly email: string;
  readonly status: LeadStatus | null;
  readonly owner: Person | null;
  readonly isAnswered: boolean;
  readonly isHeld: boolean;
  readonly version: number;
}

/** The values that a lead gets. */
interface ChangedRow {
  readonly id: string;
  readonly status: LeadStatus | null;
  readonly owner_id: string | null;
  readonly answered: 'now' | 'never' | 'as before';
}

/** The values that a change gives a lead. A member that is undefined stays as it is. */
interface Wanted {
  readonly status?: LeadStatus | undefined;
  readonly owner?: Person | null | undefined;
  readonly answered?: boolean | undefined;
}

/** The number of leads of a deactivated account that one statement changes, so that it ends within its time limit. */
const disownedTogether = 1_000;

/**
 * Changes leads for staff, and records each change in the lead's history in the same transaction.
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 */
export function leadWork(db: Knex, mailDomain: string) {
  return {
    /**
     * Changes a lead.
     * @param versions - the versions that the lead may have; undefined for any version
     */
    async change(
      id: string,
      changes: LeadChanges,
      actor: Person,
      versions?: readonly number[],
    ): Promise<LeadChangeOutcome> {
      return reachDatabase(
        db.transaction(async (transaction): Promise<LeadChangeOutcome> => {
          const newOwner = await ownerOf(transaction, changes);
          if (newOwner === undefined) return { outcome: 'no_such_owner' };
          const [lead] = await lockLeads(transaction, [id]);
          if (!lead) return { outcome: 'unknown' };
          if (versions && !versions.includes(lead.version)) return { outcome: 'other_version' };
          if (lead.status === null && changes.status !== undefined) return { outcome: 'no_status' };
          const wanted = wantedBy(changes, newOwner);
          const changed = await changeLocked(transaction, [lead], () => wanted, actor);
          const now = await leadLists(transaction).one(id);
          return now ? { outcome: 'done', lead: now, isChanged: changed.has(id) } : { outcome: 'unknown' };
        }),
      );
    },

    /**
     * Changes several leads in one transaction, whatever their versions. A status is not set for portfolio requests. A
     * second attempt of a request changes nothing, also if the leads were changed in the meantime.
     */
    async changeTogether(
      ids: readonly string[],
      { spam, ...changes }: BulkChanges,
      actor: Person,
      owedBy: OwedBy,
      request?: BulkRequest,
    ): Promise<BulkOutcome> {
      return reachDatabase(
        db.transaction(async (transaction): Promise<BulkOutcome> => {
          const newOwner = await ownerOf(transaction, changes);
          if (newOwner === undefined) return { outcome: 'no_such_owner' };
          return changeOnce(transaction, ids, actor, request, async (leads) => {
            const wanted = wantedBy(changes, newOwner);
            const changed = await changeLocked(transaction, leads, () => wanted, actor, request);
            const followUps: StoredFollowUp[] = [];
            if (spam === true) {
              for (const id of await markLocked(transaction, leads, actor, request)) changed.add(id);
            }
            if (spam === false) {
              for (const lead of leads.filter(({ isHeld }) => isHeld)) {
                followUps.push(...(await releaseLocked(transaction, lead, owedBy(lead), mailDomain, actor, request)));
                changed.add(lead.id);
              }
            }
            return { changed, followUps };
          });
        }),
      );
    },

    /**
     * Gives leads the status and the owner that they had before an earlier request of the same actor, and starts the
     * clocks that it has stopped. A lead is changed only if that request has changed it and nothing has changed it since.
     * @param undoes - the id of the earlier request
     */
    async undoTogether(
      ids: readonly string[],
      undoes: string,
      actor: Person,
      request?: BulkRequest,
    ): Promise<BulkOutcome> {
      return reachDatabase(
        db.transaction(async (transaction): Promise<BulkOutcome> => {
          const earlier = await changesOf(transaction, undoes, ids, actor);
          const owners = await activeAccounts(
            transaction,
            [...earlier.values()].flatMap(({ from }) => from.owner?.id ?? []),
          );
          return changeOnce(transaction, ids, actor, request, async (leads) => {
            const unchanged = leads.filter(({ id, version }) => earlier.get(id)?.version === version);
            const before = ({ id, isAnswered: answered }: LockedLead): Wanted => {
              const { from } = earlier.get(id) ?? {};
              // A former owner that was deactivated in the meantime has lost its leads.
              return { answered, ...from, ...(from?.owner && { owner: owners.get(from.owner.id) ?? null }) };
            };
            return { changed: await changeLocked(transaction, unchanged, before, actor, request), followUps: [] };
          });
        }),
      );
    },

    /** Marks a lead as spam: stops its clock and cancels its waiting emails. A second mark writes nothing. */
    async markAsSpam(id: string, actor: Person): Promise<SpamMark> {
      return reachDatabase(
        db.transaction(async (transaction): Promise<SpamMark> => {
          const leads = await lockLeads(transaction, [id]);
          if (leads.length === 0) return 'unknown';
          return (await markLocked(transaction, leads, actor)).length > 0 ? 'marked' : 'held';
        }),
      );
    },

    /**
     * Clears the spam sign of a lead, starts its clock, stores the follow-ups that it requires, and resumes those that
     * the mark has cancelled. A second release writes nothing.
     */
    async release(id: string, owedBy: OwedBy, actor: Person): Promise<Release> {
      return reachDatabase(
        db.transaction(async (transaction): Promise<Release> => {
          // If two releases race, the second waits here and then finds the spam sign cleared.
          const [lead] = await lockLeads(transaction, [id]);
          if (!lead) return { outcome: 'unknown' };
          if (!lead.isHeld) return { outcome: 'unmarked' };
          return {
            outcome: 'released',
            followUps: await releaseLocked(transaction, lead, owedBy(lead), mailDomain, actor),
          };
        }),
      );
    },
  };
}

/**
 * Removes the owner from all open leads of an account, and records it.
 * @param transaction - in which the account was deactivated, so that no lead can get it as its owner in the meantime
 * @param actorId - the member of staff who deactivated the account; undefined if an operator did
 */
export async function removeOwner(
  transaction: Knex.Transaction,
  ownerId: string,
  actorId: string | undefined,
): Promise<void> {
  for (;;) {
    const { rows } = await transaction.raw<{ rows: { count: number }[] }>(
      `with owned as (
         select id from leads where owner_id = :ownerId and ${isOpen}
         order by id limit ${disownedTogether} for no key update
       ), changed as (
         update leads set owner_id = null, version = version + 1, updated_at = now()
         from owned where leads.id = owned.id
         returning leads.id
       ), recorded as (
         insert into lead_events (id, lead_id, kind, actor_id, actor_name, details)
         select gen_random_uuid(), changed.id, 'owner', actor.id, actor.name,
                jsonb_build_object('from', jsonb_build_object('id', former.id, 'name', former.name), 'to', null)
         from changed
         join staff former on former.id = :ownerId
         left join staff actor on actor.id = :actorId
       )
       select count(*)::integer as count from changed`,
      { ownerId, actorId: actorId ?? null },
    );
    if ((rows[0]?.count ?? 0) < disownedTogether) return;
  }
}

/**
 * Looks up the wanted owner. The lock makes a deactivation wait, so that it finds the lead afterwards.
 * @returns null if no owner is wanted; undefined if the account does not exist or is inactive
 */
async function ownerOf(transaction: Knex.Transaction, { ownerId }: LeadChanges): Promise<Person | null | undefined> {
  if (ownerId === undefined || ownerId === null) return null;
  return transaction('staff')
    .where({ id: ownerId, is_active: true })
    .forShare()
    .first<Person | undefined>('id', 'name');
}

/** Returns the active accounts among some, by id, locked as `ownerOf` does. */
async function activeAccounts(transaction: Knex.Transaction, ids: readonly string[]): Promise<Map<string, Person>> {
  const accounts = await transaction('staff')
    .whereIn('id', ids)
    .where({ is_active: true })
    .orderBy('id')
    .forShare()
    .select<Person[]>('id', 'name');
  return new Map(accounts.map((account) => [account.id, account]));
}

const wantedBy = ({ status: newStatus, ownerId, answered }: LeadChanges, newOwner: Person | null): Wanted => {
  return { status: newStatus, answered, ...(ownerId !== undefined && { owner: newOwner }) };
};

/**
 * Locks leads and changes them, unless an earlier attempt of the request has.
 * @param change - changes the locked leads; returns the ids of those that it has changed
 */
async function changeOnce(
  transaction: Knex.Transaction,
  ids: readonly string[],
  actor: Person,
  request: BulkRequest | undefined,
  change: (leads: readonly LockedLead[]) => Promise<{
    readonly changed: ReadonlySet<string>;
    readonly followUps: readonly StoredFollowUp[];
  }>,
): Promise<BulkOutcome> {
  if (request && !(await isSameRequest(transaction, request, actor))) return { outcome: 'id_used' };
  const found = await lockLeads(transaction, ids);
  const earlier = request ? await changesOf(transaction, request.id, ids, actor) : new Map<string, RequestedChange>();
  const isRepeated = earlier.size > 0;
  const { changed, followUps } = isRepeated ? { changed: new Set(earlier.keys()), followUps: [] } : await change(found);
  return {
    outcome: 'done',
    isRepeated,
    changed: [...changed],
    unchanged: found.filter(({ id }) => !changed.has(id)).map(({ id }) => id),
    missing: ids.filter((id) => !found.some((lead) => lead.id === id)),
    followUps,
  };
}

/**
 * Records a request with its id, and returns whether it asks for the same as earlier ones with that id. A concurrent one
 * waits until this transaction ends.
 */
async function isSameRequest(
  transaction: Knex.Transaction,
  { id, content }: BulkRequest,
  actor: Person,
): Promise<boolean> {
  if (content === undefined) return true;
  const key = { staff_id: actor.id, id };
  await transaction('bulk_requests')
    .insert({ ...key, content })
    .onConflict(['staff_id', 'id'])
    .ignore();
  const stored = await transaction('bulk_requests').where(key).first<{ content: string } | undefined>('content');
  return stored?.content === content;
}

/** Locks leads in the order of their ids, so that two bulk changes do not deadlock. */
async function lockLeads(transaction: Knex.Transaction, ids: readonly string[]): Promise<LockedLead[]> {
  const { rows } = await transaction.raw<{ rows: LockedLead[] }>(
    `select id, kind, email, ${status} as status, ${owner} as owner, ${isAnswered} as "isAnswered",
            spam_sign is not null as "isHeld", version
     from leads where id = any (?::uuid[]) order by id for no key update of leads`,
    [[...ids]],
  );
  return rows;
}

/**
 * @param wantedOf - returns the values that a lead gets
 * @returns the ids of the leads that were changed
 */
async function changeLocked(
  transaction: Knex.Transaction,
  leads: readonly LockedLead[],
  wantedOf: (lead: LockedLead) => Wanted,
  actor: Person,
  request?: BulkRequest,
): Promise<Set<string>> {
  const rows: ChangedRow[] = [];
  const events: NewEvent[] = [];
  for (const lead of leads) {
    const eventsBefore = events.length;
    const record = (kind: EventKind, details: NewEvent['details'] = {}): void =>
      void events.push({ lead_id: lead.id, kind, details });
    const wanted = wantedOf(lead);

    const newStatus = lead.status === null ? null : (wanted.status ?? lead.status);
    const answers = wanted.answered === undefined && !lead.isAnswered && lead.status === 'new' && newStatus !== 'new';
    if (newStatus !== lead.status) record('status', { from: lead.status, to: newStatus, ...(answers && { answers }) });

    const next = wanted.owner === undefined ? lead.owner : wanted.owner;
    if (next?.id !== lead.owner?.id) record('owner', { from: lead.owner, to: next });

    const shouldBeAnswered = wanted.answered ?? (lead.isAnswered || answers);
    if (wanted.answered !== undefined && wanted.answered !== lead.isAnswered) {
      record(wanted.answered ? 'answered' : 'not_answered');
    }
    if (events.length === eventsBefore) continue;
    const answered = shouldBeAnswered ? 'now' : 'never';
    rows.push({
      id: lead.id,
      status: newStatus,
      owner_id: next?.id ?? null,
      answered: shouldBeAnswered === lead.isAnswered ? 'as before' : answered,
    });
  }
  if (rows.length > 0) {
    await transaction.raw(
      `update leads set
         status = wanted.status,
         owner_id = wanted.owner_id,
         answered_at = case wanted.answered when 'now' then now() when 'never' then null else answered_at end,
         answered_before = case when wanted.answered = 'as before' then answered_before end,
         version = version + 1,
         updated_at = now()
       from jsonb_to_recordset(?::jsonb) as wanted (id uuid, status text, owner_id uuid, answered text)
       where leads.id = wanted.id`,
      [JSON.stringify(rows)],
    );
    await recordEvents(transaction, events, actor, request);
  }
  return new Set(rows.map(({ id }) => id));
}

/** @returns the ids of the leads that were not held before */
async function markLocked(
  transaction: Knex.Transaction,
  leads: readonly LockedLead[],
  actor: Person,
  request?: BulkRequest,
): Promise<readonly string[]> {
  const ids = leads.filter(({ isHeld }) => !isHeld).map(({ id }) => id);
  if (ids.length === 0) return ids;
  await transaction('leads')
    .whereIn('id', ids)
    .update({
      spam_sign: 'by_hand',
      version: transaction.raw('version + 1'),
      updated_at: transaction.fn.now(),
    });
  const cancelled = await transaction('follow_ups')
    .whereIn('lead_id', ids)
    .whereIn('state', ['pending', 'withheld'])
    .whereNot({ kind: 'webhook' })
    .update({ state: 'cancelled', updated_at: transaction.fn.now() })
    .returning<{ id: string; lead_id: string }[]>(['id', 'lead_id']);
  // If the attempt fails temporarily, the worker cancels the email.
  const beingSent = await transaction('follow_ups')
    .whereIn('lead_id', ids)
    .where({ state: 'sending' })
    .whereNot({ kind: 'webhook' })
    .select<{ id: string; lead_id: string }[]>(['id', 'lead_id']);
  const events = ids.map((leadId): NewEvent => {
    // A release resumes these emails, but none that a person has cancelled.
    const ofLead = [...cancelled, ...beingSent].filter((followUp) => followUp.lead_id === leadId).map(({ id }) => id);
    return { lead_id: leadId, kind: 'spam', details: { cancelled: ofLead } };
  });
  await recordEvents(transaction, events, actor, request);
  return ids;
}

/** @returns the follow-ups that are due */
async function releaseLocked(
  transaction: Knex.Transaction,
  { id }: LockedLead,
  owed: readonly RequiredFollowUp[],
  mailDomain: string,
  actor: Person,
  request?: BulkRequest,
): Promise<StoredFollowUp[]> {
  // If the lead was marked by hand, its earlier follow-ups exist and are kept.
  const added = await transaction('follow_ups')
    .insert(owed.map((each) => ({ ...newFollowUp(each, mailDomain), lead_id: id })))
    .onConflict()
    .ignore()
    .returning<StoredFollowUp[]>(['id', 'kind']);
  const { rows: resumed } = await transaction.raw<{ rows: StoredFollowUp[] }>(
    `update follow_ups set
       state = 'pending', attempts = 0, available_at = now(), sweep_at = now() + interval '2 seconds',
       retried_at = now(), updated_at = now()
     where lead_id = :id and state = 'cancelled' and ${isNotWithdrawn} and id::text in (
       select jsonb_array_elements_text(mark.details -> 'cancelled') from (
         select details from lead_events where lead_id = :id and kind = 'spam' order by at desc, id desc limit 1
       ) as mark
     )
     returning id, kind`,
    { id },
  );
  // A lead that was marked by hand keeps `answered_before`: if it counted as answered before, it still does.
  await transaction('leads')
    .where({ id })
    .update({
      answered_before: transaction.raw(`case when spam_sign = 'by_hand' then answered_before end`),
      spam_sign: null,
      clock_started_at: transaction.fn.now(),
      version: transaction.raw('version + 1'),
      updated_at: transaction.fn.now(),
    });
  await recordEvents(transaction, [{ lead_id: id, kind: 'released' }], actor, request);
  return [...added, ...resumed];
}

/** A change of a lead by a bulk request. */
interface RequestedChange {
  /** The version that it has given the lead. */
  readonly version: number;
  /** The earlier values of the lead, as far as they can be undone. */
  readonly from: Wanted;
}

/** Returns the changes that a request of an account has made of leads, by the id of the lead. */
async function changesOf(
  transaction: Knex.Transaction,
  request: string,
  ids: readonly string[],
  actor: Person,
): Promise<ReadonlyMap<string, RequestedChange>> {
  const { rows } = await transaction.raw<{
    rows: { leadId: string; kind: EventKind; details: Readonly<Record<string, unknown>> & { version: number } }[];
  }>(
    `select lead_id as "leadId", kind, details from lead_events
     where lead_id = any (:ids::uuid[]) and details ->> 'request' = :request and actor_id = :actorId`,
    { ids: [...ids], request, actorId: actor.id },
  );
  const changes = new Map<string, RequestedChange>();
  for (const { leadId, kind, details } of rows) {
    const earlier = changes.get(leadId);
    changes.set(leadId, {
      version: Math.max(details.version, earlier?.version ?? 0),
      from: { ...earlier?.from, ...valuesBefore(kind, details) },
    });
  }
  return changes;
}

/** Returns what a lead had before an event; the time of an answer cannot be given back. */
function valuesBefore(kind: EventKind, { from, answers }: Readonly<Record<string, unknown>>): Wanted {
  if (kind === 'status') return { status: from as LeadStatus, ...(answers === true && { answered: false }) };
  if (kind === 'owner') return { owner: from as Person | null };
  return kind === 'answered' ? { answered: false } : {};
}

/**
 * Adds entries to the histories. Their ids sort in the order of the list. Those of a bulk request have its id and the
 * version of the lead, which has been changed before.
 */
async function recordEvents(
  transaction: Knex.Transaction,
  events: readonly NewEvent[],
  actor: Person,
  request?: BulkRequest,
): Promise<void> {
  const rows = events.map(({ details = {}, ...event }) => ({
    id: newId(),
    ...event,
    details: { ...details, ...(request && { request: request.id }) },
  }));
  await transaction.raw(
    `insert into lead_events (id, lead_id, kind, actor_id, actor_name, details)
     select added.id, added.lead_id, added.kind, :actorId, :actorName,
            added.details || case when :hasRequest then jsonb_build_object('version', leads.version) else '{}' end
     from jsonb_to_recordset(:rows::jsonb) as added (id uuid, lead_id uuid, kind text, details jsonb)
     join leads on leads.id = added.lead_id
     order by added.id`,
    { rows: JSON.stringify(rows), hasRequest: request !== undefined, actorId: actor.id, actorName: actor.name },
  );
}
