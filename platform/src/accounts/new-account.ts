import { newTeamMemberForm, normalUsername, type NewTeamMember } from '@dune-tide/domain/forms/account';
import { formReader } from '../form-reader.ts';

const read = formReader(newTeamMemberForm);

/**
 * Reads a new account by the rules of its form, its username in its normal form.
 * @throws {FormError} or {UnstorableTextError}
 */
export function readNewAccount(body: unknown): NewTeamMember {
  const member = read(body);
  // By the rules again: see `isUsername`.
  return read({ ...member, username: normalUsername(member.username) });
}
