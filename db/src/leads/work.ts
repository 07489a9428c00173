import type { LeadKind, LeadStatus, RequiredFollowUp } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import type { StoredFollowUp } from '../follow-ups/index.ts';
import type { Person } from '../lead-expressions/index.ts';
import { changeOnce, changesOf, type BulkOutcome, type BulkRequest, type ValuesLeft } from './bulk-requests.ts';
import { changeLocked, type Wanted } from './changes.ts';
import { leadLists, type StoredLead } from './lists.ts';
import { lockLeads, type LockedLead } from './locked-leads.ts';
import { activeAccounts, ownerOf } from './owners.ts';
import { markLocked, releaseLocked } from './spam.ts';

/** Changes of a lead by staff. A field that is left out stays as it is. */
export interface LeadChanges {
  readonly status?: LeadStatus | undefined;
  /** The id of an active account; null for no owner. */
  readonly ownerId?: string | null | undefined;
  /** Whether the lead counts as answered. */
  readonly answered?: boolean | undefined;
}

/** The lead as the author of a change saw it. */
export interface LeadView {
  /** The values that the lead must have. A field that is left out may have any value. */
  readonly seen?: LeadChanges | undefined;
  /** Without `seen`, the versions that the lead may have; undefined for any version. */
  readonly versions?: readonly number[] | undefined;
}

/** Changes of several leads by staff. */
export interface BulkChanges extends LeadChanges {
  /** Marks leads as spam, or releases them. */
  readonly spam?: boolean | undefined;
}

/** Returns the follow-ups that a lead requires. */
export type RequiredBy = (lead: { readonly kind: LeadKind; readonly email: string }) => readonly RequiredFollowUp[];

/**
 * The outcome of a change of one lead:
 * - `done`: the lead has the wanted values
 * - `unknown`: the lead does not exist
 * - `changed`: the lead is not as its author saw it
 * - `no_status`: a portfolio request has no status
 * - `no_such_owner`: the owner is not an active account
 */
export type LeadChangeOutcome =
  | { readonly outcome: 'done'; readonly lead: StoredLead }
  | { readonly outcome: 'unknown' | 'changed' | 'no_status' | 'no_such_owner' };

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

/**
 * Changes leads for staff, and records each change in the lead's history in the same transaction.
 * @param db - a pool or a transaction
 * @param mailDomain - the right side of the Message-IDs
 */
