import { serverNow } from '../../../api-client/server-clock.ts';
import { tabStorage } from '../../../form/draft-storage.ts';
import { replyDraft } from './reply-draft.ts';

/** A reply that can be undone for a short time. */
export interface PendingReply {
  readonly id: string;
  readonly leadId: string;
  readonly email: string;
  /** The end of that time, in milliseconds since the epoch by the server's clock. */
  readonly until: number;
}

const key = 'pending-reply';
const listeners = new Set<() => void>();

/** The last reply that was sent in this tab. It is kept in the tab's storage, so that a reload does not lose its undo. */
export const pendingReply = {
  /** @returns undefined if there is none or its time has passed */
  read(now = serverNow()): PendingReply | undefined {
    const text = tabStorage()?.getItem(key);
    if (!text) return undefined;
    try {
      const reply = JSON.parse(text) as PendingReply;
      return reply.until > now ? reply : undefined;
    } catch {
      return undefined;
    }
  },
  write(reply: PendingReply): void {
    try {
      tabStorage()?.setItem(key, JSON.stringify(reply));
    } catch {
      // Without storage, the history of the lead still offers the undo.
    }
    for (const listener of listeners) listener();
  },
  clear(): void {
    tabStorage()?.removeItem(key);
  },
  /** @returns a function that removes the listener */
  onChange(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/**
 * Puts the text of a reply back into the draft for its lead, in front of a draft that was started in the meantime.
 * @param replaces - the failed reply that the draft replaces when it is sent
 */
export function restoreReply(
  leadId: string,
  { subject, text }: { readonly subject: string; readonly text: string },
  replaces?: string,
): void {
  const keeper = replyDraft(leadId);
  const started = keeper.read()?.values['text'];
  const isOther = typeof started === 'string' && started !== '' && started !== text;
  keeper.write({
    values: { subject, text: isOther ? `${text}\n\n${started}` : text, ...(replaces !== undefined && { replaces }) },
  });
}
