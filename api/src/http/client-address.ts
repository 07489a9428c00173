import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddress from 'proxy-addr';

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Whose request it is. X-Forwarded-For is believed only from the configured proxies, since anyone can send it.
 * @param trustedProxies - addresses or networks, separated by commas
 * @throws {TypeError} on something that is no address
 */
export function clientAddress(trustedProxies: string): ClientAddress {
  const list = trustedProxies.split(',').map((entry) => entry.trim());
  const isTrusted = proxyAddress.compile(list.filter((entry) => entry !== ''));
  // The proxy in front is the same for nearly all requests, and to read an address takes longer than all else here.
  let knownProxy: string | undefined;
  const trust = (address: string, distance: number): boolean => {
    if (address === knownProxy) return true;
    const trusted = isTrusted(address, distance);
    if (trusted && distance === 0) knownProxy = address;
    return trusted;
  };
  return (request) => proxyAddress(request, trust);
}

/**
 * What the limits count by: an IPv4 address, or the /64 network of an IPv6 address, since one subscriber has them all.
 * What is no address, since a proxy handed on what it was sent, counts as one.
 */
export function limitKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return 'no address';
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head.split(':').filter((group) => group !== '');
  if (tail !== undefined) {
    const rest = tail.split(':').filter((group) => group !== '');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
