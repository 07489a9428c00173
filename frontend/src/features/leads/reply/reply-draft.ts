import { draftIds, type DraftKeeper, draftKeeper } from '../../../form/draft-storage.ts';
import { staffPath } from '../../../routing/staff-paths.ts';
import { replyForm } from '@dune-tide/domain/forms/reply';
import type { FormValues } from '@dune-tide/domain/forms/form-schema';

export type Reply = FormValues<typeof replyForm>;

/** The list and the page of a lead share the drafts. */
export const replyDraftPath = staffPath.leads;

/** @param id - the lead's id */
export const replyDraftName = (id: string): string => `${replyForm.$id}:${id}`;

/** Returns access to this tab's draft of a reply. */
export const replyDraft = (id: string): DraftKeeper => draftKeeper(replyDraftPath, replyDraftName(id));

/** Access to the last reply that was sent to a lead, in this tab. It is stored beside the drafts and deleted with them. */
export function sentReply(id: string): {
  readonly read: () => Reply | undefined;
  readonly write: (reply: Reply) => void;
} {
  const keeper = draftKeeper(replyDraftPath, `sent-${replyDraftName(id)}`);
  return {
    read() {
      const { subject, text } = keeper.read()?.values ?? {};
      return typeof subject === 'string' && typeof text === 'string' ? { subject, text } : undefined;
    },
    write: ({ subject, text }) => keeper.write({ values: { subject, text } }),
  };
}

/** Returns whether this tab has a draft of a reply to a lead. */
export const isReplyBegun = (id: string): boolean => replyDraft(id).read() !== undefined;

/** Returns the ids of the leads with a draft reply in this tab. */
export const begunReplies = (): readonly string[] => draftIds(replyDraftPath, replyForm.$id).filter(isReplyBegun);