export function leadWork(db: Knex, mailDomain: string) {
  return {
    /** Changes a lead if it is as its author saw it. */
    async change(
      id: string,
      changes: LeadChanges,
      actor: Person,
      { seen, versions }: LeadView = {},
    ): Promise<LeadChangeOutcome> {
      return db.transaction(async (transaction): Promise<LeadChangeOutcome> => {
        const newOwner = await ownerOf(transaction, changes.ownerId);
        if (newOwner === undefined) return { outcome: 'no_such_owner' };
        const [lead] = await lockLeads(transaction, [id]);
        if (!lead) return { outcome: 'unknown' };
        if (seen ? !hasValues(lead, seen) : versions?.includes(lead.version) === false) return { outcome: 'changed' };
        if (lead.status === null && changes.status !== undefined) return { outcome: 'no_status' };
        const wanted = wantedBy(changes, newOwner);
        await changeLocked(transaction, [lead], () => wanted, actor);
        const now = await leadLists(transaction).one(id);
        return now ? { outcome: 'done', lead: now } : { outcome: 'unknown' };
      });
    },

    /**
     * Changes several leads in one transaction, whatever their versions. A status is not set for portfolio requests. A
     * second attempt of a request changes nothing, also if the leads were changed in the meantime.
     */
    async changeTogether(
      ids: readonly string[],
      { spam, ...changes }: BulkChanges,
      actor: Person,
      requiredBy: RequiredBy,
      request?: BulkRequest,
    ): Promise<BulkOutcome> {
      return db.transaction(async (transaction): Promise<BulkOutcome> => {
        const newOwner = await ownerOf(transaction, changes.ownerId);
        if (newOwner === undefined) return { outcome: 'no_such_owner' };
        return changeOnce(transaction, ids, actor, request, async (leads) => {
          const wanted = wantedBy(changes, newOwner);
          const changed = await changeLocked(transaction, leads, () => wanted, actor, request?.id);
          const followUps: StoredFollowUp[] = [];
          if (spam === true) {
            for (const id of await markLocked(transaction, leads, actor, request?.id)) changed.add(id);
          }
          if (spam === false) {
            for (const lead of leads.filter(({ isHeld }) => isHeld)) {
              followUps.push(
                ...(await releaseLocked(transaction, lead, requiredBy(lead), mailDomain, actor, request?.id)),
              );
              changed.add(lead.id);
            }
          }
          return { changed, followUps };
        });
      });
    },

    /**
     * Gives leads the status and the owner that they had before an earlier request of the same actor, and starts the
     * clocks that it has stopped. A lead is changed only if that request has changed it, and if it still has the status,
     * the owner and the answer that the request left.
     * @param undoes - the id of the earlier request
     */
    async undoTogether(
      ids: readonly string[],
      undoes: string,
      actor: Person,
      request?: BulkRequest,
    ): Promise<BulkOutcome> {
      return db.transaction(async (transaction): Promise<BulkOutcome> => {
        const earlier = await changesOf(transaction, undoes, ids, actor);
        const owners = await activeAccounts(
          transaction,
          [...earlier.values()].flatMap(({ from }) => from.owner?.id ?? []),
        );
        return changeOnce(transaction, ids, actor, request, async (leads) => {
          const unchanged = leads.filter((lead) => {
            const { left, version } = earlier.get(lead.id) ?? {};
            return left ? hasValues(lead, left) : lead.version === version;
          });
          const before = ({ id, isAnswered: answered }: LockedLead): Wanted => {
            const { from } = earlier.get(id) ?? {};
            // A former owner that was deactivated in the meantime has lost its leads.
            return { answered, ...from, ...(from?.owner && { owner: owners.get(from.owner.id) ?? null }) };
          };
          return { changed: await changeLocked(transaction, unchanged, before, actor, request?.id), followUps: [] };
        });
      });
    },

    /** Marks a lead as spam: stops its clock and cancels its waiting emails. A second mark writes nothing. */
    async markAsSpam(id: string, actor: Person): Promise<SpamMark> {
      return db.transaction(async (transaction): Promise<SpamMark> => {
        const leads = await lockLeads(transaction, [id]);
        if (leads.length === 0) return 'unknown';
        return (await markLocked(transaction, leads, actor)).length > 0 ? 'marked' : 'held';
      });
    },

    /**
     * Clears the spam sign of a lead, starts its clock, stores the follow-ups that it requires, and resumes those that
     * the mark has cancelled. A second release writes nothing.
     */
    async release(id: string, requiredBy: RequiredBy, actor: Person): Promise<Release> {
      return db.transaction(async (transaction): Promise<Release> => {
        // If two releases race, the second waits here and then finds the spam sign cleared.
        const [lead] = await lockLeads(transaction, [id]);
        if (!lead) return { outcome: 'unknown' };
        if (!lead.isHeld) return { outcome: 'unmarked' };
        return {
          outcome: 'released',
          followUps: await releaseLocked(transaction, lead, requiredBy(lead), mailDomain, actor),
        };
      });
    },
  };
}

/** Returns whether a lead has the values that are given. */
const hasValues = (lead: LockedLead, { status, ownerId, answered }: LeadChanges | ValuesLeft): boolean =>
  (status === undefined || status === lead.status) &&
  (ownerId === undefined || ownerId === (lead.owner?.id ?? null)) &&
  (answered === undefined || answered === lead.isAnswered);

const wantedBy = ({ status: newStatus, ownerId, answered }: LeadChanges, newOwner: Person | null): Wanted => {
  return { status: newStatus, answered, ...(ownerId !== undefined && { owner: newOwner }) };
};
