import { staffAccounts, secondFactors, staffSessions, type Account } from '@dune-tide/db/accounts';
import { audited, auditLog } from '@dune-tide/db/audit-log';
import {
  leadEmailsForm,
  ownAccountForm,
  ownPasswordForm,
  passwordConfirmationForm,
  samePasswordMessage,
  visibleName,
  wrongPasswordMessage,
} from '@dune-tide/domain/forms/account';
import { normalUsername } from '@dune-tide/domain/forms/normalise';
import { ownAccountResponse, ownSessionResponse } from '@dune-tide/domain/responses/own-account';
import { array, type Presented } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { requireStrong } from '../accounts/routes.ts';
import { entryOf, limitedAttempt } from '../auth/audit.ts';
import { auditOrigin } from '../auth/session-origin.ts';
import { actorOf, notSignedIn, staffOf } from '../auth/session.ts';
import type { Context } from '../http/context.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { changeBody, formBody } from '../http/requests/json-body.ts';
import { route, type Route } from '../http/route.ts';
import { signInLimits } from '../rate-limits/sign-in-limits.ts';
import type { Services } from '../services.ts';

type OwnAccountServices = Pick<
  Services,
  'database' | 'logger' | 'networksOf' | 'passwords' | 'rateLimits' | 'devices' | 'staffEmail'
>;

/** Declares the calls with which members of staff change their own account (docs/PRODUCT.md, "Account page"). */
export function ownAccountRoutes(services: OwnAccountServices): Route[] {
  const { database, passwords, staffEmail } = services;
  const accounts = staffAccounts(database, staffEmail);
  const checkPassword = passwordCheck(services);
  const factors = secondFactors(database);
  const sessions = staffSessions(database);
  const presentOwn = async (account: Account): Promise<Presented<typeof ownAccountResponse>> => {
    const { id, username, name, email, pendingEmail } = account;
    const [{ hasTotp, passkeys, recoveryCodesLeft }, leadEmails] = await Promise.all([
      factors.of(id),
      accounts.leadEmailsOf(id),
    ]);
    return { id, username, name, email, pendingEmail, leadEmails, hasTotp, passkeys, recoveryCodesLeft };
  };
  return [
    route(staffCalls.ownAccount, {
      summary: 'Returns the signed-in account with its settings',
      responses: { 200: { description: 'The account.', schema: ownAccountResponse } },
      async handle(ctx) {
        const account = await accounts.byId(staffOf(ctx).id);
        if (!account) throw notSignedIn();
        ctx.body = await presentOwn(account);
      },
    }),
    route(staffCalls.changeOwnAccount, {
      summary: 'Changes the name or the email address of the signed-in account',
      body: changeBody(ownAccountForm),
      responses: { 200: { description: 'The account after the change.', schema: ownAccountResponse } },
      async handle(ctx, { body }) {
        const name = visibleName(body.name);
        if (name === '')
          throw validationFailed([{ field: 'name', message: ownAccountForm.properties.name.messages.default }]);
        const account = await accounts.changeOwn(actorOf(ctx), { name, email: body.email });
        if (!account) throw notSignedIn();
        ctx.body = await presentOwn(account);
      },
    }),
    route(staffCalls.chooseLeadEmails, {
      summary: 'Chooses when the signed-in account gets emails about assigned leads and mentions',
      body: formBody(leadEmailsForm),
      responses: { 204: { description: 'The choice is stored.' } },
      async handle(ctx, { body: { leadEmails } }) {
        await accounts.chooseLeadEmails(staffOf(ctx).id, leadEmails);
        // Koa sends 204 for an empty body.
        ctx.body = null;
      },
    }),
    route(staffCalls.ownSessions, {
      summary: 'Lists the sessions of the signed-in account',
      responses: {
        200: { description: 'At most 100, most recently used first.', schema: array(ownSessionResponse) },
      },
      async handle(ctx) {
        const { id, sessionId } = actorOf(ctx);
        ctx.body = await sessions.list(id, sessionId);
      },
    }),
    route(staffCalls.endOtherSessions, {
      summary: 'Ends all other sessions of the signed-in account',
      responses: { 204: { description: 'They have ended.' } },
      async handle(ctx) {
        const { id, sessionId } = actorOf(ctx);
        await sessions.endOthers(id, sessionId);
        ctx.body = null;
      },
    }),
    route(staffCalls.endSession, {
      summary: 'Ends a session of the signed-in account',
      responses: { 204: { description: 'It has ended.' } },
      problems: [404],
      async handle(ctx, { params: { id } }) {
        if (!(await sessions.endOne(staffOf(ctx).id, id))) throw new Problem(404);
        ctx.body = null;
      },
    }),
    route(staffCalls.confirmPassword, {
      summary: 'Confirms the password, for changes that need a fresh one',
      body: formBody(passwordConfirmationForm),
      responses: { 204: { description: 'The password is right.' } },
      problems: [429],
      async handle(ctx, { body: { password } }) {
        const { id, sessionId } = actorOf(ctx);
        const passwordHash = await checkPassword(ctx, password, 'password');
        const isEntered = await audited(
          database,
          (transaction) => staffSessions(transaction).enterPassword(sessionId, { id, passwordHash }),
          (entered) => entered && entryOf(ctx, staffCalls.confirmPassword, { subjectId: id }),
        );
        if (!isEntered) throw notSignedIn();
        // Koa sends 204 for an empty body.
        ctx.body = null;
      },
    }),
    route(staffCalls.changeOwnPassword, {
      summary: 'Changes the password of the signed-in account, and ends its other sessions',
      body: formBody(ownPasswordForm),
      responses: { 204: { description: 'The password is changed.' } },
      problems: [429],
      async handle(ctx, { body: { currentPassword, password } }) {
        await requireStrong(password, staffOf(ctx).username);
        if (password === currentPassword) throw validationFailed([{ field: 'password', message: samePasswordMessage }]);
        const passwordHash = await checkPassword(ctx, currentPassword, 'currentPassword');
        const isChanged = await accounts.changeOwnPassword(actorOf(ctx), passwordHash, await passwords.hash(password));
        if (!isChanged) throw notSignedIn();
        ctx.body = null;
      },
    }),
  ];
}

