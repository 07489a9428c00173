import { staffAccounts, secondFactors, staffSessions, type Account, type SecondFactors } from '@dune-tide/db/accounts';
import { auditLog } from '@dune-tide/db/audit-log';
import {
  normalUsername,
  ownAccountForm,
  ownPasswordForm,
  passwordConfirmationForm,
  samePasswordMessage,
  visibleName,
  wrongPasswordMessage,
} from '@dune-tide/domain/forms/account';
import type { ownAccountResponse } from '@dune-tide/domain/responses/own-account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { hashPassword, verifyPassword } from '@dune-tide/platform/accounts/password';
import { formReader } from '@dune-tide/platform/form-reader';
import type { Knex } from 'knex';
import { requireStrong } from '../accounts/routes.ts';
import type { KnownDevices } from '../auth/known-devices.ts';
import { actorOf, notSignedIn, staffOf } from '../auth/session.ts';
import type { Context, Router } from '../http/context.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { refuseBlanks } from '../http/requests/blank-fields.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { signInLimits } from '../rate-limits/sign-in-limits.ts';

export interface OwnAccountRoutesDependencies {
  readonly database: Knex;
  readonly networksOf: ClientNetworksOf;
  readonly rateLimits: RateLimitStore;
  readonly devices: KnownDevices;
}

/** Registers the calls with which members of staff change their own account (docs/PRODUCT.md, "Account page"). */
export function ownAccountRoutes(router: Router, dependencies: OwnAccountRoutesDependencies): void {
  const { database } = dependencies;
  const accounts = staffAccounts(database);
  const checkPassword = passwordCheck(dependencies);
  const factors = secondFactors(database);
  const sessions = staffSessions(database);
  const readChange = formReader(ownAccountForm);
  const readConfirmation = formReader(passwordConfirmationForm);
  const readPassword = formReader(ownPasswordForm);

  router.get('/account', async (ctx) => {
    const account = await accounts.byId(staffOf(ctx).id);
    if (!account) throw notSignedIn();
    ctx.body = presentOwn(account, await factors.of(account.id));
  });

  router.patch('/account', jsonBody(), async (ctx) => {
    const values = readChange(ctx.state.body);
    refuseBlanks(ownAccountForm, ctx.state.body, values);
    const name = visibleName(values.name);
    if (name === '')
      throw validationFailed([{ field: 'name', message: ownAccountForm.properties.name.messages.default }]);
    const account = await accounts.changeOwn(actorOf(ctx), { name, email: values.email });
    if (!account) throw notSignedIn();
    ctx.body = presentOwn(account, await factors.of(account.id));
  });

  router.get('/account/sessions', async (ctx) => {
    const { id, sessionId } = actorOf(ctx);
    ctx.body = await sessions.list(id, sessionId);
  });

  router.delete('/account/sessions', async (ctx) => {
    const { id, sessionId } = actorOf(ctx);
    await sessions.endOthers(id, sessionId);
    ctx.body = null;
  });

  router.delete('/account/sessions/:id', async (ctx) => {
    if (!(await sessions.endOne(staffOf(ctx).id, resourceId(ctx)))) throw new Problem(404);
    ctx.body = null;
  });

  router.post('/account/confirm', jsonBody(), async (ctx) => {
    const { password } = readConfirmation(ctx.state.body);
    const { id, sessionId } = actorOf(ctx);
    const passwordHash = await checkPassword(ctx, password, 'password');
    if (!(await sessions.enterPassword(sessionId, { id, passwordHash }))) throw notSignedIn();
    // Koa sends 204 for an empty body.
    ctx.body = null;
  });

  router.post('/account/password', jsonBody(), async (ctx) => {
    const { currentPassword, password } = readPassword(ctx.state.body);
    requireStrong(password, staffOf(ctx).username);
    if (password === currentPassword) throw validationFailed([{ field: 'password', message: samePasswordMessage }]);
    const passwordHash = await checkPassword(ctx, currentPassword, 'currentPassword');
    const isChanged = await accounts.changeOwnPassword(actorOf(ctx), passwordHash, await hashPassword(password));
    if (!isChanged) throw notSignedIn();
    ctx.body = null;
  });
}

function presentOwn(
  { id, username, name, email }: Account,
  { hasTotp, passkeys, recoveryCodesLeft }: SecondFactors,
): Presented<typeof ownAccountResponse> {
  return { id, username, name, email, hasTotp, passkeys, recoveryCodesLeft };
}

/** Returns a check of the password of the signed-in account, which counts failures as the sign-in does. */
function passwordCheck({ database, networksOf, rateLimits, devices }: OwnAccountRoutesDependencies) {
  const accounts = staffAccounts(database);
  const limits = signInLimits(rateLimits, 'own-password');

  /**
   * @param field - the field of the form, for the message
   * @returns the password hash, which may replace one that an earlier release made
   * @throws {Problem} 422 if the password is wrong; 429 after too many failures
   */
  return async (ctx: Context, password: string, field: string): Promise<string> => {
    const { id, username } = staffOf(ctx);
    const stored = await accounts.passwordHashOf(id);
    let passwordHash = stored;
    const tried = {
      networks: networksOf(ctx.req),
      foldedUsername: normalUsername(username).toLowerCase(),
      knownDevice: devices.find(ctx, id),
    };
    const isRight = await limits.attempt(tried, async () => {
      const check = await verifyPassword(stored, password, undefined);
      if (!check.isRight || stored === undefined) return false;
      if (check.replacement === undefined) return true;
      passwordHash = check.replacement;
      return accounts.replacePasswordHash({ id, passwordHash: stored }, check.replacement);
    });
    if (!isRight || passwordHash === undefined) {
      await auditLog(database).add({ action: 'password_refused', actor: { id }, subjectId: id });
      throw validationFailed([{ field, message: wrongPasswordMessage }]);
    }
    return passwordHash;
  };
}
