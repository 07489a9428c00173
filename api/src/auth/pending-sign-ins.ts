import { randomBytes } from 'node:crypto';
import { secondFactors, type PendingSignIn } from '@dune-tide/db/accounts';
import { pendingSignInMinutes } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import type { Context } from '../http/context.ts';

/**
 * Keeps sign-ins with the right password that wait for the second factor. The cookie holds a random id, which gives no
 * access.
 */
export function pendingSignIns({ database, publicUrl }: { readonly database: Knex; readonly publicUrl: string }) {
  const factors = secondFactors(database);
  const isSecure = publicUrl.startsWith('https:');
  const name = `${isSecure ? '__Host-' : ''}pending-sign-in`;
  const attributes = { httpOnly: true, sameSite: 'strict', secure: isSecure, path: '/', signed: false } as const;
  const idOf = (ctx: Context): string | undefined => ctx.cookies.get(name, { signed: false });

  return {
    /** @returns false if the account was changed after the check of its password */
    async begin(ctx: Context, account: { readonly id: string; readonly passwordHash: string }): Promise<boolean> {
      const id = randomBytes(32).toString('base64url');
      if (!(await factors.beginSignIn(id, account))) return false;
      ctx.cookies.set(name, id, { ...attributes, maxAge: pendingSignInMinutes * 60_000 });
      return true;
    },
    async find(ctx: Context): Promise<PendingSignIn | undefined> {
      const id = idOf(ctx);
      return id === undefined ? undefined : factors.pendingSignIn(id);
    },
    /**
     * Ends the sign-in, and uses the recovery code that completes it, if any.
     * @returns false if another request has ended it or used the code
     */
    async end(ctx: Context, recoveryCode?: string): Promise<boolean> {
      const id = idOf(ctx);
      ctx.cookies.set(name, null, attributes);
      return id !== undefined && factors.endSignIn(id, recoveryCode);
    },
  };
}
