import { staffAccounts } from '@dune-tide/db/accounts';
import { normalUsername } from '@dune-tide/domain/forms/normalise';
import { passwordWeakness } from '@dune-tide/platform/accounts/password-weakness';
import { SettingsError } from '@dune-tide/platform/settings';
import type { Knex } from 'knex';
import { hashPassword, randomPassword } from '@dune-tide/platform/accounts/password';

/** The first staff account. `madeUpPassword` is set only by the call that created the account. */
export interface FirstAccount {
  readonly username: string;
  readonly madeUpPassword?: string;
}

/** ADMIN_USERNAME and, if they are set, ADMIN_PASSWORD and ADMIN_EMAIL; all are validated. */
export interface WantedAccount {
  readonly username: string;
  readonly password?: string | undefined;
  readonly email?: string | undefined;
  /** Whether all accounts need a second factor if REQUIRE_SECOND_FACTOR is not set; false by default. */
  readonly requiresSecondFactor?: boolean | undefined;
}

/**
 * Creates a staff account if the table has none (docs/PRODUCT.md, "First account").
 * @returns the new account, or the username of the oldest existing one
 * @throws {SettingsError} if the password is too easy to guess
 */
export async function ensureFirstAccount(database: Knex, wanted: WantedAccount): Promise<FirstAccount> {
  const accounts = staffAccounts(database);
  const existing = await accounts.firstUsername();
  if (existing !== undefined) return { username: existing };
  const password = wanted.password ?? randomPassword();
  const username = normalUsername(wanted.username);
  const weakness = wanted.password === undefined ? undefined : await passwordWeakness(wanted.password, username);
  if (weakness !== undefined) throw new SettingsError(`ADMIN_PASSWORD: ${weakness}.`);
  const wasMade = await accounts.createFirst({
    username,
    name: username,
    email: wanted.email,
    passwordHash: await hashPassword(password),
    requiresSecondFactor: wanted.requiresSecondFactor,
  });
  if (!wasMade) return ensureFirstAccount(database, wanted);
  return { username, ...(wanted.password === undefined ? { madeUpPassword: password } : {}) };
}
