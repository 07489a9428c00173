import { describeError } from '@dune-tide/platform/log';
import type { CompletedRequest } from '@dune-tide/platform/metrics';
import Koa from 'koa';
import { refusedAccess } from './auth/audit.ts';
import { isStaffPath } from './auth/paths.ts';
import { sessionCookieName, staffGuard, staffSession } from './auth/session.ts';
import type { CheckReadiness } from './health/readiness.ts';
import type { RequestState } from './http/context.ts';
import { errorResponses } from './http/errors/error-responses.ts';
import { isApiPath, unmatchedAsProblem } from './http/errors/unmatched.ts';
import { findRoutePattern } from './http/koa-router-internals.ts';
import { requestLog } from './http/observability/request-log.ts';
import { requestMetrics } from './http/observability/request-metrics.ts';
import { routerOf, type Route } from './http/route.ts';
import { sameOrigin } from './http/server/same-origin.ts';
import { securityHeaders } from './http/server/security-headers.ts';
import { allRoutes } from './routes.ts';
import { openServices, type AppDependencies } from './services.ts';
import { privacyNotice, type PrivacySettings } from './site/privacy-notice.ts';
import { site } from './site/site.ts';
import { staffEntrance } from './site/staff-entrance.ts';

export interface AppOptions extends AppDependencies {
  /** Called after each response. */
  readonly observeRequest?: ((request: CompletedRequest) => void) | undefined;
  /** The facts of the privacy notice; none by default. */
  readonly privacy?: PrivacySettings | undefined;
  /** The built site; without it only the API is served. */
  readonly siteDirectory?: string | undefined;
}

export interface App {
  readonly koa: Koa<RequestState>;
  readonly routes: readonly Route[];
  /** Returns the body of `/readyz`. */
  readonly checkReadiness: CheckReadiness;
  /** Ends the streams of open pages and the exports, which would keep the server from closing. */
  readonly endStreams: () => Promise<void>;
  /** Waits until pending wake-ups are in the queue. */
  readonly close: () => Promise<void>;
}

/** Builds the API and the site's server. Does not listen on a port and does not read the environment. */
export function createApp(options: AppOptions): App {
  const { databaseOutage, logger, publicUrl } = options;
  const koa = new Koa<RequestState>();
  const services = openServices(options);
  const routes = allRoutes(services);
  const linkRouter = routerOf(routes.filter(({ access }) => access === 'link'));
  const publicRouter = routerOf(routes.filter(({ access, path }) => access !== 'link' && !isStaffPath(path)));
  const staffRouter = routerOf(routes.filter(({ path }) => isStaffPath(path)));

  koa.use(requestLog(logger, (path) => findRoutePattern([publicRouter, linkRouter, staffRouter], path)));
  if (options.observeRequest) koa.use(requestMetrics(options.observeRequest));
  koa.use(securityHeaders(publicUrl));
  koa.use(errorResponses(logger, databaseOutage));
  koa.use(unmatchedAsProblem());
  // Before the check of the origin: a page without a referrer sends the origin "null", and mail programs send other
  // ones.
  koa.use(linkRouter.routes());
  koa.use(linkRouter.allowedMethods());
  koa.use(staffSession(koa, options));
  koa.use(refusedAccess(services));
  koa.use(staffGuard(services));
  koa.use(sameOrigin(publicUrl));
  // The public routes come first, so that a visitor's request is not matched against the many staff paths.
  koa.use(publicRouter.routes());
  koa.use(publicRouter.allowedMethods());
  koa.use(staffRouter.routes());
  koa.use(staffRouter.allowedMethods());
  if (options.siteDirectory !== undefined) {
    const serveSite = site(options.siteDirectory, privacyNotice(options.privacy ?? {}));
    koa.use(staffEntrance(sessionCookieName(publicUrl)));
    koa.use((ctx, next) => (isApiPath(ctx.path) ? next() : serveSite(ctx, next)));
  }
  // `errorResponses` handles the API's own errors. Those that arrive here are mostly of connections that visitors closed.
  koa.on('error', (error: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    // A page ends its announcements by closing the connection, perhaps while one is being sent.
    const isClosed = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '');
    if (isClosed && ctx?.type === 'text/event-stream') return;
    logger.warn({ error: describeError(error) }, 'response');
  });

  const endStreams = async (): Promise<void> => {
    services.closing.abort();
    await services.announcements.close();
  };
  return { koa, routes, checkReadiness: services.checkReadiness, endStreams, close: () => services.wakeUps.close() };
}
