import type { SessionOrigin } from '@dune-tide/db/accounts';
import type { AuditOrigin } from '@dune-tide/db/audit-log';
import Bowser from 'bowser';
import type { ClientNetworks } from '../http/server/client-networks.ts';
import type { Context } from '../http/context.ts';

const longestDevice = 100;

/**
 * Describes where a sign-in came from, so that members recognise their sessions. The browser's full identification is
 * not stored.
 */
export function sessionOrigin(
  ctx: Context,
  networks: ClientNetworks,
  { deviceToken, factor }: Pick<SessionOrigin, 'deviceToken' | 'factor'>,
): SessionOrigin {
  return { ...auditOrigin(ctx, networks), address: describeNetwork(networks[0].key), deviceToken, factor };
}

/** Describes where a request came from for the audit log. */
export function auditOrigin(ctx: Context, networks: ClientNetworks): AuditOrigin {
  return { network: describeWidest(networks), device: describeDevice(ctx.get('User-Agent')) };
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

/** Returns the /24 or the /48 network in its usual spelling. */
function describeWidest(networks: ClientNetworks): string | null {
  const key = networks.at(-1)?.key ?? '';
  if (key.startsWith('text:')) return null;
  return key.includes(':') ? key.replace('/', '::/') : key;
}
