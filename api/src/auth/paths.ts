/** The prefix of every staff call. */
export const staffPrefix = '/api/admin';

/** Returns whether a path belongs to the staff area. The router ignores case, so the guard must ignore it too. */
export function isStaffPath(path: string): boolean {
  return /^\/api\/admin(\/|$)/i.test(path);
}

/** Returns whether a path is the sign-in, the only staff call that needs no session. */
export function isSignInPath(path: string): boolean {
  return /^\/api\/admin\/login\/?$/i.test(path);
}

/** The calls of an account that must change its password. The router ignores case, but no other spelling is needed. */
const beforeNeeds: ReadonlySet<string> = new Set([
  `GET ${staffPrefix}/session`,
  `POST ${staffPrefix}/logout`,
  `POST ${staffPrefix}/account/password`,
]);

/** Returns whether a call works before an account has done what it must do first. */
export function isBeforeNeeds(method: string, path: string): boolean {
  return beforeNeeds.has(`${method} ${path}`);
}
