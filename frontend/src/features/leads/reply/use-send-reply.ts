import { replyDelaySeconds } from '@dune-tide/domain/limits';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { isRequestFailure, type RequestFailure } from '../../../api-client/request.ts';
import { serverNow } from '../../../api-client/server-clock.ts';
import type { AppDispatch } from '../../../store/store.ts';
import { useLeadStaff } from '../lead-staff.ts';
import { type HistoryEntry, reloadHistory, reloadLead, useSendReplyMutation } from '../leads-api.ts';
import { pendingReply } from './pending-reply.ts';
import { type Reply, replyDraft, sentReply } from './reply-draft.ts';
import { useReplyTools } from './reply-tools.ts';
import { noteShownHistory, shownActivity } from './seen-activity.ts';

/** The time for which a reply can be undone, in milliseconds. */
const undoMs = replyDelaySeconds * 1000;

/** The failure of a simulated reply that others have preceded. */
const preceded: RequestFailure = { code: 'refused', status: 412, message: '412: simulated', fieldErrors: [] };

/** Returns the member who has changed an entry last; null for an operator. */
const lastActor = (entry: HistoryEntry): HistoryEntry['actor'] =>
  entry.kind === 'reply' ? (entry.withdrawnBy ?? entry.actor) : entry.actor;

/**
 * Sends replies to a lead. A reply is refused if others have acted on the lead since its author saw it; `unseen` has what
 * they did, and the next attempt is compared with that (docs/PRODUCT.md, "Replies").
 */
export function useSendReply(lead: Lead) {
  const [post] = useSendReplyMutation();
  const dispatch = useDispatch<AppDispatch>();
  const { me } = useLeadStaff();
  const { mode } = useReplyTools();
  // A kept draft was started when its author saw this much. A server of 0.3.0 counts none.
  const [startedFrom] = useState(
    () => Math.max(replyDraft(lead.id).read()?.begunFrom?.version ?? lead.activity, shownActivity(lead.id)) || 0,
  );
  const seenActivity = useRef(startedFrom);
  const [unseen, setUnseen] = useState<readonly HistoryEntry[]>([]);
  const unseenCount = useRef(0);

  const loadUnseen = async (): Promise<readonly HistoryEntry[]> => {
    const history = await dispatch(reloadHistory(lead.id));
    const added = history.filter((entry) => entry.activity > seenActivity.current && lastActor(entry)?.id !== me?.id);
    setUnseen(added);
    unseenCount.current = added.length;
    noteShownHistory(lead.id, history);
    seenActivity.current = Math.max(seenActivity.current, shownActivity(lead.id));
    return added;
  };

  const simulate = async (reply: Reply): Promise<void> => {
    if ((await loadUnseen()).length > 0) throw preceded;
    sentReply(lead.id).write(reply);
  };

  const send = async ({ subject, text, replaces }: Reply, idempotencyKey: string): Promise<void> => {
    try {
      const { id, recipient } = await post({
        leadId: lead.id,
        subject,
        text,
        ...(replaces !== undefined && { replaces }),
        idempotencyKey,
        version: lead.version,
        seenActivity: seenActivity.current,
      }).unwrap();
      pendingReply.write({ id, leadId: lead.id, email: recipient, until: serverNow() + undoMs });
    } catch (error) {
      if (isRequestFailure(error) && error.status === 412) {
        void dispatch(reloadLead(lead.id));
        // If the history cannot be loaded, the failure of the reply says where to look.
        await loadUnseen().catch(() => undefined);
      }
      throw error;
    }
  };

  return {
    send: mode === 'simulated' ? simulate : send,
    unseen,
    isUnseenShown: ({ status }: RequestFailure) => status === 412 && unseenCount.current > 0,
    startedFrom,
  };
}
