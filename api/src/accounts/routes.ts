import { staffAccounts, type KnownAccount, type Account } from '@dune-tide/db/accounts';
import { accountChangeForm, usernameTakenMessage, type NewAccount } from '@dune-tide/domain/forms/account';
import type { accountResponse } from '@dune-tide/domain/responses/account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import type { Middleware, Router } from '../http/context.ts';
import { formReader } from '@dune-tide/platform/form-reader';
import { idOfRequest, idempotencyConflict } from '../http/requests/idempotency.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import { validationFailed, Problem } from '../http/errors/problem.ts';
import { refuseBlanks } from '../http/requests/blank-fields.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import { readNewAccount } from '@dune-tide/platform/accounts/new-account';
import { passwordWeakness } from '@dune-tide/platform/accounts/password-weakness';
import { hashPassword, verifyPassword } from '@dune-tide/platform/accounts/password';
import { actorOf, notSignedIn, passwordNeeded } from '../auth/session.ts';

export interface AccountRoutesDependencies {
  readonly database: Knex;
}

/** Registers the calls for staff accounts (docs/PRODUCT.md, "Team page"). All of them need a session. */
export function accountRoutes(router: Router, dependencies: AccountRoutesDependencies): void {
  router.get('/team', listAccounts(dependencies));
  router.post('/team', jsonBody(), addAccount(dependencies));
  router.patch('/team/:id', jsonBody(), changeAccount(dependencies));
}

function listAccounts({ database }: AccountRoutesDependencies): Middleware {
  const accounts = staffAccounts(database);
  return async (ctx) => {
    ctx.body = (await accounts.list()).map(presentAccount);
  };
}

function addAccount({ database }: AccountRoutesDependencies): Middleware {
  const accounts = staffAccounts(database);
  return async (ctx) => {
    const wanted = readNewAccount(ctx.state.body);
    const { name, username, password, email } = wanted;
    requireStrong(password, username);
    const id = idOfRequest(ctx);
    const passwordHash = await hashPassword(password);
    const addition = await accounts.add(id, { name, username, passwordHash, email }, actorOf(ctx));
    if (addition.outcome === 'refused') throw notSignedIn();
    if (addition.outcome === 'password_needed') throw passwordNeeded();
    if (addition.outcome === 'taken') throw validationFailed([{ field: 'username', message: usernameTakenMessage }]);
    if (addition.outcome === 'known' && !(await isSame(addition.account, wanted))) throw idempotencyConflict();
    ctx.status = 201;
    ctx.body = presentAccount(addition.account);
  };
}

async function isSame(known: KnownAccount, { name, username, password }: NewAccount): Promise<boolean> {
  if (known.name !== name || known.username !== username) return false;
  if (known.firstPasswordHash === null) return true;
  return (await verifyPassword(known.firstPasswordHash, password, undefined)).isRight;
}

function changeAccount({ database }: AccountRoutesDependencies): Middleware {
  const accounts = staffAccounts(database);
  const read = formReader(accountChangeForm);
  return async (ctx) => {
    const body: unknown = ctx.state.body;
    const values = read(body);
    refuseBlanks(accountChangeForm, body, values);
    const { isActive, password, email } = values;
    const id = resourceId(ctx);
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
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const change = await accounts.change(id, { isActive, passwordHash, email }, actor);
    if (change.outcome === 'refused') throw notSignedIn();
    if (change.outcome === 'unknown') throw new Problem(404);
    if (change.outcome === 'password_needed') throw passwordNeeded();
    ctx.body = presentAccount(change.account);
  };
}

/** @throws {Problem} 422 if the password is too easy to guess */
export function requireStrong(password: string, username: string): void {
  const message = passwordWeakness(password, username);
  if (message !== undefined) throw validationFailed([{ field: 'password', message }]);
}

function presentAccount(account: Account): Presented<typeof accountResponse> {
  const { id, name, username, email, lastSignInAt, isActive, createdAt } = account;
  return { id, name, username, email, lastSignInAt, isActive, createdAt };
}
