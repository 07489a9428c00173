import { accountNotices } from '@dune-tide/db/accounts';
import { erasureNotices } from '@dune-tide/db/personal-data';
import {
  checkSessionMode,
  connectDatabase,
  describeOutage,
  poolUse,
  probeDatabase,
  DatabaseUnavailableError,
  TransactionPoolingError,
} from '@dune-tide/db/connection';
import {
  leadNotificationStore,
  leadTextStore,
  followUpAdmin,
  reminderStore,
  replyStore,
  webhookStore,
} from '@dune-tide/db/follow-ups';
import { digestLeads, leadLookup } from '@dune-tide/db/leads';
import { checkReadiness } from '@dune-tide/db/schema';
import { brand } from '@dune-tide/domain/brand';
import { emailLimits } from '@dune-tide/domain/limits';
import { createLogger, describeError, type Logger } from '@dune-tide/platform/log';
import { startMetrics } from '@dune-tide/platform/metrics';
import { addressOf, openOutage } from '@dune-tide/platform/outage';
import { runProcess, StartError } from '@dune-tide/platform/process';
import { redisAddressOf } from '@dune-tide/platform/redis-url';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { warnOfIgnoredSettings } from '@dune-tide/platform/setting-names';
import { closeInOrder } from '@dune-tide/platform/shutdown';
import { idTokens } from '@dune-tide/platform/id-tokens';
import type { Knex } from 'knex';
import { openSentNotes } from './delivery/sent-notes.ts';
import type { Transport } from './delivery/transport.ts';
import { openMailer } from './mail/mailer.ts';
import { createPortfolioCache } from './portfolio/cache.ts';
import { readWorkerSettings } from './settings.ts';
import { openTransports } from './transports.ts';
import { webhookTransport } from './webhooks/transport.ts';
import { startWorker, type RunningWorker, type WorkerDependencies } from './worker.ts';

