import type { BoardQueue } from '@dune-tide/platform/queue/board';
import type { FollowUpProducer } from '@dune-tide/platform/queue/producer';
import { staffSessions } from '@dune-tide/db/accounts';
import { replyStore } from '@dune-tide/db/follow-ups';
import { dashboardQueries, leadHistory, leadWork, leadIntake } from '@dune-tide/db/leads';
import { checkReadiness as checkDatabase } from '@dune-tide/db/schema';
import { brand } from '@dune-tide/domain/brand';
import type { ReplyMode } from '@dune-tide/domain/replies';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { AnsweredRequest } from '@dune-tide/platform/metrics';
import { Router } from '@koa/router';
import type { Knex } from 'knex';
import Koa from 'koa';
import { openAnnouncements } from './announcements/announcements.ts';
import { announcementRoutes } from './announcements/routes.ts';
import { followUpRoutes } from './follow-ups/routes.ts';
import { healthRoutes, readinessCheck, type CheckReadiness } from './health/routes.ts';
import { unansweredAsProblem, isApiPath } from './http/errors/unanswered.ts';
import { clientNetworks } from './http/server/client-networks.ts';
import type { RequestState } from './http/context.ts';
import { errorAnswers } from './http/errors/error-answers.ts';
import type { RateLimitStore } from './rate-limits/rate-limit-store.ts';
import { requestLog } from './http/observability/request-log.ts';
import { requestMetrics } from './http/observability/request-metrics.ts';
import { findRoutePattern } from './http/koa-router-internals.ts';
import { requireValidIds } from './http/requests/resource-id.ts';
import { sameOrigin } from './http/server/same-origin.ts';
import { securityHeaders } from './http/server/security-headers.ts';
import { formTokens } from './leads/form-tokens.ts';
import { leadExportRoutes } from './leads/export-routes.ts';
import { leadListRoutes } from './leads/list-routes.ts';
import { leadHistoryRoutes } from './leads/history-routes.ts';
import { leadReplyRoutes } from './leads/reply-routes.ts';
import { leadRoutes } from './leads/routes.ts';
import { leadWorkRoutes } from './leads/work-routes.ts';
import { wakeUps } from './leads/wake-up.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { queueBoardRoutes } from './queue-board/routes.ts';
import { recipeRoutes } from './recipes/routes.ts';
import { securityTxtRoutes } from './security-txt/routes.ts';
import { privacyNotice, type PrivacySettings } from './site/privacy-notice.ts';
import { site } from './site/site.ts';
import { openPasskeys } from './second-factor/passkeys.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { secretSeal } from './second-factor/sealed-secret.ts';
import { totpCodes } from './second-factor/totp-codes.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import { unsubscribeRoutes } from './unsubscribe/routes.ts';
import { receiptRoutes } from './receipt/routes.ts';
import { receiptTokens } from '@dune-tide/platform/receipt-tokens';
import { unsubscribeTokens } from '@dune-tide/platform/unsubscribe-tokens';
import { staffPrefix } from './auth/paths.ts';
import { knownDevices } from './auth/known-devices.ts';
import { authRoutes } from './auth/routes.ts';
import { sessionCookieName, staffGuard, staffSession } from './auth/session.ts';
import { jobRemoval } from './people/remove-jobs.ts';
import { peopleRoutes } from './people/routes.ts';
import { viewRoutes } from './views/routes.ts';
import { ownAccountRoutes } from './own-account/routes.ts';
import { accountRoutes } from './accounts/routes.ts';

export interface AppDependencies {
  readonly database: Knex;
  readonly producer: FollowUpProducer;
  readonly rateLimits: RateLimitStore;
  /** The queue that the board shows; without it the board is not served. */
  readonly boardQueue?: BoardQueue | undefined;
  readonly logger: Logger;
  readonly publicUrl: string;
  /**
   * The keys that sign the session cookie. The keys of form tokens, device cookies and unsubscribe tokens are derived
   * from them. The first one signs.
   */
  readonly sessionKeys: readonly string[];
  readonly trustedProxies: string;
  /** Submissions per form and address in ten minutes; 0 disables the limit. */
  readonly publicPostLimit: number;
  readonly staffEmail?: string | undefined;
  /** Whether replies of staff are sent; `simulated` by default. */
  readonly replyMode?: ReplyMode | undefined;
  /** Whether every account must set up a second factor; false by default. */
  readonly requiresSecondFactor?: boolean | undefined;
  /** The time zone of the studio, e.g. `Asia/Riyadh`. */
  readonly timeZone: string;
  /** Called after each response. */
  readonly observeRequest?: ((request: AnsweredRequest) => void) | undefined;
  /** The facts of the privacy notice; none by default. */
  readonly privacy?: PrivacySettings | undefined;
  /** The built site; without it only the API is served. */
  readonly siteDirectory?: string | undefined;
}

export interface App {
  readonly koa: Koa<RequestState>;
  /** Returns the body of `/readyz`. */
  readonly checkReadiness: CheckReadiness;
  /** Ends the streams of open pages and the exports, which would keep the server from closing. */
  readonly endStreams: () => Promise<void>;
  /** Waits until pending wake-ups are in the queue. */
  readonly close: () => Promise<void>;
}

