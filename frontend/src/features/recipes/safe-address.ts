import { parseUrl } from '../../format/parse-url.ts';
import { webAddress } from '../../format/web-address.ts';

/**
 * The address of a link that may be followed: of a web page, or of a mailbox.
 * @param address - what somebody has written
 * @returns undefined for any other
 */
export function safeAddress(address: string): string | undefined {
  const url = parseUrl(address);
  return url?.protocol === 'mailto:' ? url.href : webAddress(address);
}
