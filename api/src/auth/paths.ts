/** What all calls of the staff area begin with. */
export const staffPrefix = '/api/admin';

/** Whether a path is the staff's. Routes are found in any letters, so the guard asks in any letters as well. */
export function isStaffPath(path: string): boolean {
  return /^\/api\/admin(\/|$)/i.test(path);
}

/** The one staff path that needs no session. */
export function isSignInPath(path: string): boolean {
  return /^\/api\/admin\/login\/?$/i.test(path);
}
