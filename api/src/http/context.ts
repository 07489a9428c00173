import type { StaffIdentity } from '@dune-tide/db/accounts';
import type { LeadQuota } from '@dune-tide/db/leads';
import type * as KoaRouter from '@koa/router';
import type Koa from 'koa';

/** The limits that a submission counts against. */
export interface SubmissionQuotas {
  /** They count each submission. */
  readonly submissions: readonly LeadQuota[];
  /** They count the stored bytes; `takeQuotas` sets their points. */
  readonly storage: readonly LeadQuota[];
}

/** State that the middleware of one request shares. Koa's own type allows any key. */
export interface RequestState {
  /** Set by `requestLog`. */
  requestId?: string;
  /** Set by `jsonBody`; not validated yet. */
  body?: unknown;
  /** Set by `checkAfterBody`; called by `jsonBody`. */
  checkAfterBody?: () => Promise<void>;
  /** Set by `limitSubmissions`; removed by `takeQuotas`. */
  quotas?: SubmissionQuotas | undefined;
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
