/**
 * Returns what a toast reports after an address may have changed.
 * @param name - the name of another account; left out for the own one
 */
export function emailText({ pendingEmail }: { readonly pendingEmail: string | null }, name?: string): string {
  if (pendingEmail !== null) return `We sent a link to ${pendingEmail}. Emails go there once the address is confirmed.`;
  return name === undefined ? 'Your profile was saved.' : `The email address of ${name} was saved.`;
}
