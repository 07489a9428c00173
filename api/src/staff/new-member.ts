import { newTeamMemberForm, normalUsername, type NewTeamMember } from '@dune-tide/domain/forms/team-member';
import { formValidator } from '../http/form-validator.ts';

const read = formValidator(newTeamMemberForm);

/**
 * Reads a new account by the rules of its form, its username in its normal form.
 * @throws {Problem} as `formValidator` has it
 */
export function readNewMember(body: unknown): NewTeamMember {
  const member = read(body);
  // By the rules again: see `isUsername`.
  return read({ ...member, username: normalUsername(member.username) });
}
