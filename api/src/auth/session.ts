import { randomBytes } from 'node:crypto';
import { staffSessions, type StaffIdentity } from '@dune-tide/db/sessions';
import type { AccountActor } from '@dune-tide/db/accounts';
import Cookies from 'cookies';
import Keygrip from 'keygrip';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import type { Knex } from 'knex';
import type { Context, Middleware } from '../http/context.ts';
import { checkAfterBody } from '../http/requests/json-body.ts';
import { Problem } from '../http/errors/problem.ts';
import { isSignInPath, isStaffPath } from './paths.ts';

interface SessionDependencies {
  readonly database: Knex;
  /** The first one signs, all are accepted. */
  readonly sessionKeys: readonly string[];
  readonly publicUrl: string;
}

/** What koa-session holds of a request: the account that was found, or the one that signs in. */
interface SessionContent {
  staff?: StaffIdentity & { readonly passwordHash?: string };
  /** Of a session that was found. */
  readonly id?: string;
}
type Session = SessionContent & { regenerate(): Promise<void>; manuallyCommit(): Promise<void> };

/** The account was deactivated, or got a new password, between the check of its password and the session's start. */
class SignInOvertakenError extends Error {
  override readonly name = 'SignInOvertakenError';
}

/** The session cookie's name; browsers take `__Host-` only from the very host and over https. */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-session' : 'session';
}

/**
 * Reads the session of each staff call, and of no other: a store that is away must not touch the visitors' forms. The
 * session is written at sign-in and sign-out alone, so a request under way writes nothing back.
 * @throws {DatabaseUnavailableError}
 */
export function staffSession(koa: Koa, { database, sessionKeys, publicUrl }: SessionDependencies): Middleware {
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
      // The end of a session is the store's business: by the database's clock, not by the browser's.
      maxAge: 'session',
      autoCommit: false,
      genid: () => randomBytes(32).toString('base64url'),
      store: {
        async get(id: string): Promise<SessionContent | undefined> {
          const staff = await sessions.find(id);
          return staff && { staff, id };
        },
        async set(id: string, { staff }: SessionContent): Promise<void> {
          if (staff?.passwordHash === undefined) throw new Error('A session begins with a checked password');
          const hasBegun = await sessions.begin(id, { id: staff.id, passwordHash: staff.passwordHash });
          if (!hasBegun) throw new SignInOvertakenError();
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
 * Reads and writes a signed cookie for koa-session. The cookies library signs again what an older key has signed, but
 * without the attributes, so this does it instead.
 */
function signedCookie(name: string, keys: Keygrip, attributes: CookieAttributes) {
  const signatureName = `${name}.sig`;
  return {
    /** @returns the cookie's value, or an empty string when there is none that one of the keys has signed */
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
 * The one guard: without a session every staff call but the sign-in is answered 401, before anything else of it is
 * looked at, and again once its body has come. With one, `ctx.state.staff` says who it is.
 */
export function staffGuard({ database }: Pick<SessionDependencies, 'database'>): Middleware {
  const sessions = staffSessions(database);
  return (ctx, next) => {
    if (isStaffPath(ctx.path) && !isSignInPath(ctx.path)) {
      const { staff, id } = sessionOf(ctx) ?? {};
      if (!staff || id === undefined) throw notSignedIn();
      ctx.state.staff = staff;
      checkAfterBody(ctx, async () => {
        if (!(await sessions.find(id))) throw notSignedIn();
      });
    }
    return next();
  };
}

/** The answer to whoever is not, or no longer, signed in. */
export function notSignedIn(): Problem {
  return new Problem(401, { detail: 'Please sign in.' });
}

/**
 * Who is signed in.
 * @throws when asked on a path that the guard does not guard
 */
export function staffOf(ctx: Context): StaffIdentity {
  const { staff } = ctx.state;
  if (!staff) throw new Error('Asked who is signed in where nobody has to be');
  return staff;
}

/**
 * Who is signed in, and by which session, for a change that asks for both again as it is written.
 * @throws when asked on a path that the guard does not guard
 */
export function actorOf(ctx: Context): AccountActor {
  const sessionId = sessionOf(ctx)?.id;
  if (sessionId === undefined) throw new Error('Asked for the session where there is none');
  return { id: staffOf(ctx).id, sessionId };
}

/**
 * Begins a session under a new id; one that the request brought along ends.
 * @param account - with the password hash that was just checked
 * @returns false when the account changed meanwhile
 */
export async function beginSession(ctx: Context, account: StaffIdentity & { passwordHash: string }): Promise<boolean> {
  const session = sessionOf(ctx);
  if (!session) throw new Error('Sessions are read on staff paths only');
  session.staff = account;
  try {
    await session.regenerate();
    return true;
  } catch (error) {
    if (!(error instanceof SignInOvertakenError)) throw error;
    // Taking the old cookie back would tell that the password was right.
    ctx.remove('Set-Cookie');
    return false;
  }
}

/** Ends the session and takes its cookie back. */
export async function endSession(ctx: Context): Promise<void> {
  const session = sessionOf(ctx);
  Object.assign(ctx, { session: null });
  await session?.manuallyCommit();
}

function sessionOf(ctx: Context): Session | null {
  return (ctx as Context & { readonly session: Session | null }).session;
}
