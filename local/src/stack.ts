import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describeMigrated, migrate } from '@dune-tide/ops/commands/migrate';
import { nodeFlags } from '@dune-tide/platform/node-flags';
import { ensureFirstAccount, type FirstAccount, type WantedAccount } from '@dune-tide/ops/first-account';
import { localDatabaseFile } from '@dune-tide/ops/command-line/local-database';
import { connectDatabase, connectForMaintenance } from '@dune-tide/db/connection';
import { erasedEmails } from '@dune-tide/db/personal-data';
import { roles } from '@dune-tide/db/schema';
import { createLogger } from '@dune-tide/platform/log';
import { readSettings } from '@dune-tide/platform/settings';
import { isMissingFile } from '@dune-tide/platform/system-error';
import { supervise, type Child } from './child.ts';
import { startForgetting } from './inbox/forget-erased.ts';
import { startInbox } from './inbox/inbox.ts';
import { requireNotUnderWay, startLocalDatabase, type LocalDatabase } from './local-database.ts';
import { localUrl } from './local-url.ts';
import { openLogFile } from './log-file.ts';
import { freePort, requirePort } from './ports.ts';

export interface StackOptions {
  /** Holds the database, emails, logs and keys between starts. */
  readonly dataDirectory: string;
  readonly host: string;
  /** The address of the inbox and of the mail catcher, which have no password; defaults to the loopback address. */
  readonly inboxHost?: string;
  readonly ports: { readonly site: number; readonly inbox: number; readonly smtp: number; readonly database: number };
  readonly staffEmail: string;
  readonly admin: WantedAccount;
  readonly redisUrl?: string | undefined;
  /** More settings of the API and the worker. The inbox uses their log level. REQUIRE_SECOND_FACTOR is off by default. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
  /** Called when a part cannot be kept running. The caller must then stop the stack. */
  readonly onBroken: (reason: string) => void;
  /** Aborts the start after the current part has started. The API and the worker are not awaited. */
  readonly signal?: AbortSignal;
}

export interface Stack {
  readonly siteUrl: string;
  readonly inboxUrl: string;
  readonly smtpUrl: string;
  readonly databaseUrl: LocalDatabase['url'];
  readonly account: FirstAccount;
  readonly logFile: string;
  readonly api: Child;
  readonly worker: Child;
  /** Stops the parts in order. Each part finishes its current work. */
  stop(): Promise<void>;
}

