import { newAccountForm, visibleName, type NewAccount } from '@dune-tide/domain/forms/account';
import { formReader } from '../form-reader.ts';

const read = formReader(newAccountForm);

/**
 * Validates a new account and normalises its username and its name.
 * @throws {FormError} or {UnstorableTextError}
 */
export function readNewAccount(body: unknown): NewAccount {
  const member = read(body);
  // Validated again, because nothing may be left of the name.
  return read({ ...member, name: visibleName(member.name) });
}
