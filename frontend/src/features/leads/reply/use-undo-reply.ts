import { useLocation, useNavigate } from 'react-router-dom';
import { isRequestFailure } from '../../../api-client/request.ts';
import { openedForReply } from '../../../routing/location-state.ts';
import { leadPath, staffPath } from '../../../routing/staff-paths.ts';
import { leadDeletedText } from '../../../staff-ui/failure-text.ts';
import { toasts } from '../../../toasts/toasts.ts';
import { pendingReply, restoreReply } from './pending-reply.ts';
import { useUndoReplyMutation } from '../leads-api.ts';

/** The outcome of an undo: `retry` if it is unknown whether the reply was undone. */
type Undone = 'done' | 'retry';

/** Returns the function that undoes a reply and opens its text in the dialog again (docs/PRODUCT.md, "Replies"). */
export function useUndoReply(): (reply: { readonly id: string; readonly leadId: string }) => Promise<Undone> {
  const [undo] = useUndoReplyMutation();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  // The list behind the lead keeps its filter.
  const listSearch = pathname.startsWith(staffPath.leads) ? search : '';
  return async ({ id, leadId }) => {
    try {
      const { subject, text } = await undo({ leadId, id }).unwrap();
      if (pendingReply.read()?.id === id) pendingReply.clear();
      restoreReply(leadId, { subject, text });
      void navigate({ pathname: leadPath(leadId), search: listSearch }, { state: openedForReply });
      toasts.success('The email is not sent.', 'Undone');
      return 'done';
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      if (error.status === 409 || error.status === 404) {
        pendingReply.clear();
        toasts.error(error.status === 404 ? leadDeletedText : 'The email is already being sent. It cannot be undone.');
        return 'done';
      }
      if (error.status !== 401) toasts.error('Could not undo. Please try again.');
      return 'retry';
    }
  };
}
