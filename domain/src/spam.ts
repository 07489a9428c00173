/**
 * The reasons for which a lead is held as spam (docs/decisions/0007-spam.md).
 * - `honeypot`: the hidden field was filled in
 * - `too_fast`: the form was sent sooner after its first touch than a person can fill it in
 * - `forged_token`: the API did not issue the form token
 * - `by_hand`: a member of staff marked the lead
 */
export const spamSigns = ['honeypot', 'too_fast', 'forged_token', 'by_hand'] as const;
export type SpamSign = (typeof spamSigns)[number];

/**
 * The name of the honeypot in a form and in a body. Autofill ignores it, because it contains no word by which browsers
 * recognise a name, an address, a company, a phone or a website.
 */
export const honeypotField = 'furtherRemarks';

/** The request header with the form token: the signed time at which the form was first touched. */
export const formTokenHeader = 'Form-Token';

/** Sent instead of a token if the form was sent before the token arrived, and too fast by the clock of the page. */
export const earlyFormToken = 'early';
