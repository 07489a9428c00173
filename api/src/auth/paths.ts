import type { SessionNeed } from '@dune-tide/domain/responses/session';

/** The prefix of every staff call. */
export const staffPrefix = '/api/admin';

/** Returns whether a path belongs to the staff area. The router ignores case, so the guard must ignore it too. */
export function isStaffPath(path: string): boolean {
  return /^\/api\/admin(\/|$)/i.test(path);
}

/** Returns whether a path belongs to the sign-in, the only staff calls that need no session. */
export function isSignInPath(path: string): boolean {
  return /^\/api\/admin\/login(\/code|\/passkey(\/options)?)?\/?$/i.test(path);
}

const always = [`GET ${staffPrefix}/session`, `POST ${staffPrefix}/logout`];

/** The calls of an account that must do something first. The router ignores case, but no other spelling is needed. */
const callsDuring: Readonly<Record<SessionNeed, ReadonlySet<string>>> = {
  new_password: new Set([...always, `POST ${staffPrefix}/account/password`]),
  second_factor: new Set([
    ...always,
    `POST ${staffPrefix}/account/confirm`,
    `POST ${staffPrefix}/account/totp`,
    `POST ${staffPrefix}/account/totp/confirm`,
    `POST ${staffPrefix}/account/passkeys/options`,
    `POST ${staffPrefix}/account/passkeys`,
  ]),
};

/** Returns whether a call works before an account has done what it must do first. */
export function isCallDuring(need: SessionNeed, method: string, path: string): boolean {
  return callsDuring[need].has(`${method} ${path}`);
}
