/** The address of a mail to someone. */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** Spaces of any kind, points, brackets and hyphens: what people part the digits of one number with. */
const separators = /[\s.()\-\u2010-\u2015]/g;

/** Dialled from abroad this zero is left out, and from within the country the code before it. */
const trunkZero = /\(\s*0\s*\)/;

/** E.164 has at most 15 digits; more are two numbers. */
const oneNumber = /^\+?\d{3,15}$/;

/**
 * The address of a call.
 * @returns undefined for what cannot be dialled as it is written: words, an extension, several numbers
 */
export function phoneLink(phone: string): string | undefined {
  const dialled = phone.replaceAll(separators, '');
  return oneNumber.test(dialled) && !trunkZero.test(phone) ? `tel:${dialled}` : undefined;
}
