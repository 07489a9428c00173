import type { EmailKind } from '../follow-ups.ts';

/**
 * The content of automatic emails in words, for the file that a person gets (docs/PRODUCT.md, "Access"). It describes
 * emails whose texts are not kept.
 */
export const automaticEmails = {
  acknowledgement: 'We have received what you sent, and when we will answer. It repeats nothing that you sent.',
  portfolio_pdf: 'Our portfolio as a PDF. It repeats nothing that you sent.',
  staff_notice: 'A notice to our team that you wrote, with your name, company and the service that you chose.',
  staff_digest: 'A notice to our team of several leads, with the name, the company and the service of each.',
  reminder: 'A reminder to our team that answers are due. It names no one.',
  account_notice: 'A notice to a member of our team about a change of their account. It names no one outside the team.',
} as const satisfies Readonly<Record<Exclude<EmailKind, 'reply'>, string>>;

/** Marks an email that was sent by a release that did not keep its text. */
export const noText = 'The text of this email was not kept.';

/** Explanations for the reader of the file. */
export const exportNotes = [
  'In the texts of automatic emails, … replaces the secret part of a link.',
  'Some emails to our team list several people. Their texts contain only the part about this person.',
];
