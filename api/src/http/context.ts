import type { Quota } from '@dune-tide/db/leads';
import type { StaffIdentity } from '@dune-tide/db/sessions';
import type * as KoaRouter from '@koa/router';
import type Koa from 'koa';

/** What the handlers of one request tell each other, each by the one that its member names; Koa's own type allows any key. */
export interface RequestState {
  /** By `requestLog`. */
  requestId?: string;
  /** By `jsonBody`: what came, unchecked. */
  body?: unknown;
  /** By `checkAfterBody`, for `jsonBody`. */
  checkAfterBody?: () => Promise<void>;
  /** By `submissionLimit`, until `takeQuota` takes it. */
  quota?: Quota | undefined;
  /** By `staffGuard`; read with `staffOf`. */
  staff?: StaffIdentity;
  /** By the intake of leads, for the request's line in the log. */
  leadId?: string;
  /** By the site, for the same line: the file or page, as the build names it. */
  page?: string;
}

export type Context = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;
export type Router = KoaRouter.Router<RequestState>;
