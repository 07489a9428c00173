import { staffCalls } from '@dune-tide/domain/staff-calls';
import type { StaffRole } from '@dune-tide/domain/staff-roles';
import { createContext, use } from 'react';

/** The role of the signed-in account. The staff area provides it once the account is known. */
export const RoleContext = createContext<StaffRole>('member');

/** Returns whether the signed-in account has the role that a staff call needs (docs/PRODUCT.md, "Roles"). */
export function useMayCall(name: keyof typeof staffCalls): boolean {
  const role = use(RoleContext);
  return staffCalls[name].access !== 'owner' || role === 'owner';
}
