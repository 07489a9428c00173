import { auditAlarms } from '@dune-tide/db/audit-log';
import { connectDatabase, databaseSize, poolUse, probeDatabase } from '@dune-tide/db/connection';
import { followUpAdmin } from '@dune-tide/db/follow-ups';
import { checkReadiness } from '@dune-tide/db/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { createLogger } from '@dune-tide/platform/log';
import { startMetrics } from '@dune-tide/platform/metrics';
import { addressOf, openOutage } from '@dune-tide/platform/outage';
import { runProcess } from '@dune-tide/platform/process';
import { boardQueue } from '@dune-tide/platform/queue/board';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { redisAddressOf } from '@dune-tide/platform/redis-url';
import { warnOfIgnoredSettings } from '@dune-tide/platform/setting-names';
import { closeInOrder } from '@dune-tide/platform/shutdown';
import { createApp } from './app.ts';
import { logSecondFactorRule } from './auth/second-factor-rule.ts';
import { newestBackup } from './health/newest-backup.ts';
import { openRateLimitStore } from './rate-limits/rate-limit-store.ts';
import { leadForms } from './leads/lead-forms.ts';
import { apiHeaders } from './http/server/security-headers.ts';
import { listen, standardLimits } from './http/server/server.ts';
import { missingPrivacySettings } from './site/privacy-notice.ts';
import { readApiSettings } from './settings.ts';

await runProcess(async () => {
  const settings = readApiSettings(process.env);
  const logger = createLogger('api', settings.LOG_LEVEL);
  warnOfIgnoredSettings(process.env, logger);
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = settings;
  const databaseOutage = openOutage({
    part: 'database',
    address: addressOf(databaseUrl, 5432),
    logger,
    probe: () => probeDatabase(databaseUrl, 'api'),
    isProof: true,
    isConfirmed: true,
  });
  const database = connectDatabase({
    url: databaseUrl,
    applicationName: 'api',
    poolSize: settings.DATABASE_POOL_SIZE,
    writesWebhooks: settings.WEBHOOK_URL !== undefined,
    outage: databaseOutage,
  });
  const queueOutage =
    redisUrl === undefined
      ? databaseOutage
      : openOutage({ part: 'Redis server', address: redisAddressOf(redisUrl), logger });
  const stores = { databaseUrl, redisUrl, outage: queueOutage };
  const producer = openProducer(stores, logger);
  const rateLimits = openRateLimitStore(databaseUrl, logger, undefined, databaseOutage);
  const board = boardQueue(stores, logger);
  const { BACKUP_DIRECTORY: backups } = settings;
  const metrics = await startMetrics(
    settings,
    {
      followUps: (transport) => followUpAdmin(database).standing(transport),
      queue: () => producer.depth(),
      checkDatabase: () => checkReadiness(database),
      pool: () => poolUse(database),
      databaseSize: () => databaseSize(database),
      auditAlarms: () => auditAlarms(database),
      newestBackup: backups === undefined ? undefined : () => newestBackup(backups),
    },
    logger,
  );
  for (const { path } of leadForms) {
    for (const status of [201, 429, 500, 503]) metrics?.expectRequest({ method: 'POST', route: path, status });
  }
  const { method, path: route } = staffCalls.signIn;
  for (const status of [401, 429, 503]) metrics?.expectRequest({ method, route, status });
  const { REQUIRE_SECOND_FACTOR: secondFactor } = settings;
  const requiresSecondFactor = secondFactor === undefined ? undefined : secondFactor === 'on';
  const app = createApp({
    database,
    databaseOutage,
    producer,
    rateLimits,
    boardQueue: board,
    logger,
    publicUrl: settings.PUBLIC_URL,
    sessionKeys: settings.SESSION_KEYS.split(','),
    trustedProxies: settings.TRUSTED_PROXIES,
    publicPostLimit: settings.PUBLIC_POST_LIMIT,
    staffEmail: settings.STAFF_EMAIL,
    replyMode: settings.STAFF_REPLIES,
    requiresSecondFactor,
    observeRequest: metrics?.observeRequest,
    privacy: {
      legalEntity: settings.PRIVACY_LEGAL_ENTITY,
      officer: settings.PRIVACY_OFFICER,
      address: settings.PRIVACY_ADDRESS,
      retentionMonths: settings.RETENTION_MONTHS,
      retentionMonthsApplications: settings.RETENTION_MONTHS_APPLICATIONS,
    },
    siteDirectory: settings.SITE_DIRECTORY,
  });
  const missing = missingPrivacySettings(settings);
  if (missing.length > 0) logger.warn({ settings: missing }, 'the privacy notice is incomplete without these settings');
  const server = await listen(app.koa, settings.HOST, settings.PORT, standardLimits, apiHeaders(settings.PUBLIC_URL));
  logger.info({ node: process.version, host: settings.HOST, port: settings.PORT }, 'listening');
  // The check is not awaited: the API serves pages without its parts and responds with 503 where it needs them.
  void app.checkReadiness().then(({ status, parts }) => {
    if (status === 'ok') logger.info({ parts }, 'ready');
  });
  const factorLog = logSecondFactorRule({ database, logger, requiresSecondFactor });
  closeInOrder(logger, [
    { name: 'log of second factors', close: () => factorLog.close() },
    { name: 'streams', close: () => app.endStreams() },
    { name: 'http', close: () => server.close() },
    { name: 'metrics', close: async () => metrics?.close() },
    { name: 'wake-ups', close: () => app.close() },
    { name: 'board', close: () => board.close() },
    { name: 'queue', close: () => producer.close() },
    { name: 'rate limits', close: () => rateLimits.close() },
    { name: 'database', close: () => database.destroy() },
  ]);
});
