import { draftIds, type DraftKeeper, draftKeeper } from '../../form/draft-storage.ts';
import { staffPath } from '../../routing/staff-paths.ts';
import { replyForm } from './reply-form.ts';

/** The list and a lead's own address share their drafts. */
export const replyDraftPath = staffPath.leads;

/** @param id - of the lead */
export const replyDraftName = (id: string): string => `${replyForm.$id}:${id}`;

/** Where this tab keeps what was written to a lead. */
export const replyDraft = (id: string): DraftKeeper => draftKeeper(replyDraftPath, replyDraftName(id));

/** Whether a reply to a lead is half written in this tab. */
export const isReplyBegun = (id: string): boolean => replyDraft(id).read() !== undefined;

/** The ids of the leads to which a reply is half written in this tab. */
export const begunReplies = (): readonly string[] => draftIds(replyDraftPath, replyForm.$id).filter(isReplyBegun);
