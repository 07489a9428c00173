import { useEffect, useEffectEvent, useState } from 'react';
import { useDispatch } from 'react-redux';
import { serverNow } from '../../../api-client/server-clock.ts';
import type { AppDispatch } from '../../../store/store.ts';
import { toasts } from '../../../toasts/toasts.ts';
import { reloadLead } from '../leads-api.ts';
import { type PendingReply, pendingReply } from './pending-reply.ts';
import { useUndoReply } from './use-undo-reply.ts';

/** The time after the end of the undo within which a reply is usually sent and its lead answered, in milliseconds. */
const answeredAfterMs = 4_000;

/** The time for which the failure of an undo is shown before the undo is offered again, in milliseconds. */
const retryAfterMs = 1_500;

/**
 * Shows the toast of the last reply with Undo, on every staff page and after a reload (docs/PRODUCT.md, "Replies"). Later
 * it fetches the lead, which the reply has answered, so that the table shows that.
 */
export function ReplyUndo() {
  const undo = useUndoReply();
  const dispatch = useDispatch<AppDispatch>();
  const [failed, setFailed] = useState<object>();
  const undoOnce = async (reply: PendingReply) => {
    if ((await undo(reply)) === 'retry') setFailed({});
  };
  const show = useEffectEvent(() => {
    const reply = pendingReply.read();
    if (!reply) return;
    toasts.undoable(`Sending email to ${reply.email}`, { until: reply.until, onUndo: () => undoOnce(reply) });
  });
  useEffect(() => {
    const timers: ReturnType<typeof setTimeout>[] = [];
    const announce = () => {
      show();
      const reply = pendingReply.read();
      if (!reply) return;
      const reload = () => void dispatch(reloadLead(reply.leadId));
      timers.push(setTimeout(reload, reply.until + answeredAfterMs - serverNow()));
    };
    announce();
    const stop = pendingReply.onChange(announce);
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [dispatch]);
  useEffect(() => {
    if (!failed) return undefined;
    const timer = setTimeout(() => show(), retryAfterMs);
    return () => clearTimeout(timer);
  }, [failed]);
  return null;
}