/** Builds the API and the site's server. Does not listen on a port and does not read the environment. */
export function createApp(dependencies: AppDependencies): App {
  const { database, producer, rateLimits, logger, publicUrl } = dependencies;
  const koa = new Koa<RequestState>();
  const router = new Router<RequestState>();
  const emailRouter = new Router<RequestState>();
  const adminRouter = new Router<RequestState>({ prefix: staffPrefix });
  requireValidIds(adminRouter);
  const replyMode = dependencies.replyMode ?? 'simulated';
  const replies = replyStore(database, brand.mailDomain);
  const wakes = wakeUps(producer, logger);
  const intake = leadIntake(database, brand.mailDomain);
  const networksOf = clientNetworks(dependencies.trustedProxies, logger);
  const announcements = openAnnouncements({
    read: () => dashboardQueries(database).announcement(),
    liveSessions: (ids) => staffSessions(database).live(ids),
    logger,
  });

  const checkReadiness = readinessCheck(
    [
      { name: 'database', check: () => checkDatabase(database) },
      { name: 'queue', check: () => producer.check() },
    ],
    logger,
  );

  healthRoutes(router, checkReadiness);
  securityTxtRoutes(router, publicUrl);
  openApiRoutes(router, { sessionCookie: sessionCookieName(publicUrl) });
  leadRoutes(router, {
    intake,
    wakeUps: wakes,
    tokens: formTokens(dependencies.sessionKeys),
    networksOf,
    rateLimits,
    publicPostLimit: dependencies.publicPostLimit,
    staffEmail: dependencies.staffEmail,
  });
  const removeJobs = jobRemoval(producer, logger);
  receiptRoutes(emailRouter, {
    database,
    tokens: receiptTokens(dependencies.sessionKeys),
    removeJobs,
    networksOf,
    rateLimits,
    timeZone: dependencies.timeZone,
  });
  unsubscribeRoutes(emailRouter, {
    database,
    tokens: unsubscribeTokens(dependencies.sessionKeys),
    networksOf,
    rateLimits,
  });
  const devices = knownDevices(dependencies.sessionKeys, publicUrl);
  const requiresSecondFactor = dependencies.requiresSecondFactor ?? false;
  const totp = totpCodes(database, secretSeal(dependencies.sessionKeys), logger);
  const passkeys = openPasskeys({ database, publicUrl, logger });
  authRoutes(adminRouter, {
    database,
    networksOf,
    rateLimits,
    devices,
    replyMode,
    timeZone: dependencies.timeZone,
    requiresSecondFactor,
    totp,
    passkeys,
    publicUrl,
  });
  ownAccountRoutes(adminRouter, { database, networksOf, rateLimits, devices });
  secondFactorRoutes(adminRouter, { database, networksOf, rateLimits, devices, totp, passkeys });
  accountRoutes(adminRouter, { database });
  leadListRoutes(adminRouter, { database, timeZone: dependencies.timeZone });
  const exports = leadExportRoutes(adminRouter, { database, timeZone: dependencies.timeZone, logger });
  leadWorkRoutes(adminRouter, {
    work: leadWork(database, brand.mailDomain),
    wakeUps: wakes,
    staffEmail: dependencies.staffEmail,
    logger,
  });
  leadReplyRoutes(adminRouter, { replies, mode: replyMode, logger });
  leadHistoryRoutes(adminRouter, { history: leadHistory(database), logger });
  announcementRoutes(adminRouter, announcements);
  followUpRoutes(adminRouter, { database, replies, wakeUps: wakes, logger });
  if (dependencies.boardQueue) queueBoardRoutes(adminRouter, { boardQueue: dependencies.boardQueue });
  dashboardRoutes(adminRouter, { database, timeZone: dependencies.timeZone });
  recipeRoutes(adminRouter, { database });
  viewRoutes(adminRouter, { database });
  peopleRoutes(adminRouter, { database, removeJobs, logger });
  auditLogRoutes(adminRouter, { database });

  koa.use(requestLog(logger, (path) => findRoutePattern([router, emailRouter, adminRouter], path)));
  if (dependencies.observeRequest) koa.use(requestMetrics(dependencies.observeRequest));
  koa.use(securityHeaders(publicUrl));
  koa.use(errorAnswers(logger));
  koa.use(unansweredAsProblem());
  // Before the check of the origin: a page without a referrer sends the origin "null", and mail programs send other
  // ones.
  koa.use(emailRouter.routes());
  koa.use(emailRouter.allowedMethods());
  koa.use(staffSession(koa, { database, publicUrl, sessionKeys: dependencies.sessionKeys }));
  koa.use(staffGuard({ database, requiresSecondFactor }));
  koa.use(sameOrigin(publicUrl));
  // The public routes come first, so that a visitor's request is not matched against the many staff paths.
  koa.use(router.routes());
  koa.use(router.allowedMethods());
  koa.use(adminRouter.routes());
  koa.use(adminRouter.allowedMethods());
  if (dependencies.siteDirectory !== undefined) {
    const serveSite = site(dependencies.siteDirectory, privacyNotice(dependencies.privacy ?? {}));
    koa.use((ctx, next) => (isApiPath(ctx.path) ? next() : serveSite(ctx, next)));
  }
  // `errorAnswers` handles the API's own errors. Those that arrive here are mostly of connections that visitors closed.
  koa.on('error', (error: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    // A page ends its announcements by closing the connection.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' && ctx?.type === 'text/event-stream') return;
    logger.warn({ error: describeError(error) }, 'response');
  });

  const endStreams = async (): Promise<void> => {
    exports.close();
    await announcements.close();
  };
  return { koa, checkReadiness, endStreams, close: () => wakes.close() };
}
