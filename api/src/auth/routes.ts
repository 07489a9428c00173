import {
  guessNotices,
  staffAccounts,
  secondFactors,
  type PendingSignIn,
  type StaffIdentity,
} from '@dune-tide/db/accounts';
import { auditLog } from '@dune-tide/db/audit-log';
import { codeForm, passkeySignatureForm, refusedPasskeyMessage } from '@dune-tide/domain/forms/second-factor';
import { brand } from '@dune-tide/domain/brand';
import { signInForm } from '@dune-tide/domain/forms/sign-in';
import type { FieldError } from '@dune-tide/domain/responses/problem';
import { string, type Presented } from '@dune-tide/domain/responses/schema';
import {
  passkeyRequestResponse,
  pendingSignInResponse,
  secondFactorKinds,
  sessionResponse,
  type SecondFactorKind,
} from '@dune-tide/domain/responses/session';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import type { Context } from '../http/context.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { formBody } from '../http/requests/json-body.ts';
import { comparableCode } from '../second-factor/recovery-codes.ts';
import { messageOf, type CodeOutcome } from '../second-factor/totp-codes.ts';
import { route, type Route } from '../http/route.ts';
import { signInLimits } from '../rate-limits/sign-in-limits.ts';
import type { Services } from '../services.ts';
import { limitedAttempt } from './audit.ts';
import { newDeviceToken } from './known-devices.ts';
import { pendingSignIns } from './pending-sign-ins.ts';
import { auditOrigin, sessionOrigin } from './session-origin.ts';
import { beginSession, endSession, needOf, staffOf } from './session.ts';

type AuthServices = Pick<
  Services,
  | 'database'
  | 'logger'
  | 'networksOf'
  | 'passwords'
  | 'rateLimits'
  | 'devices'
  | 'replyMode'
  | 'requiresSecondFactor'
  | 'totp'
  | 'passkeys'
  | 'publicUrl'
>;

const signedIn = {
  description: 'The account that signed in.',
  schema: sessionResponse,
  headers: {
    'Set-Cookie': {
      description: 'The session’s cookie and its signature, and the cookie of the known device.',
      schema: string,
    },
  },
};

/** Declares the sign-in, the sign-out and the call for the signed-in account. */
export function authRoutes(services: AuthServices): Route[] {
  return [
    signInRoute(services),
    ...secondFactorSteps(services),
    route(staffCalls.signOut, {
      summary: 'Ends the session',
      responses: {
        204: {
          description: 'The session has ended.',
          headers: {
            'Set-Cookie': { description: 'Deletes the cookie.', schema: string },
            'Clear-Site-Data': { description: 'Deletes drafts, also those of other tabs.', schema: string },
          },
        },
      },
      async handle(ctx) {
        await endSession(ctx);
        // Not the cookies, because a known device stays known, and no cache, because no response of the API is in one.
        ctx.set('Clear-Site-Data', '"storage"');
        ctx.body = null;
      },
    }),
    route(staffCalls.session, {
      summary: 'Returns the signed-in account',
      responses: { 200: { description: 'The signed-in account.', schema: sessionResponse } },
      handle(ctx) {
        ctx.body = presentStaff(staffOf(ctx), services);
      },
    }),
  ];
}

function signInRoute(services: AuthServices): Route {
  const { database, networksOf, passwords, devices } = services;
  const accounts = staffAccounts(database);
  const factors = secondFactors(database);
  const limits = signInLimits(services);
  const pending = pendingSignIns(services);
  return route(staffCalls.signIn, {
    summary: 'Starts a session',
    body: formBody(signInForm),
    responses: {
      200: signedIn,
      202: {
        description: 'The password is right. The sign-in waits for the second factor.',
        schema: pendingSignInResponse,
        headers: { 'Set-Cookie': { description: 'The cookie of the sign-in.', schema: string } },
      },
    },
    problems: [401, 429, 503],
    async handle(ctx, { body: { username, password } }) {
      const { foldedUsername, account } = await accounts.findForSignIn(username);
      const networks = networksOf(ctx.req);
      const origin = auditOrigin(ctx, networks);
      const knownDevice = account && (await devices.find(ctx, account.id));
      const deviceToken = knownDevice?.token ?? newDeviceToken();
      const attempt = limits.attempt({ networks, foldedUsername, knownDevice }, async () => {
        const network = knownDevice === undefined ? networks.at(-1)?.key : undefined;
        const check = await passwords.check(account?.passwordHash, password, network);
        if (!check.isRight || !account) return false;
        const { replacement = account.passwordHash } = check;
        if (check.replacement !== undefined && !(await accounts.replacePasswordHash(account, replacement)))
          return false;
        const checked = { ...account, passwordHash: replacement };
        return account.hasSecondFactor
          ? pending.begin(ctx, checked)
          : beginSession(ctx, checked, sessionOrigin(ctx, networks, { deviceToken, factor: 'none' }));
      });
      const about = { actor: 'unknown', subjectId: account?.id, origin } as const;
      const isRight = await attempt.catch(limitedAttempt(database, about));
      if (!isRight || !account) {
        await auditLog(database).addRefusedSignIn(origin, account?.id);
        await guessNotices(database).report(account?.id, 'password_guessed');
        throw new Problem(401, { detail: 'The username or the password is wrong.' });
      }
      if (account.hasSecondFactor) {
        ctx.status = 202;
        const { hasTotp, passkeys } = await factors.of(account.id);
        const kinds = secondFactorKinds.filter((kind) => (kind === 'passkey' ? passkeys.length > 0 : hasTotp));
        ctx.body = { secondFactors: kinds } satisfies Presented<typeof pendingSignInResponse>;
        return;
      }
      devices.remember(ctx, account.id, deviceToken);
      ctx.body = presentStaff(account, services);
    },
  });
}

