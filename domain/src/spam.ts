/**
 * Why a lead is taken for spam (docs/decisions/0007-spam.md).
 * - `honeypot`: the field was filled in that nobody sees
 * - `too_fast`: sent sooner after the form was first touched than a person can
 * - `forged_token`: a form token that we never gave out
 */
export const spamSigns = ['honeypot', 'too_fast', 'forged_token'] as const;
export type SpamSign = (typeof spamSigns)[number];

/**
 * The honeypot's name in a form and in a body. No autofill knows it: it holds none of the words that browsers take for
 * a name, an address, a company, a phone or a website.
 */
export const honeypotField = 'furtherRemarks';

/** Carries the signed time at which the form was first touched. */
export const formTokenHeader = 'Form-Token';

/** Stands for a token that had not come yet when the form was sent, too fast by the page's own clock. */
export const earlyFormToken = 'early';
