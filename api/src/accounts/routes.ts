import { staffAccounts, type KnownAccount, type Account } from '@dune-tide/db/accounts';
import {
  accountChangeForm,
  newAccountForm,
  usernameTakenMessage,
  type NewAccount,
} from '@dune-tide/domain/forms/account';
import { accountResponse } from '@dune-tide/domain/responses/account';
import { array, type Presented } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { lastOwnerMessage } from '@dune-tide/domain/staff-roles';
import { readNewAccount } from '@dune-tide/platform/accounts/new-account';
import type { Passwords } from '@dune-tide/platform/accounts/password';
import { passwordWeakness } from '@dune-tide/platform/accounts/password-weakness';
import { actorOf, notSignedIn } from '../auth/session.ts';
import { validationFailed, Problem } from '../http/errors/problem.ts';
import { idempotencyConflict, idempotencyKey, idOfRequest } from '../http/requests/idempotency.ts';
import { changeBody } from '../http/requests/json-body.ts';
import { ownerNeeded, route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

/** Declares the calls for staff accounts (docs/PRODUCT.md, "Team page"). */
export function accountRoutes({
  database,
  passwords,
  staffEmail,
}: Pick<Services, 'database' | 'passwords' | 'staffEmail'>): Route[] {
  const accounts = staffAccounts(database, staffEmail);
  return [
    route(staffCalls.accounts, {
      summary: 'Lists the staff accounts',
      responses: { 200: { description: 'Every account, by name.', schema: array(accountResponse) } },
      async handle(ctx) {
        ctx.body = (await accounts.list()).map(presentAccount);
      },
    }),
    route(staffCalls.addAccount, {
      summary: 'Adds an account',
      headers: idempotencyKey,
      body: { schemas: [newAccountForm], read: readNewAccount },
      responses: { 201: { description: 'The account as stored.', schema: accountResponse } },
      async handle(ctx, { body }) {
        const { name, username, password, email, role } = body;
        await requireStrong(password, username);
        const id = idOfRequest(ctx);
        const passwordHash = await passwords.hash(password);
        const addition = await accounts.add(id, { name, username, passwordHash, email, role }, actorOf(ctx));
        if (!('account' in addition)) throw refusals[addition.outcome]();
        if (addition.outcome === 'known' && !(await isSame(addition.account, body, passwords)))
          throw idempotencyConflict();
        ctx.status = 201;
        ctx.body = presentAccount(addition.account);
      },
    }),
    route(staffCalls.changeAccount, {
      summary: 'Activates or deactivates an account, or sets its role, password or email address',
      description: 'A password that was set by another person must be changed at the next sign-in.',
      body: changeBody(accountChangeForm),
      responses: { 200: { description: 'The account after the change.', schema: accountResponse } },
      problems: [404, 409],
      async handle(ctx, { params: { id }, body: { isActive, password, email, role } }) {
        const actor = actorOf(ctx);
        if (isActive === false && id === actor.id) {
          throw new Problem(409, { detail: 'You cannot deactivate your own account.' });
        }
        if (password !== undefined && id === actor.id) {
          throw new Problem(409, { detail: 'Change your own password on the account page.' });
        }
        if (password !== undefined) {
          const account = await accounts.byId(id);
          if (!account) throw new Problem(404);
          await requireStrong(password, account.username);
        }
        const passwordHash = password === undefined ? undefined : await passwords.hash(password);
        const change = await accounts.change(id, { isActive, passwordHash, email, role }, actor);
        if (!('account' in change)) throw refusals[change.outcome]();
        ctx.body = presentAccount(change.account);
      },
    }),
  ];
}

/** The problems of additions and changes that were not made. */
const refusals = {
  refused: notSignedIn,
  owner_needed: ownerNeeded,
  unknown: () => new Problem(404),
  last_owner: () => new Problem(409, { detail: lastOwnerMessage }),
  taken: () => validationFailed([{ field: 'username', message: usernameTakenMessage }]),
};

async function isSame(
  known: KnownAccount,
  { name, username, password }: NewAccount,
  passwords: Passwords,
): Promise<boolean> {
  if (known.name !== name || known.username !== username) return false;
  if (known.firstPasswordHash === null) return true;
  return (await passwords.check(known.firstPasswordHash, password, undefined)).isRight;
}

/** @throws {Problem} 422 if the password is too easy to guess */
export async function requireStrong(password: string, username: string): Promise<void> {
  const message = await passwordWeakness(password, username);
  if (message !== undefined) throw validationFailed([{ field: 'password', message }]);
}

function presentAccount(account: Account): Presented<typeof accountResponse> {
  const { id, name, username, email, pendingEmail, role, lastSignInAt, isActive, createdAt } = account;
  return { id, name, username, email, pendingEmail, role, lastSignInAt, isActive, createdAt };
}
