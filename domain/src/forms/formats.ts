import { hostnameOf } from './hostname.ts';
import { invisible } from './invisible.ts';

/**
 * Scheme, host and port in their strict form. `new URL` also accepts user names, backslashes and empty ports, and in
 * the oldest browsers some characters that are invalid in a host.
 */
const start = /^https?:\/\/(\[[^\]]+\]|[^/?#@%:[\]^|]+)(?::\d+)?(?:[/?#]|$)/i;

/** Characters that `new URL` removes or replaces instead of refusing the address. */
const rewritten = /[\s\p{Cc}\p{Cs}"<>\\]/u;

/** Invisible characters in a host, except those that some scripts need or that browsers remove. */
const hidden = new RegExp(`(?![\\u00ad\\u034f\\u200b-\\u200d\\u2060\\ufe00-\\ufe0f])[${invisible}]`, 'u');

/**
 * Checks that a text is the address of a web page (docs/PRODUCT.md, "Links"): http(s) only, without a user name, and
 * without anything that a browser would have to correct.
 */
function isWebLink(text: string): boolean {
  const host = start.exec(text)?.[1];
  if (host === undefined || rewritten.test(text) || hidden.test(host)) return false;
  const hostname = hostnameOf(text);
  if (hostname === undefined) return false;
  // Browsers read a number such as 7 as the IPv4 address 0.0.0.7.
  const isIpv4 = /^[\d.]+$/.test(hostname);
  return !hostname.startsWith('.') && (!isIpv4 || hostname === host);
}

/** The formats of the forms' fields, for ajv in the API and for the validators that the build makes for the browser. */
export const formats = { uri: isWebLink };
