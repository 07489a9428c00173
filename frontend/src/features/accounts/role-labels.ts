import type { Option } from '@dune-tide/domain/forms/option';
import { staffRoles, type StaffRole } from '@dune-tide/domain/staff-roles';

/** The names of the roles. */
export const roleLabels: Readonly<Record<StaffRole, string>> = { owner: 'Owner', member: 'Member' };

export const roleOptions: readonly Option[] = staffRoles.map((value) => ({ value, label: roleLabels[value] }));

/** Explains the roles where one is chosen. */
export const rolesHint =
  'A member works with leads and recipes. An owner can also add and change accounts, read the audit log, export and erase the data of a person, and change many emails together.';
