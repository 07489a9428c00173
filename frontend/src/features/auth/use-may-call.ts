import { staffCalls } from '@dune-tide/domain/staff-calls';
import { useSessionQuery } from './auth-api.ts';

/** Returns whether the signed-in account has the role that a staff call needs (docs/PRODUCT.md, "Roles"). */
export function useMayCall(name: keyof typeof staffCalls): boolean {
  const { data: signedIn } = useSessionQuery();
  return staffCalls[name].access !== 'owner' || signedIn?.role === 'owner';
}