await runProcess(async () => {
  const settings = readWorkerSettings(process.env);
  const logger = createLogger('worker', settings.LOG_LEVEL);
  warnOfIgnoredSettings(process.env, logger);
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = settings;
  const databaseOutage = openOutage({
    part: 'database',
    address: addressOf(databaseUrl, 5432),
    logger,
    probe: () => probeDatabase(databaseUrl, 'worker'),
    isProof: true,
    isConfirmed: true,
  });
  const database = connectDatabase({
    url: databaseUrl,
    applicationName: 'worker',
    poolSize: settings.DATABASE_POOL_SIZE,
    writesWebhooks: settings.WEBHOOK_URL !== undefined,
    outage: databaseOutage,
    failsFast: true,
  });
  const waitingEmails = async () => (await followUpAdmin(database).countByState('email')).pending ?? 0;
  const queue = {
    databaseUrl,
    redisUrl,
    outage:
      redisUrl === undefined
        ? databaseOutage
        : openOutage({ part: 'Redis server', address: redisAddressOf(redisUrl), logger, waiting: waitingEmails }),
    failsFast: true,
  };
  const producer = openProducer(queue, logger);
  const metrics = await startMetrics(
    settings,
    {
      followUps: (transport) => followUpAdmin(database).standing(transport),
      queue: () => producer.depth(),
      checkDatabase: () => checkReadiness(database),
      pool: () => poolUse(database),
    },
    logger,
  );
  const mailer = openMailer(settings.SMTP_URL, settings.MAIL_FROM ?? brand.email, settings.WORKER_CONCURRENCY);
  const portfolio = createPortfolioCache(settings.CACHE_DIRECTORY, {
    publicUrl: settings.PUBLIC_URL,
    onFileError: (error) => logger.warn({ error: describeError(error) }, 'portfolio file not read or written'),
  });
  // Rendering blocks the event loop for seconds, so it happens before the first email is sent.
  await portfolio.read();
  const worker = await startOn(database, {
    producer,
    queue,
    databaseOutage,
    transports: openTransports({
      mailer,
      mailOutage: openOutage({
        part: 'mail server',
        address: addressOf(settings.SMTP_URL, settings.SMTP_URL.startsWith('smtps:') ? 465 : 587),
        logger,
        probe: () => mailer.check(),
        waiting: waitingEmails,
      }),
      storeLeadTexts: leadTextStore(database),
      portfolio,
      publicUrl: settings.PUBLIC_URL,
      leadOf: leadLookup(database),
      digestLeads: digestLeads(database),
      unsubscribeTokens: idTokens(settings.SESSION_KEYS.split(','), 'unsubscribe-token'),
      receiptTokens: idTokens(settings.SESSION_KEYS.split(','), 'receipt-token'),
      emailTokens: idTokens(settings.SESSION_KEYS.split(','), 'email-token'),
      accountNoticeOf: (id) => accountNotices(database).of(id),
      erasureNoticeOf: (id) => erasureNotices(database, brand.mailDomain).of(id),
      leadNotificationOf: (id, limit) => leadNotificationStore(database, brand.mailDomain).of(id, limit),
      replyToSend: (id) => replyStore(database, brand.mailDomain).toSend(id),
      remindedLeads: (id, limit) => reminderStore(database, brand.mailDomain).leadsOf(id, limit),
    }),
    limits: settings.EMAIL_LIMIT === 0 ? null : { ...emailLimits, totalPerHour: settings.EMAIL_LIMIT },
    sentNotes: openSentNotes(settings.CACHE_DIRECTORY),
    concurrency: settings.WORKER_CONCURRENCY,
    logger,
    staffEmail: settings.STAFF_EMAIL,
    retention: {
      periods: { leads: settings.RETENTION_MONTHS, applications: settings.RETENTION_MONTHS_APPLICATIONS },
      auditMonths: settings.AUDIT_MONTHS,
    },
    showAuditHead: metrics?.showAuditHead,
    webhookTransport: openWebhooks(settings, database, logger),
  });
  logger.info({ node: process.version, concurrency: settings.WORKER_CONCURRENCY }, 'working');
  closeInOrder(logger, [
    { name: 'worker', close: () => worker.close() },
    { name: 'metrics', close: async () => metrics?.close() },
    { name: 'mail', close: () => mailer.close() },
    { name: 'queue', close: () => producer.close() },
    { name: 'database', close: () => database.destroy() },
  ]);
});

/** Returns the transport of webhooks; undefined without a WEBHOOK_URL. */
function openWebhooks(
  { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets, PUBLIC_URL: publicUrl }: ReturnType<typeof readWorkerSettings>,
  database: Knex,
  logger: Logger,
): Transport | undefined {
  if (url === undefined || secrets === undefined) return undefined;
  const outage = openOutage({
    part: 'webhook receiver',
    address: addressOf(url, url.startsWith('https:') ? 443 : 80),
    logger,
    waiting: async () => (await followUpAdmin(database).countByState('webhook')).pending ?? 0,
  });
  return webhookTransport({ url, secrets: secrets.split(','), publicUrl, webhooks: webhookStore(database), outage });
}

/**
 * Starts the worker.
 * @throws {StartError} if it cannot start because of the database, or behind PgBouncer in transaction mode, where locks
 *   and prepared statements are those of others
 */
async function startOn(database: Knex, dependencies: Omit<WorkerDependencies, 'database'>): Promise<RunningWorker> {
  try {
    await checkSessionMode(database).catch((error: unknown) => {
      // The worker itself decides about every other outage.
      if (error instanceof TransactionPoolingError) throw error;
    });
    return await startWorker({ ...dependencies, database });
  } catch (error) {
    const outage: unknown = await checkReadiness(database).catch((reason: unknown) => reason);
    const address = addressOf(dependencies.queue.databaseUrl, 5432);
    throw outage instanceof DatabaseUnavailableError
      ? new StartError(describeOutage(outage, address), { cause: error })
      : error;
  }
}
