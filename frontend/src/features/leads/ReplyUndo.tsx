import { useEffect, useEffectEvent, useState } from 'react';
import { toasts } from '../../toasts/toasts.ts';
import { type PendingReply, pendingReply } from './pending-reply.ts';
import { useUndoReply } from './use-undo-reply.ts';

/** The time for which the failure of an undo is shown before the undo is offered again, in milliseconds. */
const retryAfterMs = 1_500;

/** Shows the toast of the last reply with Undo, on every staff page and after a reload (docs/PRODUCT.md, "Replies"). */
export function ReplyUndo() {
  const undo = useUndoReply();
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
    show();
    return pendingReply.onChange(() => show());
  }, []);
  useEffect(() => {
    if (!failed) return undefined;
    const timer = setTimeout(() => show(), retryAfterMs);
    return () => clearTimeout(timer);
  }, [failed]);
  return null;
}
