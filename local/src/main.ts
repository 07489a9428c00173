import { resolve } from 'node:path';
import { MigrationHistoryError } from '@dune-tide/db/schema';
import { brand } from '@dune-tide/domain/brand';
import { createProgress } from '@dune-tide/platform/progress';
import { ignoredTimeZone, rejectMisspelledSettings } from '@dune-tide/platform/setting-names';
import { readSettings, settingsReadBy, SettingsError, type SettingName } from '@dune-tide/platform/settings';
import { ChildError } from './child.ts';
import { ClusterError } from './cluster.ts';
import { PortTakenError } from './ports.ts';
import { startStack, tellFirstAccount, type Stack } from './stack.ts';
import { rejectArguments } from './reject-arguments.ts';

const progress = createProgress();
const say = (line: string): void => {
  progress.clear();
  process.stdout.write(`${line}\n`);
};

/** Errors that are shown without a stack trace, because their message tells the user what to do. */
const plainErrors = [SettingsError, PortTakenError, ClusterError, MigrationHistoryError, ChildError];

/** The stack sets these itself. Both processes would serve metrics on the same port. */
const chosenByStack = new Set<SettingName>([
  'DATABASE_URL',
  'REDIS_URL',
  'PUBLIC_URL',
  'SESSION_KEYS',
  'STAFF_EMAIL',
  'SMTP_URL',
  'HOST',
  'PORT',
  'SITE_DIRECTORY',
  'CACHE_DIRECTORY',
  'METRICS_HOST',
  'METRICS_PORT',
]);

/** All other settings of the API and the worker. They are validated here before anything starts. */
const handedOn = [...settingsReadBy('api'), ...settingsReadBy('worker')].filter((name) => !chosenByStack.has(name));

const readyTimeoutMs = 5_000;

let starting: Promise<Stack> | undefined;
const startIsGivenUp = new AbortController();
let isStopping = false;

async function stop(reason: string, exitCode: number): Promise<void> {
  if (isStopping) process.exit(1);
  isStopping = true;
  say(`\n${reason}; stopping.`);
  startIsGivenUp.abort();
  try {
    await (await starting)?.stop();
  } catch (error) {
    // A start that fails stops its own parts, and the handler below reports it.
    if (error !== startIsGivenUp.signal.reason) exitCode = 1;
  }
  say('Stopped. Your data is kept for the next start.');
  process.exit(exitCode);
}

process.on('SIGINT', () => void stop('Interrupted', 0));
process.on('SIGTERM', () => void stop('Received SIGTERM', 0));
process.on('SIGHUP', () => void stop('The terminal was closed', 0));

try {
  rejectArguments('everything is a setting, as in make run PORT=9090');
  rejectMisspelledSettings(process.env);
  const ignored = ignoredTimeZone(process.env);
  if (ignored !== undefined) say(ignored);
  const settings = readSettings(process.env, {
    required: [],
    optional: [
      'HOST',
      'PORT',
      'INBOX_HOST',
      'INBOX_PORT',
      'SMTP_PORT',
      'DATABASE_PORT',
      'DATA_DIRECTORY',
      'REDIS_URL',
      'STAFF_EMAIL',
      'ADMIN_USERNAME',
      'ADMIN_PASSWORD',
      'ADMIN_EMAIL',
      ...handedOn,
    ],
  });
  const started = performance.now();
  progress.show('Starting the database, the inbox, the API and the worker');
  starting = startStack({
    dataDirectory: resolve(settings.DATA_DIRECTORY),
    host: settings.HOST,
    inboxHost: settings.INBOX_HOST,
    ports: {
      site: settings.PORT,
      inbox: settings.INBOX_PORT,
      smtp: settings.SMTP_PORT,
      database: settings.DATABASE_PORT,
    },
    staffEmail: settings.STAFF_EMAIL ?? brand.staffEmail,
    admin: {
      username: settings.ADMIN_USERNAME,
      password: settings.ADMIN_PASSWORD,
      email: settings.ADMIN_EMAIL,
    },
    redisUrl: settings.REDIS_URL,
    environment: Object.fromEntries(
      handedOn
        .flatMap((name) => [name, `${name}_FILE`])
        .flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    say,
    onBroken: (reason) => void stop(reason, 1),
    signal: startIsGivenUp.signal,
  });
  const stack = await starting;
  if (isStopping) tellFirstAccount(stack.account, say);
  else say(block(stack, (performance.now() - started) / 1000));
  if (!(await isReady(stack.siteUrl)) && !isStopping) {
    say(
      'The queue is unavailable (REDIS_URL). Leads are accepted, and their emails are sent when it is available again.',
    );
  }
} catch (error) {
  progress.clear();
  if (error !== startIsGivenUp.signal.reason) process.stderr.write(`${explain(error)}\n`);
  if (!isStopping) process.exit(1);
}

/** Returns whether the API is ready. The database is available, because the API has started. */
async function isReady(siteUrl: string): Promise<boolean> {
  return fetch(new URL('/readyz', siteUrl), { signal: AbortSignal.timeout(readyTimeoutMs) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A system error, e.g. about a port or a folder, has a clear message.
  const isPlain = plainErrors.some((kind) => error instanceof kind) || 'syscall' in error;
  return isPlain ? error.message : (error.stack ?? error.message);
}

function block({ siteUrl, inboxUrl, account, logFile }: Stack, seconds: number): string {
  const password =
    account.madeUpPassword === undefined
      ? `the password that was set   (to change it: make staff ARGS="password ${account.username}")`
      : `${account.madeUpPassword}   (not shown again; keep it)`;
  return [
    '',
    `  ${brand.name} is running (started in ${seconds.toFixed(1)} s)`,
    '',
    `  Site      ${siteUrl}`,
    `  Inbox     ${inboxUrl}`,
    `  Staff     ${siteUrl}/admin/login`,
    `            ${account.username} / ${password}`,
    `  Log       ${logFile}`,
    '',
    '  Stop with Ctrl-C. Your data is kept for the next start.',
    '',
  ].join('\n');
}
