import { normalisePhone } from '@dune-tide/domain/forms/normalise';

/** Returns a mailto link for an address. */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** Whitespace, dots, brackets and hyphens, which separate the digits of one number. */
const separators = /[\s.()\-\u2010-\u2015]/g;

/**
 * A trunk prefix, as in "+44 (0) 20". Such a number cannot be dialled as written: callers omit the prefix or the
 * country code.
 */
const trunkZero = /\(\s*0\s*\)/;

/** E.164 numbers have at most 15 digits. Text with more digits contains several numbers. */
const oneNumber = /^\+?\d{3,15}$/;

/**
 * Returns a tel link for a phone number. Leads of release 0.1.0 have numbers that were not normalised.
 * @returns undefined for text that cannot be dialled: words, an extension, several numbers
 */
export function phoneLink(phone: string): string | undefined {
  const number = normalisePhone(phone);
  const dialled = number.replaceAll(separators, '');
  return oneNumber.test(dialled) && !trunkZero.test(number) ? `tel:${dialled}` : undefined;
}
