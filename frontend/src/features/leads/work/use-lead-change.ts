import type { Lead } from '@dune-tide/domain/responses/lead';
import { useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { isRequestFailure } from '../../../api-client/request.ts';
import type { AppDispatch } from '../../../store/store.ts';
import { leadDeletedText } from '../../../staff-ui/failure-text.ts';
import { toasts } from '../../../toasts/toasts.ts';
import { authorsOf, type LeadDifference, leadDifferences } from './lead-differences.ts';
import { type HistoryEntry, type LeadChange, reloadHistory, reloadLead, useChangeLeadMutation } from '../leads-api.ts';

/** A change that was rejected because another user has changed the lead. */
export interface LeadConflict {
  readonly theirs: Lead;
  /** The changes of the other user. */
  readonly differences: readonly LeadDifference[];
  /** The authors of the differences, null for an operator; empty if the history could not be loaded. */
  readonly authors: readonly HistoryEntry['actor'][];
  /** The rejected change. */
  readonly change: LeadChange;
}

interface Running {
  readonly change: string;
  readonly done: Promise<Lead | undefined>;
}

/**
 * Changes leads one by one. A change applies to what is shown. If another user has changed the status, the owner or the
 * answer, the change is not made, and `conflict` has what they did (docs/PRODUCT.md, "Work on leads").
 */
export function useLeadChange() {
  const dispatch = useDispatch<AppDispatch>();
  const [send] = useChangeLeadMutation();
  const [conflict, setConflict] = useState<LeadConflict>();
  const running = useRef(new Map<string, Running>());

  const attempt = async (lead: Lead, change: LeadChange, isRepeated = false): Promise<Lead | undefined> => {
    try {
      return await send({ lead, change }).unwrap();
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      if (error.status === 401) return undefined;
      const theirs = error.status === 412 ? await dispatch(reloadLead(lead.id)) : undefined;
      if (theirs === undefined) {
        toasts.error(failureText(error.status));
        return undefined;
      }
      // The other user has made the same change.
      if (isMade(theirs, change)) return theirs;
      const differences = leadDifferences(lead, theirs);
      if (differences.length === 0) {
        // The other user has undone the change in the meantime, or a server of 0.3.0 has compared the versions.
        if (!isRepeated) return attempt(theirs, change, true);
        toasts.error(failureText(error.status));
        return undefined;
      }
      const history = await dispatch(reloadHistory(lead.id)).catch(() => []);
      setConflict({ theirs, differences, authors: authorsOf(differences, history), change });
      return undefined;
    }
  };

  /**
   * Sends a change, after those of the same lead that are pending. A second press of the same change is ignored.
   * @returns the changed lead; undefined if it was not changed
   */
  const change = async (lead: Lead, wanted: LeadChange): Promise<Lead | undefined> => {
    const before = running.current.get(lead.id);
    const name = JSON.stringify(wanted);
    if (before?.change === name) return undefined;
    setConflict(undefined);
    const done = (before?.done ?? Promise.resolve(lead)).then((latest) => latest && attempt(latest, wanted));
    const own = { change: name, done };
    running.current.set(lead.id, own);
    try {
      return await done;
    } finally {
      if (running.current.get(lead.id) === own) running.current.delete(lead.id);
    }
  };

  return {
    change,
    conflict,
    /** Keeps what the other user did. */
    keepTheirs: () => setConflict(undefined),
    /** Makes the rejected change on their version. */
    overwrite: () => (conflict ? change(conflict.theirs, conflict.change) : Promise.resolve(undefined)),
  };
}

function failureText(status: number | undefined): string {
  if (status === 404) return leadDeletedText;
  if (status === 422) return 'This account is not active any more. Choose another owner.';
  return 'Could not change the lead. Please try again.';
}

function isMade(lead: Lead, { status, ownerId, answered }: LeadChange): boolean {
  return (
    (status === undefined || lead.status === status) &&
    (ownerId === undefined || (lead.owner?.id ?? null) === ownerId) &&
    (answered === undefined || (lead.response === 'answered') === answered)
  );
}
