import { randomBytes } from 'node:crypto';
import { staffSessions, type SessionOrigin, type StaffIdentity, type AccountActor } from '@dune-tide/db/accounts';
import type { SessionNeed } from '@dune-tide/domain/responses/session';
import Cookies from 'cookies';
import Keygrip from 'keygrip';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import type { Knex } from 'knex';
import type { Context, Middleware } from '../http/context.ts';
import { Problem, type ProblemOptions } from '../http/errors/problem.ts';
import type { Services } from '../services.ts';
import { isCallDuring, isStaffPath, needsSession } from './paths.ts';

interface SessionSettings {
  readonly database: Knex;
  /** The keys of the session cookie: the first one signs, all are accepted. */
  readonly sessionKeys: readonly string[];
  readonly publicUrl: string;
}

/** The session data of a request: the account that was found, or the one that is signing in. */
interface SessionContent {
  staff?: StaffIdentity & { readonly passwordHash?: string };
  /** Where the account is signing in. */
  origin?: SessionOrigin;
  /** The id of a session that was found. */
  readonly id?: string;
}
type Session = SessionContent & { regenerate(): Promise<void>; manuallyCommit(): Promise<void> };

/** Thrown if the account was deactivated or its password changed between the password check and the session's start. */
class SignInOvertakenError extends Error {
  override readonly name = 'SignInOvertakenError';
}

/** Returns the session cookie's name. Browsers accept `__Host-` only over HTTPS and bind the cookie to this host. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-session' : 'session';
}

/**
 * Reads the session on staff calls only, so that an outage of the session store does not affect the visitors' forms.
 * The session is written only at sign-in and sign-out, so that a concurrent request cannot restore an ended session.
 * @throws {DatabaseUnavailableError}
 */
