export {
  followUpAdmin,
  followUpOrders,
  type ChangeBatch,
  type FollowUpChange,
  type FoundFollowUp,
  type ListedFollowUp,
} from './admin.ts';
export { changeAll } from './change-all.ts';
export {
  claimBatching,
  followUpClaims,
  type Claim,
  type ClaimedFollowUp,
  type EmailLimits,
  type LeasedRow,
} from './claims.ts';
export { isEmail } from './kinds.ts';
export { leadNotificationStore, type LeadNotification, type NotifiedLead } from './lead-notifications.ts';
export { newFollowUp, type NewFollowUp, type StoredFollowUp } from './new-follow-up.ts';
export { emailOptOuts } from './opt-outs.ts';
export { reminderStore, type RemindedLead } from './reminders.ts';
export { isNotWithdrawn, isUndoable, replyStore, type Correction, type ReplyEntry } from './replies.ts';
export type { ReachedLimit } from './staff-email-limits.ts';
export { leadTextStore, sharedText, type LeadText, type SharedText, type StoreLeadTexts } from './texts.ts';
export { webhookStore, type WebhookEvent, type WebhookLead } from './webhooks.ts';
