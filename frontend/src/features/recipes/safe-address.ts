/**
 * The address of a web page, without a user name that could look like its host.
 * @param address - what somebody has written
 * @returns undefined for any other
 */
export function webAddress(address: string | null): string | undefined {
  const url = parsed(address);
  const isWebPage = url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
  return isWebPage ? url.href : undefined;
}

/**
 * The address of a link that may be followed: of a web page, or of a mailbox.
 * @param address - what somebody has written
 * @returns undefined for any other
 */
export function safeAddress(address: string): string | undefined {
  const url = parsed(address);
  return url?.protocol === 'mailto:' ? url.href : webAddress(address);
}

function parsed(address: string | null): URL | undefined {
  return address !== null && URL.canParse(address) ? new URL(address) : undefined;
}
