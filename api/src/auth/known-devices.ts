import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { knownDeviceDays } from '@dune-tide/domain/limits';
import type { Context } from '../http/context.ts';

const wellFormed = /^(\d{13})\.([\w-]{22})\.([\w-]{43})$/;
const lifetimeMs = knownDeviceDays * 24 * 60 * 60 * 1_000;

/** Recognises the devices that have signed in to an account before (OWASP, "Device Cookies"). */
export interface KnownDevices {
  /**
   * Returns the id of the device that sent the request.
   * @returns undefined if the device has not signed in to the account within `knownDeviceDays`
   */
  find(ctx: Context, accountId: string): string | undefined;
  /** Sets the cookie after a sign-in. A known device keeps its id. */
  remember(ctx: Context, accountId: string): void;
}

/**
 * Issues and checks device cookies. A cookie is valid for one account, and its signature covers the account's id. The
 * name of the cookie contains a hash of that id, so that several members can share a device.
 * @param keys - the first one signs; all are accepted
 * @param now - milliseconds since 1970
 */
export function knownDevices(keys: readonly string[], publicUrl: string, now: () => number = Date.now): KnownDevices {
  // Derived keys, so that a device cookie can never be valid as a signature of the session cookie.
  const own = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'device-cookie', 32)));
  const [signing] = own;
  if (!signing) throw new Error('Device cookies need at least one key');
  const isSecure = publicUrl.startsWith('https:');
  const prefix = isSecure ? '__Host-device' : 'device';
  const nameOf = (accountId: string): string => `${prefix}-${hash('sha256', accountId, 'hex').slice(0, 12)}`;
  const sign = (key: Buffer, issued: string, deviceId: string, accountId: string): Buffer =>
    createHmac('sha256', key).update(`${issued}.${deviceId}.${accountId}`).digest();

  const find: KnownDevices['find'] = (ctx, accountId) => {
    const value = ctx.cookies.get(nameOf(accountId), { signed: false }) ?? '';
    const [, issued, deviceId, signature] = wellFormed.exec(value) ?? [];
    if (issued === undefined || deviceId === undefined || signature === undefined) return undefined;
    if (now() - Number(issued) > lifetimeMs) return undefined;
    const given = Buffer.from(signature, 'base64url');
    return own.some((key) => timingSafeEqual(sign(key, issued, deviceId, accountId), given)) ? deviceId : undefined;
  };

  return {
    find,
    remember(ctx, accountId) {
      const issued = String(now());
      const deviceId = find(ctx, accountId) ?? randomBytes(16).toString('base64url');
      const signature = sign(signing, issued, deviceId, accountId).toString('base64url');
      ctx.cookies.set(nameOf(accountId), `${issued}.${deviceId}.${signature}`, {
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure,
        path: '/',
        maxAge: lifetimeMs,
        signed: false,
      });
    },
  };
}
