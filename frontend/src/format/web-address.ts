import { parseUrl } from './parse-url.ts';

/**
 * The address of a web page, without a user name that could look like its host.
 * @param address - what somebody has written
 * @returns undefined for any other
 */
export function webAddress(address: string | null): string | undefined {
  const url = address === null ? undefined : parseUrl(address);
  if (!url) return undefined;
  const { protocol, username, password, href } = url;
  const isWebPage = (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  return isWebPage ? href : undefined;
}
