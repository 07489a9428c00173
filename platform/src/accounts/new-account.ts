import { newAccountForm, normalUsername, type NewAccount } from '@dune-tide/domain/forms/account';
import { formReader } from '../form-reader.ts';

const read = formReader(newAccountForm);

/**
 * Reads a new account by the rules of its form, its username in its normal form.
 * @throws {FormError} or {UnstorableTextError}
 */
export function readNewAccount(body: unknown): NewAccount {
  const member = read(body);
  // By the rules again: see `isUsername`.
  return read({ ...member, username: normalUsername(member.username) });
}
