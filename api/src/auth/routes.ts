import type { StaffIdentity } from '@dune-tide/db/sessions';
import { staffAccounts } from '@dune-tide/db/accounts';
import { auditLog } from '@dune-tide/db/audit-log';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import type { ReplyMode } from '@dune-tide/domain/replies';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { sessionResponse } from '@dune-tide/domain/responses/session';
import type { Knex } from 'knex';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { Middleware, Router } from '../http/context.ts';
import { formReader } from '@dune-tide/platform/form-reader';
import { jsonBody } from '../http/requests/json-body.ts';
import { Problem } from '../http/errors/problem.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { verifyPassword } from '@dune-tide/platform/accounts/password';
import type { KnownDevices } from './known-devices.ts';
import { sessionOrigin } from './session-origin.ts';
import { beginSession, endSession, needsOf, staffOf } from './session.ts';
import { signInLimits } from '../rate-limits/sign-in-limits.ts';

export interface AuthRoutesDependencies {
  readonly database: Knex;
  readonly networksOf: ClientNetworksOf;
  readonly rateLimits: RateLimitStore;
  readonly devices: KnownDevices;
  readonly replyMode: ReplyMode;
}

/** Registers the sign-in, the sign-out and the call for the signed-in account. All but the sign-in need a session. */
export function authRoutes(router: Router, dependencies: AuthRoutesDependencies): void {
  router.post('/login', jsonBody(), signIn(dependencies));
  router.post('/logout', async (ctx) => {
    await endSession(ctx);
    ctx.body = null;
  });
  router.get('/session', (ctx) => {
    ctx.body = presentStaff(staffOf(ctx), dependencies.replyMode);
  });
}

function signIn({ database, networksOf, rateLimits, devices, replyMode }: AuthRoutesDependencies): Middleware {
  const accounts = staffAccounts(database);
  const limits = signInLimits(rateLimits);
  const read = formReader(signInForm);
  return async (ctx) => {
    const { username, password } = read(ctx.state.body);
    const { foldedUsername, account } = await accounts.findForSignIn(username);
    const networks = networksOf(ctx.req);
    const knownDevice = account && devices.find(ctx, account.id);
    const isSignedIn = await limits.attempt({ networks, foldedUsername, knownDevice }, async () => {
      const network = knownDevice === undefined ? networks.at(-1)?.key : undefined;
      const { isRight, replacement } = await verifyPassword(account?.passwordHash, password, network);
      if (!isRight || !account) return false;
      const origin = sessionOrigin(ctx, networks);
      if (replacement === undefined) return beginSession(ctx, account, origin);
      const isReplaced = await accounts.replacePasswordHash(account, replacement);
      return isReplaced && beginSession(ctx, { ...account, passwordHash: replacement }, origin);
    });
    if (!isSignedIn || !account) {
      await auditLog(database).addRefusedSignIn(account?.id);
      throw new Problem(401, { detail: 'The username or the password is wrong.' });
    }
    devices.remember(ctx, account.id);
    ctx.body = presentStaff(account, replyMode);
  };
}

function presentStaff(staff: StaffIdentity, replies: ReplyMode): Presented<typeof sessionResponse> {
  const { id, username, name } = staff;
  return { id, username, name, needs: needsOf(staff), replies };
}