/** Declares the calls that complete a sign-in with a second factor. Their failures are counted together. */
function secondFactorSteps(services: AuthServices): Route[] {
  const { database, networksOf, devices, totp, passkeys } = services;
  const limits = signInLimits(services, 'second-factor');
  const pending = pendingSignIns(services);

  const pendingOf = async (ctx: Context): Promise<PendingSignIn> => {
    const account = await pending.find(ctx);
    if (!account) throw signInExpired();
    return account;
  };

  /**
   * @param kind - the kind of the factor, for the audit log
   * @param refusal - returns the field of the form and its message, if the factor is refused
   * @param use - uses the factor; returns whether it is accepted
   * @param recoveryCode - returns the recovery code that was accepted, if any, which the end of the sign-in uses
   */
  const complete = async (
    ctx: Context,
    account: PendingSignIn,
    kind: SecondFactorKind,
    refusal: () => FieldError,
    use: () => Promise<boolean>,
    recoveryCode: () => string | undefined = () => undefined,
  ): Promise<void> => {
    const networks = networksOf(ctx.req);
    const about = { actor: 'unknown', subjectId: account.id, origin: auditOrigin(ctx, networks) } as const;
    const knownDevice = await devices.find(ctx, account.id);
    const deviceToken = knownDevice?.token ?? newDeviceToken();
    const tried = { networks, foldedUsername: account.foldedUsername, knownDevice };
    if (!(await limits.attempt(tried, use).catch(limitedAttempt(database, about)))) {
      await auditLog(database).add({ action: 'second_factor_refused', ...about, details: { factor: kind } });
      await guessNotices(database).report(account.id, 'password_known');
      throw validationFailed([refusal()]);
    }
    // Either fails only if the sign-in was completed or the account was changed in the meantime.
    const code = recoveryCode();
    const factor = code === undefined ? kind : 'recovery_code';
    const isComplete =
      (await pending.end(ctx, code)) &&
      (await beginSession(ctx, account, sessionOrigin(ctx, networks, { deviceToken, factor })));
    if (!isComplete) throw signInExpired();
    devices.remember(ctx, account.id, deviceToken);
    ctx.body = presentStaff(account, services);
  };

  return [
    route(staffCalls.signInWithCode, {
      summary: 'Completes a sign-in with a code of the authenticator app or a recovery code',
      body: formBody(codeForm),
      responses: { 200: signedIn },
      problems: [401, 429, 503],
      async handle(ctx, { body: { code } }) {
        const account = await pendingOf(ctx);
        let outcome: CodeOutcome = 'refused';
        const use = async () => {
          outcome = await totp.use(account.id, code);
          return outcome === 'accepted' || outcome === 'recovery_code';
        };
        await complete(
          ctx,
          account,
          'code',
          () => ({ field: 'code', message: messageOf(outcome) }),
          use,
          () => (outcome === 'recovery_code' ? comparableCode(code) : undefined),
        );
      },
    }),
    route(staffCalls.beginPasskeySignIn, {
      summary: 'Returns what a browser needs to ask for a passkey, with a new challenge',
      responses: { 200: { description: 'The challenge works once.', schema: passkeyRequestResponse } },
      problems: [401, 409, 503],
      async handle(ctx) {
        const { id, signInId } = await pendingOf(ctx);
        const options = await passkeys.beginUse(id, signInId);
        if (!options) throw signInExpired();
        // With an empty list, browsers would offer passkeys of other accounts.
        if (options.allowCredentials.length === 0) throw new Problem(409, { detail: 'The account has no passkey.' });
        ctx.body = options satisfies Presented<typeof passkeyRequestResponse>;
      },
    }),
    route(staffCalls.signInWithPasskey, {
      summary: 'Completes a sign-in with a passkey',
      body: formBody(passkeySignatureForm),
      responses: { 200: signedIn },
      problems: [401, 429, 503],
      async handle(ctx, { body: signature }) {
        const account = await pendingOf(ctx);
        const refusal = () => ({ field: 'id', message: refusedPasskeyMessage });
        await complete(ctx, account, 'passkey', refusal, () => passkeys.use(account.id, account.signInId, signature));
      },
    }),
  ];
}

const signInExpired = (): Problem => new Problem(401, { detail: 'Please enter your username and password again.' });

function presentStaff(
  staff: StaffIdentity,
  { replyMode, requiresSecondFactor }: Pick<Services, 'replyMode' | 'requiresSecondFactor'>,
): Presented<typeof sessionResponse> {
  const { id, username, name, role, hasEmail } = staff;
  return {
    id,
    username,
    name,
    role,
    hasEmail,
    needs: needOf(staff, requiresSecondFactor),
    replies: replyMode,
    timeZone: brand.timeZone,
  };
}
