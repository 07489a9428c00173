import { replyDelaySeconds } from '@dune-tide/domain/limits';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { useDispatch } from 'react-redux';
import { isRequestFailure } from '../../../api-client/request.ts';
import { serverNow } from '../../../api-client/server-clock.ts';
import type { AppDispatch } from '../../../store/store.ts';
import { authorsOf, leadDifferences } from '../work/lead-differences.ts';
import { useLeadStaff } from '../lead-staff.ts';
import { reloadHistory, reloadLead, useSendReplyMutation } from '../leads-api.ts';
import { pendingReply } from './pending-reply.ts';
import type { Reply } from './reply-draft.ts';

/** The time for which a reply can be undone, in milliseconds. */
const undoMs = replyDelaySeconds * 1000;

/**
 * Returns the function that sends a reply to the version of the lead that is shown. If only its author has changed the
 * lead in the meantime, e.g. because an earlier reply was sent and has answered it, the reply applies to the current
 * version. It rejects with the failure of its request.
 */
export function useSendReply(lead: Lead) {
  const [send] = useSendReplyMutation();
  const dispatch = useDispatch<AppDispatch>();
  const { me } = useLeadStaff();

  const isOwnVersion = async (current: Lead): Promise<boolean> => {
    const history = await dispatch(reloadHistory(lead.id));
    const authors = authorsOf(leadDifferences(lead, current), history ?? []);
    const isOwn = authors.length > 0 && authors.every((author) => author?.id === me?.id);
    return isOwn && current.email === lead.email;
  };

  return async ({ subject, text, replaces }: Reply, idempotencyKey: string): Promise<void> => {
    const sendTo = async (version: number): Promise<void> => {
      const { id } = await send({
        leadId: lead.id,
        subject,
        text,
        ...(replaces !== undefined && { replaces }),
        idempotencyKey,
        version,
      }).unwrap();
      pendingReply.write({ id, leadId: lead.id, email: lead.email, until: serverNow() + undoMs });
    };
    try {
      await sendTo(lead.version);
    } catch (error) {
      if (!isRequestFailure(error) || error.status !== 412) throw error;
      // The next attempt applies to the current version, also if it is another member's.
      const current = await dispatch(reloadLead(lead.id));
      if (!current || !(await isOwnVersion(current))) throw error;
      await sendTo(current.version);
    }
  };
}
