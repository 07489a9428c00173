import ipaddr from 'ipaddr.js';

/** The ranges of addresses that only a machine itself or its own networks reach, as ipaddr.js names them. */
const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

/** The ends of names that the public DNS does not have (RFC 6761, RFC 6762, RFC 8375, and .internal by ICANN). */
const privateNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/i;

/**
 * The reach of an address:
 * - `public`: a host on the internet
 * - `private`: this machine or a private network
 * - `other`: no single host, e.g. multicast or reserved
 */
export function reachOf(address: string): 'public' | 'private' | 'other' {
  if (!ipaddr.isValid(address)) return 'other';
  // An IPv4-mapped address of IPv6 reaches the IPv4 host.
  const range = ipaddr.process(address).range();
  if (range === 'unicast') return 'public';
  return privateRanges.has(range) ? 'private' : 'other';
}

/**
 * Returns whether the host of a URL is private by itself, without a look-up: an address of this machine or of a private
 * network, a name without a dot, e.g. of a container, or a name that the public DNS does not have.
 * @param hostname - `hostname` of a URL
 */
export function isPrivateHost(hostname: string): boolean {
  const address = addressIn(hostname);
  if (address !== undefined) return reachOf(address) === 'private';
  return privateNames.test(hostname) || !hostname.includes('.');
}

/** Returns the address that a URL names directly; undefined for a name. */
export function addressIn(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

/**
 * Checks that a text is the URL of a receiver of webhooks: https, or http to a private host (docs/PRODUCT.md,
 * "Webhooks"). It has no user name, which a receiver would get in another way than the signature, and no fragment.
 */
export function isWebhookUrl(text: string): boolean {
  if (/[\s#\\]/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, port } = new URL(text);
  if (username !== '' || password !== '' || hostname === '' || port === '0') return false;
  const address = addressIn(hostname);
  if (address !== undefined && reachOf(address) === 'other') return false;
  return protocol === 'https:' || (protocol === 'http:' && isPrivateHost(hostname));
}
