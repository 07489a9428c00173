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
import { readNewAccount } from '@dune-tide/platform/accounts/new-account';
import type { Passwords } from '@dune-tide/platform/accounts/password';
import { passwordWeakness } from '@dune-tide/platform/accounts/password-weakness';
import { actorOf, notSignedIn, passwordNeeded } from '../auth/session.ts';
import { validationFailed, Problem } from '../http/errors/problem.ts';
import { idempotencyConflict, idempotencyKey, idOfRequest } from '../http/requests/idempotency.ts';
import { changeBody } from '../http/requests/json-body.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

/** Declares the calls for staff accounts (docs/PRODUCT.md, "Team page"). */
export function accountRoutes({ database, passwords }: Pick<Services, 'database' | 'passwords'>): Route[] {
  const accounts = staffAccounts(database);
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
      description: 'Needs a password that was entered within ten minutes.',
      headers: idempotencyKey,
      body: { schemas: [newAccountForm], read: readNewAccount },
      responses: { 201: { description: 'The account as stored.', schema: accountResponse } },
      async handle(ctx, { body }) {
        const { name, username, password, email } = body;
        requireStrong(password, username);
        const id = idOfRequest(ctx);
        const passwordHash = await passwords.hash(password);
        const addition = await accounts.add(id, { name, username, passwordHash, email }, actorOf(ctx));
        if (addition.outcome === 'refused') throw notSignedIn();
        if (addition.outcome === 'password_needed') throw passwordNeeded();
        if (addition.outcome === 'taken') {
          throw validationFailed([{ field: 'username', message: usernameTakenMessage }]);
        }
        if (addition.outcome === 'known' && !(await isSame(addition.account, body, passwords)))
          throw idempotencyConflict();
        ctx.status = 201;
        ctx.body = presentAccount(addition.account);
      },
    }),
    route(staffCalls.changeAccount, {
      summary: 'Activates or deactivates an account, or sets its password or email address',
      description:
        'A change of another account needs a password that was entered within ten minutes. The owner must change a password that was set for them at the next sign-in.',
      body: changeBody(accountChangeForm),
      responses: { 200: { description: 'The account after the change.', schema: accountResponse } },
      problems: [404, 409],
      async handle(ctx, { params: { id }, body: { isActive, password, email } }) {
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
          requireStrong(password, account.username);
        }
        const passwordHash = password === undefined ? undefined : await passwords.hash(password);
        const change = await accounts.change(id, { isActive, passwordHash, email }, actor);
        if (change.outcome === 'refused') throw notSignedIn();
        if (change.outcome === 'unknown') throw new Problem(404);
        if (change.outcome === 'password_needed') throw passwordNeeded();
        ctx.body = presentAccount(change.account);
      },
    }),
  ];
}

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
export function requireStrong(password: string, username: string): void {
  const message = passwordWeakness(password, username);
  if (message !== undefined) throw validationFailed([{ field: 'password', message }]);
}

function presentAccount(account: Account): Presented<typeof accountResponse> {
  const { id, name, username, email, role, lastSignInAt, isActive, createdAt } = account;
  return { id, name, username, email, role, lastSignInAt, isActive, createdAt };
}
