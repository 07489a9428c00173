import { staffAccounts, secondFactors, type StaffIdentity, type PendingSignIn } from '@dune-tide/db/accounts';
import { auditLog } from '@dune-tide/db/audit-log';
import {
  codeForm,
  passkeySignatureForm,
  refusedPasskeyMessage,
  wrongCodeMessage,
} from '@dune-tide/domain/forms/second-factor';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import type { ReplyMode } from '@dune-tide/domain/replies';
import type { Presented } from '@dune-tide/domain/responses/schema';
import {
  secondFactorKinds,
  type passkeyRequestResponse,
  type pendingSignInResponse,
  type sessionResponse,
} from '@dune-tide/domain/responses/session';
import type { Knex } from 'knex';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { Context, Middleware, Router } from '../http/context.ts';
import { formReader } from '@dune-tide/platform/form-reader';
import { jsonBody } from '../http/requests/json-body.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { verifyPassword } from '@dune-tide/platform/accounts/password';
import type { KnownDevices } from './known-devices.ts';
import type { Passkeys } from '../second-factor/passkeys.ts';
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
  readonly passkeys: Passkeys;
  readonly publicUrl: string;
}

/** Registers the sign-in, the sign-out and the call for the signed-in account. Only the sign-in needs no session. */
export function authRoutes(router: Router, dependencies: AuthRoutesDependencies): void {
  router.post('/login', jsonBody(), signIn(dependencies));
  secondFactorSteps(router, dependencies);
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
  const factors = secondFactors(database);
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
      const { hasTotp, passkeys } = await factors.of(account.id);
      const kinds = secondFactorKinds.filter((kind) => (kind === 'passkey' ? passkeys.length > 0 : hasTotp));
      ctx.body = { secondFactors: kinds } satisfies Presented<typeof pendingSignInResponse>;
      return;
    }
    devices.remember(ctx, account.id);
    ctx.body = presentStaff(account, dependencies);
  };
}

/** Registers the calls that complete a sign-in with a second factor. Their failures are counted together. */
function secondFactorSteps(router: Router, dependencies: AuthRoutesDependencies): void {
  const { database, networksOf, rateLimits, devices, totp, passkeys } = dependencies;
  const limits = signInLimits(rateLimits, 'second-factor');
  const pending = pendingSignIns(dependencies);
  const readCode = formReader(codeForm);
  const readSignature = formReader(passkeySignatureForm);

  const pendingOf = async (ctx: Context): Promise<PendingSignIn> => {
    const account = await pending.find(ctx);
    if (!account) throw signInExpired();
    return account;
  };

  /**
   * @param refusal - the field of the form and its message, if the factor is refused
   * @param use - uses the factor; returns whether it is accepted
   */
  const complete = async (
    ctx: Context,
    account: PendingSignIn,
    refusal: { readonly field: string; readonly message: string },
    use: () => Promise<boolean>,
  ): Promise<void> => {
    const networks = networksOf(ctx.req);
    const tried = { networks, foldedUsername: account.foldedUsername, knownDevice: devices.find(ctx, account.id) };
    if (!(await limits.attempt(tried, use))) {
      await auditLog(database).add({ action: 'second_factor_refused', actor: 'unknown', subjectId: account.id });
      throw validationFailed([refusal]);
    }
    // Either fails only if the sign-in was completed or the account was changed in the meantime.
    const isComplete = (await pending.end(ctx)) && (await beginSession(ctx, account, sessionOrigin(ctx, networks)));
    if (!isComplete) throw signInExpired();
    devices.remember(ctx, account.id);
    ctx.body = presentStaff(account, dependencies);
  };

  router.post('/login/code', jsonBody(), async (ctx) => {
    const { code } = readCode(ctx.state.body);
    const account = await pendingOf(ctx);
    await complete(ctx, account, { field: 'code', message: wrongCodeMessage }, () => totp.use(account.id, code));
  });

  router.post('/login/passkey/options', async (ctx) => {
    const { id, signInId } = await pendingOf(ctx);
    const options = await passkeys.beginUse(id, signInId);
    if (!options) throw signInExpired();
    // With an empty list, browsers would offer passkeys of other accounts.
    if (options.allowCredentials.length === 0) throw new Problem(409, { detail: 'The account has no passkey.' });
    ctx.body = options satisfies Presented<typeof passkeyRequestResponse>;
  });

  router.post('/login/passkey', jsonBody(), async (ctx) => {
    const signature = readSignature(ctx.state.body);
    const account = await pendingOf(ctx);
    await complete(ctx, account, { field: 'id', message: refusedPasskeyMessage }, () =>
      passkeys.use(account.id, account.signInId, signature),
    );
  });
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
