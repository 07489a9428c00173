import { parseUrl } from './parse-url.ts';

/**
 * Returns the http(s) URL in a text, without a username that could be mistaken for the host.
 * @param address - user input
 * @returns undefined for any other text
 */
export function webAddress(address: string | null): string | undefined {
  const url = address === null ? undefined : parseUrl(address);
  if (!url) return undefined;
  const { protocol, username, password, href } = url;
  const isWebPage = (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  return isWebPage ? href : undefined;
}
