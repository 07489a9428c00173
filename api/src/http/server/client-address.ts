import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { listed } from '@dune-tide/platform/settings';
import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Builds a function that returns the client's address. It reads X-Forwarded-For only from the configured proxies, since
 * any client can send that header.
 * @param trustedProxies - addresses or networks, separated by commas
 * @throws {TypeError} if an entry is not an address or a network
 */
export function clientAddress(trustedProxies: string): ClientAddress {
  const isTrusted = proxyAddress.compile(listed(trustedProxies));
  // Parsing an address is the slowest step, and nearly all requests come from one proxy, so its address is kept.
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
 * Returns the key that the limits count by: an IPv4 address, or the /64 network of an IPv6 address, since one
 * subscriber has the whole network. All invalid addresses, which a proxy may forward unchecked, share one key.
 */
export function limitKey(address: string): string {
  if (isIPv4(address)) return address;
  // The library alone would read 1 as 0.0.0.1, and it rejects some addresses that Node accepts, e.g. fe80::1%eth-0.
  if (!isIPv6(address) || !ipaddr.isValid(address)) return 'no address';
  const read = ipaddr.process(address);
  if (read instanceof ipaddr.IPv4) return read.toString();
  const network = read.parts.slice(0, 4);
  return network.map((group) => group.toString(16)).join(':');
}