/**
 * Starts the whole product on this machine: PostgreSQL, the mail catcher, the API with the site, and the worker. If one
 * does not start, the others are stopped.
 * @throws {PortTakenError | ClusterError | MigrationHistoryError | SettingsError | ChildError} with one line to show to
 *   the user; the signal's reason if it is aborted
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataDirectory, host, inboxHost = '127.0.0.1', ports, say, onBroken, signal } = options;
  const { LOG_LEVEL, REQUIRE_SECOND_FACTOR } = readSettings(options.environment ?? {}, {
    required: [],
    optional: ['LOG_LEVEL', 'REQUIRE_SECOND_FACTOR'],
  });
  // Checked before the ports: a second start in one folder would otherwise report that the ports are taken.
  await requireNotUnderWay(dataDirectory);
  const given = Object.values(ports);
  await requirePort(ports.site, host, 'PORT', given);
  await requirePort(ports.inbox, inboxHost, 'INBOX_PORT', given);

  const stops: (() => Promise<void>)[] = [];
  let account: FirstAccount | undefined;
  const stop = async (): Promise<void> => {
    const faults: unknown[] = [];
    for (const stopPart of stops.splice(0).reverse()) await stopPart().catch((error: unknown) => faults.push(error));
    if (faults.length > 0) throw faults[0];
  };

  try {
    await mkdir(dataDirectory, { recursive: true });
    const logDirectory = join(dataDirectory, 'log');
    // Logs may contain visitors' data, so only their owner can read them.
    await mkdir(logDirectory, { recursive: true, mode: 0o700 });
    const logFile = join(logDirectory, 'stack.log');
    const log = openLogFile(logFile, {
      onError: (code) => say(`The log cannot be written: ${code}. Log lines are lost until it can be written again.`),
    });
    stops.push(() => log.close());

    const local = await startLocalDatabase(dataDirectory, ports.database, say);
    stops.push(() => local.stop());
    signal?.throwIfAborted();
    account = await prepareDatabase(local.url('migrate'), options);
    signal?.throwIfAborted();
    for (const role of Object.values(roles)) {
      const file = localDatabaseFile(dataDirectory, role);
      // Readable by its owner only, because the URL contains a password. A file left behind by a crash has this mode
      // too.
      await writeFile(file, local.url(role), { mode: 0o600 });
      stops.push(() => rm(file, { force: true }));
    }

    const inbox = await startInbox({
      directory: join(dataDirectory, 'inbox'),
      smtpPort: await freePort(ports.smtp, inboxHost),
      webPort: ports.inbox,
      host: inboxHost,
      logger: createLogger('inbox', LOG_LEVEL, log),
    });
    stops.push(() => inbox.close());
    const database = connectDatabase({ url: local.url('app'), applicationName: 'inbox', poolSize: 1 });
    stops.push(() => database.destroy());
    stops.push(
      startForgetting({ inbox, erased: erasedEmails(database), logger: createLogger('inbox', LOG_LEVEL, log) }),
    );

    const siteUrl = localUrl('http', host === '127.0.0.1' ? 'localhost' : host, ports.site);
    const environment = {
      ...options.environment,
      ...(REQUIRE_SECOND_FACTOR === undefined ? { REQUIRE_SECOND_FACTOR: 'off' } : {}),
      SESSION_KEYS: await keepSessionKey(join(dataDirectory, 'session-key')),
      DATABASE_URL: local.url('app'),
      ...(options.redisUrl === undefined ? {} : { REDIS_URL: options.redisUrl }),
      PUBLIC_URL: siteUrl,
      STAFF_EMAIL: options.staffEmail,
      SMTP_URL: inbox.smtpUrl,
    };
    const shared = { log, say, onGivenUp: onBroken };
    const api = supervise({
      ...shared,
      name: 'The API',
      module: '@dune-tide/api/main',
      nodeFlags,
      environment: {
        ...environment,
        HOST: host,
        PORT: String(ports.site),
        SITE_DIRECTORY: join(
          dirname(createRequire(import.meta.url).resolve('@dune-tide/frontend/package.json')),
          'dist',
        ),
      },
    });
    const worker = supervise({
      ...shared,
      name: 'The worker',
      module: '@dune-tide/worker/main',
      nodeFlags,
      environment: { ...environment, CACHE_DIRECTORY: join(dataDirectory, 'cache') },
    });
    stops.push(
      () => worker.stop(),
      () => api.stop(),
    );
    signal?.throwIfAborted();
    await Promise.all([api.start(signal), worker.start(signal)]);
    return {
      siteUrl,
      inboxUrl: inbox.webUrl,
      smtpUrl: inbox.smtpUrl,
      databaseUrl: local.url,
      account,
      logFile,
      api,
      worker,
      stop,
    };
  } catch (error) {
    if (account) tellFirstAccount(account, say);
    await stop();
    throw error;
  }
}

/** Prints a generated password. It is printed even after a failed start, because it is not stored. */
export function tellFirstAccount({ username, madeUpPassword }: FirstAccount, say: StackOptions['say']): void {
  if (madeUpPassword !== undefined) say(`First staff account: ${username} / ${madeUpPassword}`);
}

async function prepareDatabase(databaseUrl: string, { admin, redisUrl, say }: StackOptions): Promise<FirstAccount> {
  const database = connectForMaintenance({ url: databaseUrl, applicationName: 'local' });
  try {
    const migrated = await migrate(database, { databaseUrl, redisUrl });
    if (migrated.later.length > 0) say(describeMigrated(migrated));
    return await ensureFirstAccount(database, admin);
  } finally {
    await database.destroy();
  }
}

async function keepSessionKey(file: string): Promise<string> {
  try {
    const kept = (await readFile(file, 'utf8')).trim();
    // A crash between the creation of the file and the write leaves it empty.
    if (kept !== '') return kept;
  } catch (error) {
    // An unreadable key must not be replaced: it signs the sessions of all staff.
    if (!isMissingFile(error)) throw error;
  }
  const key = randomBytes(32).toString('base64url');
  await writeFile(file, key, { mode: 0o600 });
  return key;
}
