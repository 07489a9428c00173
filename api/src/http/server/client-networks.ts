import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { networkFactors } from '@dune-tide/domain/limits';
import type { Logger } from '@dune-tide/platform/log';
import { listed } from '@dune-tide/platform/settings';
import ipaddr from 'ipaddr.js';
import proxyAddress from 'proxy-addr';

/** A network that the client's address belongs to (docs/PRODUCT.md, "Networks"). */
export interface ClientNetwork {
  /** Identifies the network in the keys of the limits. */
  readonly key: string;
  /** The limits of the network are this many times those of one address. */
  readonly factor: number;
}

/** The networks of a client, the narrowest first. */
export type ClientNetworks = readonly [ClientNetwork, ...ClientNetwork[]];

export type ClientNetworksOf = (request: IncomingMessage) => ClientNetworks;

const warningIntervalMs = 60_000;
/** The maximum length of an address in any spelling, with its zone and port. */
const longestAddress = 100;

/**
 * Builds a function that returns the networks of the client. It reads X-Forwarded-For only from the configured proxies,
 * since any client can send that header. An entry that is not an address is logged at most once a minute, masked.
 * @param trustedProxies - addresses or networks, separated by commas
 * @param now - a monotonic time in milliseconds
 * @throws {TypeError} if an entry of `trustedProxies` is not an address or a network
 */
export function clientNetworks(
  trustedProxies: string,
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): ClientNetworksOf {
  const isTrusted = proxyAddress.compile(listed(trustedProxies));
  // Nearly all requests come from the same proxy, and parsing an address is the slowest step here.
  let knownProxy: string | undefined;
  let nextWarning = -Infinity;

  const isProxy = (address: string, distance: number): boolean => {
    if (address === knownProxy) return true;
    const trusted = isTrusted(address, distance);
    if (trusted && distance === 0) knownProxy = address;
    return trusted;
  };
  const warn = (entry: string): void => {
    if (now() < nextWarning) return;
    nextWarning = now() + warningIntervalMs;
    logger.warn({ entry: masked(entry) }, 'X-Forwarded-For has an entry that is not an address');
  };

  return ({ socket, headers }) => {
    let address = readAddress(socket.remoteAddress ?? '');
    // The socket has been closed.
    if (address === undefined) return networksOfText('');
    if (!isProxy(address, 0)) return networksOf(address);
    const entries = listed(String(headers['x-forwarded-for'] ?? ''));
    for (let distance = 1; distance <= entries.length; distance++) {
      const entry = entries[entries.length - distance] ?? '';
      address = readAddress(entry);
      if (address === undefined) {
        warn(entry);
        return networksOfText(entry);
      }
      if (!isProxy(address, distance)) break;
    }
    return networksOf(address);
  };
}

/**
 * Reads the spellings of an address that proxies use: with a port, in brackets, in quotes, with a zone.
 * @returns the address alone, or undefined if the text is not an address
 */
export function readAddress(text: string): string | undefined {
  if (text.length > longestAddress) return undefined;
  const bare = text.replace(/^[\s"']+/, '').replace(/[\s"']+$/, '');
  const [, bracketed] = /^\[([^\]]*)\](?::\d*)?$/.exec(bare) ?? [];
  const candidates = bracketed === undefined ? [bare, bare.replace(/:\d*$/, '')] : [bracketed];
  return candidates
    .map((candidate) => candidate.replace(/%.*$/, ''))
    .find((candidate) => isIPv4(candidate) || (isIPv6(candidate) && ipaddr.isValid(candidate)));
}

/** @param address - a result of `readAddress` */
function networksOf(address: string): ClientNetworks {
  const read = ipaddr.process(address);
  const { ipv4, ipv6 } = networkFactors;
  if (read instanceof ipaddr.IPv4) {
    const [a, b, c] = read.octets;
    return [
      { key: read.toString(), factor: ipv4[32] },
      { key: `${a}.${b}.${c}.0/24`, factor: ipv4[24] },
    ];
  }
  // If the server has only IPv6, a translator in front of it puts the visitor's IPv4 address at the end (RFC 6052, RFC
  // 6145).
  if (['rfc6052', 'rfc6145'].includes(read.range())) {
    return networksOf(new ipaddr.IPv4(read.toByteArray().slice(12)).toString());
  }
  const groups = read.parts.map((part) => part.toString(16));
  const [, , , fourth = 0] = read.parts;
  return [
    { key: groups.slice(0, 4).join(':'), factor: ipv6[64] },
    { key: `${groups.slice(0, 3).join(':')}:${(fourth & 0xff_00).toString(16)}/56`, factor: ipv6[56] },
    { key: `${groups.slice(0, 3).join(':')}/48`, factor: ipv6[48] },
  ];
}

/**
 * Returns a separate network for each text that is not an address, so that visitors with different texts do not share a
 * limit. The limits are high: if a proxy sends the same text for every visitor, e.g. `unknown`, all visitors share
 * them.
 */
function networksOfText(text: string): ClientNetworks {
  const withoutPort = text.replace(/:\d{1,5}$/, '');
  return [{ key: `text:${hash('sha256', withoutPort, 'hex').slice(0, 32)}`, factor: networkFactors.ipv6[48] }];
}

/** Returns the shape of a text without its content. */
function masked(text: string): string {
  return text
    .slice(0, longestAddress)
    .replace(/[0-9]/g, '9')
    .replace(/[a-z]/gi, 'a')
    .replace(/[^ -~]/g, '?');
}
