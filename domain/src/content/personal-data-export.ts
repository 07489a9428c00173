/*
 * The texts of the file that a person gets (docs/PRODUCT.md, "Access"). `followUpRules` describes emails whose texts are
 * not kept.
 */

/** Marks an email that was sent by a release that did not keep its text. */
export const noText = 'The text of this email was not kept.';

/** Explanations for the reader of the file. */
export const exportNotes = [
  'In the texts of automatic emails, … replaces the secret part of a link.',
  'Some emails to our team list several people. Their texts contain only the part about this person.',
];