/** Returns a check of the password of the signed-in account, which counts failures as the sign-in does. */
function passwordCheck(services: OwnAccountServices) {
  const { database, networksOf, passwords, devices } = services;
  const accounts = staffAccounts(database);
  const limits = signInLimits(services, 'own-password');

  /**
   * @param field - the field of the form, for the message
   * @returns the password hash, which may replace one that an earlier release made
   * @throws {Problem} 422 if the password is wrong; 429 after too many failures
   */
  return async (ctx: Context, password: string, field: string): Promise<string> => {
    const { id, username } = staffOf(ctx);
    const stored = await accounts.passwordHashOf(id);
    let passwordHash = stored;
    const networks = networksOf(ctx.req);
    const about = { actor: { id }, subjectId: id, origin: auditOrigin(ctx, networks) } as const;
    const tried = {
      networks,
      foldedUsername: normalUsername(username).toLowerCase(),
      knownDevice: await devices.find(ctx, id),
    };
    const attempt = limits.attempt(tried, async () => {
      const check = await passwords.check(stored, password, undefined);
      if (!check.isRight || stored === undefined) return false;
      if (check.replacement === undefined) return true;
      passwordHash = check.replacement;
      return accounts.replacePasswordHash({ id, passwordHash: stored }, check.replacement);
    });
    const isRight = await attempt.catch(limitedAttempt(database, about));
    if (!isRight || passwordHash === undefined) {
      await auditLog(database).add({ action: 'password_refused', ...about });
      throw validationFailed([{ field, message: wrongPasswordMessage }]);
    }
    return passwordHash;
  };
}
