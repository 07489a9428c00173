/**
 * The address of a web page, without a user name that could look like its host.
 * @param address - what somebody has written
 * @returns undefined for any other
 */
export function webAddress(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined;
  const { protocol, username, password, href } = new URL(address);
  const isWebPage = (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  return isWebPage ? href : undefined;
}
