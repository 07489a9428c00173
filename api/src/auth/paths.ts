import type { SessionNeed } from '@dune-tide/domain/responses/session';
import { staffCalls, type StaffCall } from '@dune-tide/domain/staff-calls';

const calls: readonly StaffCall[] = Object.values(staffCalls);

const openPaths: ReadonlySet<string> = new Set(
  calls.filter(({ access }) => access === 'anyone').map(({ path }) => path),
);

/** Returns whether a path belongs to the staff area. The router ignores case, so the guard must ignore it too. */
export function isStaffPath(path: string): boolean {
  return /^\/api\/admin(\/|$)/i.test(path);
}

/** Returns whether a path needs a session, even if no call has it. */
export function needsSession(path: string): boolean {
  return isStaffPath(path) && !openPaths.has(path.toLowerCase().replace(/\/$/, ''));
}

/** Returns whether a call works before an account has done what it must do first. No other spelling of it does. */
export function isCallDuring(need: SessionNeed, method: string, path: string): boolean {
  return calls.some((call) => call.method === method && call.path === path && call.allowedDuring?.includes(need));
}
