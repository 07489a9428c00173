import { newAccountForm, normalUsername, visibleName, type NewAccount } from '@dune-tide/domain/forms/account';
import { formReader } from '../form-reader.ts';

const read = formReader(newAccountForm);

/**
 * Validates a new account and normalises its username and its name.
 * @throws {FormError} or {UnstorableTextError}
 */
export function readNewAccount(body: unknown): NewAccount {
  const member = read(body);
  // Validated again, because the normal form of a valid username can be invalid (see `isUsername`).
  return read({ ...member, name: visibleName(member.name), username: normalUsername(member.username) });
}
