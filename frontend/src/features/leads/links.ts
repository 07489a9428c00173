/** The address of a mail to someone. */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;

/** The address of a call. @returns undefined for what cannot be dialled */
export function phoneLink(phone: string): string | undefined {
  const dialled = phone.replaceAll(/[^\d+]/g, '');
  return /^\+?\d{3,}$/.test(dialled) ? `tel:${dialled}` : undefined;
}
