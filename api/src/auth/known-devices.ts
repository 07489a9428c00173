import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { knownDevices as deviceStore } from '@dune-tide/db/accounts';
import { knownDeviceDays } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import type { Context } from '../http/context.ts';

const tokenForm = /^[\w-]{22}$/;
const lifetimeMs = knownDeviceDays * 24 * 60 * 60 * 1_000;

/** A device that has signed in to an account before. */
export interface KnownDevice {
  readonly id: string;
  readonly staffId: string;
  /** The value of its cookie. */
  readonly token: string;
}

/** Recognises the devices that have signed in to an account before (OWASP, "Device Cookies"). */
export interface KnownDevices {
  /**
   * Returns the device that sent the request.
   * @returns undefined if the account does not know the device, or the device has ended
   */
  find(ctx: Context, accountId: string): Promise<KnownDevice | undefined>;
  /** Sets the cookie after a sign-in. */
  remember(ctx: Context, accountId: string, token: string): void;
}

/** Generates the token of a new device. */
export const newDeviceToken = (): string => randomBytes(16).toString('base64url');

/**
 * Reads and sets device cookies. A cookie holds a random token, whose hash is stored with the account. The name of the
 * cookie contains a hash of the account's id, so that several members can share a device.
 * @param sessionKeys - the keys of the cookies of 0.3.0
 */
export function knownDevices({
  database,
  sessionKeys,
  publicUrl,
}: {
  readonly database: Knex;
  readonly sessionKeys: readonly string[];
  readonly publicUrl: string;
}): KnownDevices {
  const store = deviceStore(database);
  const readFormer = formerCookies(sessionKeys);
  const isSecure = publicUrl.startsWith('https:');
  const prefix = isSecure ? '__Host-device' : 'device';
  const nameOf = (accountId: string): string => `${prefix}-${hash('sha256', accountId, 'hex').slice(0, 12)}`;

  return {
    async find(ctx, accountId) {
      const value = ctx.cookies.get(nameOf(accountId), { signed: false }) ?? '';
      const former = readFormer(value, accountId);
      const token = former?.token ?? value;
      if (!tokenForm.test(token)) return undefined;
      const id =
        (await store.find(accountId, token)) ?? (former && (await store.adopt(accountId, token, former.issuedAt)));
      return id === undefined ? undefined : { id, staffId: accountId, token };
    },
    remember(ctx, accountId, token) {
      ctx.cookies.set(nameOf(accountId), token, {
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

const formerForm = /^(\d{13})\.([\w-]{22})\.([\w-]{43})$/;

/** Returns a function that checks a signed cookie of 0.3.0: its time, the id of the device, and a signature of both. */
function formerCookies(keys: readonly string[]) {
  const own = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'device-cookie', 32)));
  return (value: string, accountId: string): { readonly token: string; readonly issuedAt: Date } | undefined => {
    const [, issued, token, signature] = formerForm.exec(value) ?? [];
    if (issued === undefined || token === undefined || signature === undefined) return undefined;
    const given = Buffer.from(signature, 'base64url');
    const isSigned = own.some((key) =>
      timingSafeEqual(createHmac('sha256', key).update(`${issued}.${token}.${accountId}`).digest(), given),
    );
    return isSigned ? { token, issuedAt: new Date(Number(issued)) } : undefined;
  };
}
