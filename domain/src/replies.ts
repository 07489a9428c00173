/**
 * The setting STAFF_REPLIES (docs/PRODUCT.md, "Replies").
 * - `simulated`: staff write replies that are not sent
 * - `mail`: the worker sends them
 */
export const replyModes = ['simulated', 'mail'] as const;
export type ReplyMode = (typeof replyModes)[number];