export function staffSession(koa: Koa, { database, sessionKeys, publicUrl }: SessionSettings): Middleware {
  const sessions = staffSessions(database);
  const cookie = { httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:'), path: '/' } as const;
  const name = sessionCookieName(publicUrl);
  const keys = new Keygrip([...sessionKeys]);
  koa.keys = keys;
  const session: Middleware = createSession(
    {
      ...cookie,
      key: name,
      signed: true,
      externalKey: signedCookie(name, keys, cookie),
      // The store ends sessions by the database's clock, so the cookie needs no expiry time.
      maxAge: 'session',
      autoCommit: false,
      genid: () => randomBytes(32).toString('base64url'),
      store: {
        async get(id: string): Promise<SessionContent | undefined> {
          const staff = await sessions.find(id);
          return staff && { staff, id };
        },
        async set(id: string, { staff, origin }: SessionContent): Promise<void> {
          if (staff?.passwordHash === undefined || !origin)
            throw new Error('A session can start only after the password was checked');
          const { passwordHash } = staff;
          const hasStarted = await sessions.begin(id, { ...staff, passwordHash }, origin);
          if (!hasStarted) throw new SignInOvertakenError();
        },
        destroy: (id: string) => sessions.end(id),
      },
    },
    koa,
  );
  return (ctx, next) => {
    if (!isStaffPath(ctx.path)) return next();
    // A proxy may end HTTPS in front of the API, so the connection does not show whether cookies are secure.
    ctx.cookies = new Cookies(ctx.req, ctx.res, { keys, secure: cookie.secure });
    return session(ctx, next);
  };
}

type CookieAttributes = NonNullable<Parameters<Context['cookies']['set']>[2]>;

/**
 * Reads and writes a signed cookie for koa-session. The cookies library renews a signature of an older key without the
 * cookie's attributes, so this function renews it instead.
 */
function signedCookie(name: string, keys: Keygrip, attributes: CookieAttributes) {
  const signatureName = `${name}.sig`;
  return {
    /** @returns the cookie's value; an empty string if the request has no cookie that one of the keys has signed */
    get({ cookies }: Context): string {
      const value = cookies.get(name, { signed: false });
      const signature = cookies.get(signatureName, { signed: false });
      if (value === undefined || !signature) return '';
      const signed = `${name}=${value}`;
      const keyIndex = keys.index(signed, signature);
      if (keyIndex === 0) return value;
      const isValid = keyIndex > 0;
      cookies.set(signatureName, isValid ? keys.sign(signed) : null, { ...attributes, signed: false });
      return isValid ? value : '';
    },
    set({ cookies }: Context, value: string): void {
      cookies.set(name, value, { ...attributes, signed: true, overwrite: true });
    },
  };
}

/**
 * Responds with 401 to every staff call except the sign-in if the caller has no session. This is checked before
 * anything else, and again after the body has been read. With a session, sets `ctx.state.staff`. An account that must
 * first change its password or set up a second factor gets 403 to all calls but those that it needs for that.
 */
export function staffGuard({
  database,
  requiresSecondFactor,
}: Pick<Services, 'database' | 'requiresSecondFactor'>): Middleware {
  const sessions = staffSessions(database);
  return (ctx, next) => {
    if (needsSession(ctx.path)) {
      const { staff, id } = sessionOf(ctx) ?? {};
      if (!staff || id === undefined) throw notSignedIn();
      ctx.state.staff = staff;
      const need = needOf(staff, requiresSecondFactor);
      if (need !== null && !isCallDuring(need, ctx.method, ctx.path)) throw new Problem(403, needProblems[need]);
      ctx.state.checkAfterBody = async () => {
        if (!(await sessions.find(id))) throw notSignedIn();
      };
      ctx.state.checkFreshPassword = async () => {
        if (!(await sessions.hasFreshPassword(id))) throw passwordNeeded();
      };
    }
    return next();
  };
}

const needProblems: Readonly<Record<SessionNeed, ProblemOptions>> = {
  new_password: { type: 'new_password_needed', detail: 'Please set a new password first.' },
  second_factor: { type: 'second_factor_needed', detail: 'Please set up a second factor first.' },
};

/**
 * Returns what an account must do before anything else; null if nothing.
 * @param setting - REQUIRE_SECOND_FACTOR: whether every account needs a second factor; undefined if it is not set
 */
export function needOf(staff: StaffIdentity, setting: boolean | undefined): SessionNeed | null {
  if (staff.mustChangePassword) return 'new_password';
  const isRequired = setting ?? staff.requiresSecondFactor;
  return isRequired && !staff.hasSecondFactor ? 'second_factor' : null;
}

/** Returns the 403 for a change that needs a password that was entered within ten minutes. */
function passwordNeeded(): Problem {
  return new Problem(403, { type: 'password_needed', detail: 'Please enter your password again.' });
}

/** Returns the 401 for a caller who has no session, or whose session has ended. */
export function notSignedIn(): Problem {
  return new Problem(401, { detail: 'Please sign in.' });
}

/**
 * Returns the signed-in account.
 * @throws {Error} on a path that `staffGuard` does not protect
 */
export function staffOf(ctx: Context): StaffIdentity {
  const { staff } = ctx.state;
  if (!staff) throw new Error('This path does not require a session');
  return staff;
}

/**
 * Returns the signed-in account and its session, for a change that checks both again in its transaction.
 * @throws {Error} on a path that `staffGuard` does not protect
 */
export function actorOf(ctx: Context): AccountActor {
  const sessionId = sessionOf(ctx)?.id;
  if (sessionId === undefined) throw new Error('The request has no session');
  return { id: staffOf(ctx).id, sessionId };
}

/**
 * Starts a session with a new id and ends the session that the request sent, if any.
 * @param account - the account, with the password hash that was just checked
 * @param origin - where the sign-in came from
 * @returns false if the account was changed after the check
 */
export async function beginSession(
  ctx: Context,
  account: StaffIdentity & { readonly passwordHash: string },
  origin: SessionOrigin,
): Promise<boolean> {
  const session = sessionOf(ctx);
  if (!session) throw new Error('Sessions are available on staff paths only');
  session.staff = account;
  session.origin = origin;
  try {
    await session.regenerate();
    return true;
  } catch (error) {
    if (!(error instanceof SignInOvertakenError)) throw error;
    // Deleting the old cookie would reveal that the password was correct.
    ctx.remove('Set-Cookie');
    return false;
  }
}

/** Ends the session and deletes its cookie. */
export async function endSession(ctx: Context): Promise<void> {
  const session = sessionOf(ctx);
  Object.assign(ctx, { session: null });
  await session?.manuallyCommit();
}

function sessionOf(ctx: Context): Session | null {
  return (ctx as Context & { readonly session: Session | null }).session;
}
