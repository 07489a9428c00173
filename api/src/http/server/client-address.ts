import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { listed } from '@dune-tide/platform/settings';
import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Whose request it is. X-Forwarded-For is believed only from the configured proxies, since anyone can send it.
 * @param trustedProxies - addresses or networks, separated by commas
 * @throws {TypeError} on something that is no address
 */
export function clientAddress(trustedProxies: string): ClientAddress {
  const isTrusted = proxyAddress.compile(listed(trustedProxies));
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
  if (isIPv4(address)) return address;
  // The library alone would take 1 for 0.0.0.1, and it does not read all that Node takes, e.g. fe80::1%eth-0.
  if (!isIPv6(address) || !ipaddr.isValid(address)) return 'no address';
  const read = ipaddr.process(address);
  if (read instanceof ipaddr.IPv4) return read.toString();
  const network = read.parts.slice(0, 4);
  return network.map((group) => group.toString(16)).join(':');
}
