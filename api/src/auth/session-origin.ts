import type { SessionOrigin } from '@dune-tide/db/accounts';
import Bowser from 'bowser';
import type { ClientNetworks } from '../http/server/client-networks.ts';
import type { Context } from '../http/context.ts';

const longestDevice = 100;

/**
 * Describes where a request came from, so that members recognise their sessions. The browser's full identification is
 * not stored.
 */
export function sessionOrigin(ctx: Context, [{ key }]: ClientNetworks, deviceToken: string): SessionOrigin {
  return { device: describeDevice(ctx.get('User-Agent')), address: describeNetwork(key), deviceToken };
}

/**
 * Names the browser and the system, e.g. "Firefox on Windows".
 * @returns null if neither is known
 */
export function describeDevice(userAgent: string): string | null {
  if (userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent);
  const names = [browser.name, os.name].filter((name) => name !== undefined && name !== '');
  return names.length === 0 ? null : names.join(' on ').slice(0, longestDevice);
}

/** @param key - an IPv4 address, the first four groups of an IPv6 address, or a hash of a text that is neither */
function describeNetwork(key: string): string | null {
  if (key.startsWith('text:')) return null;
  return key.includes(':') ? `${key}::/64` : key;
}
