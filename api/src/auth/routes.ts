import type { StaffIdentity } from '@dune-tide/db/sessions';
import { staffAccounts } from '@dune-tide/db/accounts';
import { auditLog } from '@dune-tide/db/audit-log';
import { codeForm, wrongCodeMessage } from '@dune-tide/domain/forms/second-factor';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import type { ReplyMode } from '@dune-tide/domain/replies';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { pendingSignInResponse, sessionResponse } from '@dune-tide/domain/responses/session';
import type { Knex } from 'knex';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { Middleware, Router } from '../http/context.ts';
import { formReader } from '@dune-tide/platform/form-reader';
import { jsonBody } from '../http/requests/json-body.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { verifyPassword } from '@dune-tide/platform/accounts/password';
import type { KnownDevices } from './known-devices.ts';
import type { TotpCodes } from '../second-factor/totp-codes.ts';
import { pendingSignIns } from './pending-sign-ins.ts';
import { sessionOrigin } from './session-origin.ts';
import { beginSession, endSession, needOf, staffOf } from './session.ts';
import { signInLimits } from '../rate-limits/sign-in-limits.ts';

export interface AuthRoutesDependencies {
  readonly database: Knex;
  readonly networksOf: ClientNetworksOf;
  readonly rateLimits: RateLimitStore;
  readonly devices: KnownDevices;
  readonly replyMode: ReplyMode;
  /** The time zone of the days that staff filter by. */
  readonly timeZone: string;
  /** Whether every account must set up a second factor. */
  readonly requiresSecondFactor: boolean;
  readonly totp: TotpCodes;
  readonly publicUrl: string;
}

/** Registers the sign-in, the sign-out and the call for the signed-in account. Only the sign-in needs no session. */
export function authRoutes(router: Router, dependencies: AuthRoutesDependencies): void {
  router.post('/login', jsonBody(), signIn(dependencies));
  router.post('/login/code', jsonBody(), enterCode(dependencies));
  router.post('/logout', async (ctx) => {
    await endSession(ctx);
    ctx.body = null;
  });
  router.get('/session', (ctx) => {
    ctx.body = presentStaff(staffOf(ctx), dependencies);
  });
}

function signIn(dependencies: AuthRoutesDependencies): Middleware {
  const { database, networksOf, rateLimits, devices } = dependencies;
  const accounts = staffAccounts(database);
  const limits = signInLimits(rateLimits);
  const pending = pendingSignIns(dependencies);
  const read = formReader(signInForm);
  return async (ctx) => {
    const { username, password } = read(ctx.state.body);
    const { foldedUsername, account } = await accounts.findForSignIn(username);
    const networks = networksOf(ctx.req);
    const knownDevice = account && devices.find(ctx, account.id);
    const isRight = await limits.attempt({ networks, foldedUsername, knownDevice }, async () => {
      const network = knownDevice === undefined ? networks.at(-1)?.key : undefined;
      const check = await verifyPassword(account?.passwordHash, password, network);
      if (!check.isRight || !account) return false;
      const { replacement = account.passwordHash } = check;
      if (check.replacement !== undefined && !(await accounts.replacePasswordHash(account, replacement))) return false;
      const checked = { ...account, passwordHash: replacement };
      return account.hasSecondFactor
        ? pending.begin(ctx, checked)
        : beginSession(ctx, checked, sessionOrigin(ctx, networks));
    });
    if (!isRight || !account) {
      await auditLog(database).addRefusedSignIn(account?.id);
      throw new Problem(401, { detail: 'The username or the password is wrong.' });
    }
    if (account.hasSecondFactor) {
      ctx.status = 202;
      ctx.body = { secondFactors: ['code'] } satisfies Presented<typeof pendingSignInResponse>;
      return;
    }
    devices.remember(ctx, account.id);
    ctx.body = presentStaff(account, dependencies);
  };
}

/** Completes a sign-in with a code of the second factor. */
function enterCode(dependencies: AuthRoutesDependencies): Middleware {
  const { database, networksOf, rateLimits, devices, totp } = dependencies;
  const limits = signInLimits(rateLimits, 'second-factor');
  const pending = pendingSignIns(dependencies);
  const read = formReader(codeForm);
  return async (ctx) => {
    const { code } = read(ctx.state.body);
    const account = await pending.find(ctx);
    if (!account) throw signInExpired();
    const networks = networksOf(ctx.req);
    const tried = { networks, foldedUsername: account.foldedUsername, knownDevice: devices.find(ctx, account.id) };
    if (!(await limits.attempt(tried, () => totp.use(account.id, code)))) {
      await auditLog(database).add({ action: 'second_factor_refused', actor: 'unknown', subjectId: account.id });
      throw validationFailed([{ field: 'code', message: wrongCodeMessage }]);
    }
    // Either fails only if the sign-in was completed or the account was changed in the meantime.
    const isComplete = (await pending.end(ctx)) && (await beginSession(ctx, account, sessionOrigin(ctx, networks)));
    if (!isComplete) throw signInExpired();
    devices.remember(ctx, account.id);
    ctx.body = presentStaff(account, dependencies);
  };
}

const signInExpired = (): Problem => new Problem(401, { detail: 'Please enter your username and password again.' });

function presentStaff(
  staff: StaffIdentity,
  {
    replyMode,
    timeZone,
    requiresSecondFactor,
  }: Pick<AuthRoutesDependencies, 'replyMode' | 'timeZone' | 'requiresSecondFactor'>,
): Presented<typeof sessionResponse> {
  const { id, username, name } = staff;
  return { id, username, name, needs: needOf(staff, requiresSecondFactor), replies: replyMode, timeZone };
}
