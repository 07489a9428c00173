import { staffAccounts } from '@dune-tide/db/accounts';
import { normalUsername } from '@dune-tide/domain/forms/account';
import type { Knex } from 'knex';
import { hashPassword, randomPassword } from '@dune-tide/platform/accounts/password';

/** The first staff account, and its password when it was made up just now: it can never be shown again. */
export interface FirstAccount {
  readonly username: string;
  readonly madeUpPassword?: string;
}

/**
 * Makes sure that somebody can sign in (decisions, "First account"). Does nothing once there is an account.
 * @param wanted - ADMIN_USERNAME and, when it is set, ADMIN_PASSWORD, both as the settings allow them
 */
export async function ensureFirstAccount(
  database: Knex,
  wanted: { readonly username: string; readonly password?: string | undefined },
): Promise<FirstAccount> {
  const accounts = staffAccounts(database);
  const existing = await accounts.firstUsername();
  if (existing !== undefined) return { username: existing };
  const password = wanted.password ?? randomPassword();
  const username = normalUsername(wanted.username);
  const wasMade = await accounts.createFirst({
    username,
    name: username,
    passwordHash: await hashPassword(password),
  });
  if (!wasMade) return ensureFirstAccount(database, wanted);
  return { username, ...(wanted.password === undefined ? { madeUpPassword: password } : {}) };
}
