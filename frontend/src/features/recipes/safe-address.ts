import { parseUrl } from '../../format/parse-url.ts';
import { webAddress } from '../../format/web-address.ts';

/**
 * Returns the address of a link if it is safe to follow: a web page or an email address.
 * @param address - user input
 * @returns undefined for any other address
 */
export function safeAddress(address: string): string | undefined {
  const url = parseUrl(address);
  return url?.protocol === 'mailto:' ? url.href : webAddress(address);
}
