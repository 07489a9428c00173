import type { StaffIdentity } from '@dune-tide/db/accounts';
import type * as KoaRouter from '@koa/router';
import type Koa from 'koa';

/** State that the middleware of one request shares. Koa's own type allows any key. */
export interface RequestState {
  /** Set by `requestLog`. */
  requestId?: string;
  /** Set by `staffGuard`; called after a body has been read. */
  checkAfterBody?: () => Promise<void>;
  /** Set by `staffGuard`; called before a call that needs a fresh password. */
  checkFreshPassword?: () => Promise<void>;
  /** Set by `staffGuard`; read it with `staffOf`. */
  staff?: StaffIdentity;
  /** Set by the lead forms, for the request's log line. */
  leadId?: string;
  /** Set by the site, for the request's log line: the file or page, as the build names it. */
  page?: string;
}

export type Context = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;
export type Router = KoaRouter.Router<RequestState>;
