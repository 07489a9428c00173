import { readFileSync } from 'node:fs';
import { isUsername } from '@dune-tide/domain/forms/account';
import { emailLimits, maxLength, minLength, submissionLimit } from '@dune-tide/domain/limits';
import { replyModes } from '@dune-tide/domain/replies';
import { Ajv } from 'ajv';
import type { JSONSchema } from 'json-schema-to-ts';
import proxyAddress from 'proxy-addr';
import { encodingHint, isDatabaseUrl, isRedisUrl, isSmtpUrl } from './server-urls.ts';
import { codeOf } from './system-error.ts';
import { isWebhookUrl } from './webhook-url.ts';

/** The domain needs no dot, e.g. root@localhost. The longest address is what `follow_ups.recipient` can store. */
const emailAddress = { type: 'string', maxLength: maxLength.email, pattern: '^[^@\\s<>,;]+@[^@\\s<>,;]+$' } as const;
const port = { type: 'integer', minimum: 1, maximum: 65_535 } as const;
// The driver supports a single host. For failover, let that host name point to the current primary.
const database = {
  type: 'string',
  format: 'database',
  pattern: '^postgres(ql)?://([^/\\s]*@)?[^,/@?\\s]*([/?]|$)',
} as const;

/** A fact on one line that only the owner of the studio knows. */
const ownersFact = { type: 'string', maxLength: 300, pattern: '^[^\\u0000-\\u001f\\u007f]*$' } as const;

/** A secret as in the Standard Webhooks specification: 24 to 64 bytes. */
const webhookSecret = 'whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?';

/** The processes that `make run` starts and deployments run. */
type Process = 'api' | 'worker';

/**
 * The settings of all processes; `.env.example` lists all of them. `readBy` names the processes that read a setting; the
 * others are read by commands alone. Error messages show the `description` of a setting that is missing or invalid.
 */
export const settingRules = {
  DATABASE_URL: {
    readBy: ['api', 'worker'],
    ...database,
    description: 'PostgreSQL, as postgres://user:password@host:port/database',
  },
  MIGRATION_DATABASE_URL: {
    ...database,
    description:
      'the same database as DATABASE_URL with the user who owns the tables, for migrations and restores; defaults to DATABASE_URL',
  },
  DATABASE_POOL_SIZE: {
    readBy: ['api', 'worker'],
    type: 'integer',
    minimum: 2,
    maximum: 10,
    default: 8,
    description:
      'size of the PostgreSQL connection pool of a process, from 2 to 10; a process opens up to 7 connections more',
  },
  REDIS_URL: {
    readBy: ['api', 'worker'],
    type: 'string',
    format: 'redis',
    description:
      'Redis for the queue, as redis://host:port, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port, with rediss for TLS; when unset, the queue is on PostgreSQL',
  },
  SMTP_URL: {
    readBy: ['worker'],
    type: 'string',
    format: 'smtp',
    description:
      'the mail server, as smtps://user:password@host or smtp://user:password@host:587, which must offer STARTTLS',
  },
  MAIL_FROM: {
    readBy: ['worker'],
    ...emailAddress,
    description: "the sender address of emails; defaults to the studio's address",
  },
  STAFF_EMAIL: {
    readBy: ['api', 'worker'],
    ...emailAddress,
    description:
      'the address that receives a notice of each new lead, and reminders of leads whose owner has no address; when unset, neither is sent',
  },
  STAFF_REPLIES: {
    readBy: ['api'],
    type: 'string',
    enum: replyModes,
    default: 'simulated',
    description: 'mail to send the replies that staff write to leads; simulated to send none',
  },
  REQUIRE_SECOND_FACTOR: {
    readBy: ['api'],
    type: 'string',
    enum: ['on', 'off'],
    description:
      'on to make every staff account set up a second factor at its next sign-in, off to make it optional; when unset, off for an installation that started with 0.3.0 or older, on for others',
  },
  WEBHOOK_URL: {
    readBy: ['api', 'worker'],
    type: 'string',
    format: 'webhook',
    description:
      'the address that receives events of leads, as https://host/path, or http for a private or loopback address; the API and the worker need the same; when unset, no events are stored or sent',
  },
  WEBHOOK_SECRET: {
    readBy: ['worker'],
    type: 'string',
    pattern: `^${webhookSecret}(,${webhookSecret})?$`,
    description:
      'the secret that signs webhooks, as whsec_ and 24 to 64 bytes in Base64; two, separated by a comma, while the receiver changes from one to the other; needed with WEBHOOK_URL',
  },
  PUBLIC_URL: {
    readBy: ['api', 'worker'],
    type: 'string',
    format: 'origin',
    description: 'the public address of the site, as https://host without a path',
  },
  HOST: { readBy: ['api'], type: 'string', default: '127.0.0.1', description: 'the address that the API listens on' },
  PORT: { readBy: ['api'], ...port, default: 8080, description: 'the port that the API listens on, from 1 to 65535' },
  SESSION_KEYS: {
    readBy: ['api', 'worker'],
    type: 'string',
    pattern: '^[^,\\s]{32,}(,[^,\\s]{32,})*$',
    description:
      'keys that sign the session cookie and the links in emails, at least 32 characters each, separated by commas; the first key signs, every key is accepted; the API and the worker need the same',
  },
  TRUSTED_PROXIES: {
    readBy: ['api'],
    type: 'string',
    format: 'networks',
    default: '',
    description: 'addresses or networks whose X-Forwarded-For is trusted, separated by commas; none by default',
  },
  PUBLIC_POST_LIMIT: {
    readBy: ['api'],
    type: 'integer',
    minimum: 0,
    default: submissionLimit.submissions,
    description: `submissions per form and address in ${submissionLimit.windowSeconds / 60} minutes, including rejected ones; all inquiries count as one form; 0 disables the limits of forms, for load tests only`,
  },
  EMAIL_LIMIT: {
    readBy: ['worker'],
    type: 'integer',
    minimum: 0,
    default: emailLimits.totalPerHour,
    description: `automatic emails to visitors in an hour; 0 disables this limit, those of mailboxes and domains, and the digests for staff, for load tests only`,
  },
  RETENTION_MONTHS: {
    readBy: ['api', 'worker'],
    type: 'integer',
    minimum: 0,
    maximum: 1_200,
    default: 0,
    description:
      'months after their last change in which leads other than applications are erased, from 0 to 1200; 0 keeps them; the API and the worker need the same',
  },
  RETENTION_MONTHS_APPLICATIONS: {
    readBy: ['api', 'worker'],
    type: 'integer',
    minimum: 0,
    maximum: 1_200,
    default: 0,
    description: 'the same for applications, from 0 to 1200',
  },
  AUDIT_MONTHS: {
    readBy: ['worker'],
    type: 'integer',
    minimum: 12,
    maximum: 1_200,
    default: 24,
    description: 'months after which entries of the audit log are deleted, from 12 to 1200',
  },
  PRIVACY_LEGAL_ENTITY: {
    readBy: ['api'],
    ...ownersFact,
    description: 'the legal name of the studio, with its registration numbers, for the privacy notice',
  },
  PRIVACY_OFFICER: {
    readBy: ['api'],
    ...ownersFact,
    description:
      'the name and email address of the information officer (POPIA) and data protection officer (GDPR, PDPL), for the privacy notice',
  },
  PRIVACY_ADDRESS: {
    readBy: ['api'],
    ...ownersFact,
    description: 'the postal address of the studio, for the privacy notice',
  },
  SITE_DIRECTORY: {
    readBy: ['api'],
    type: 'string',
    description: 'the directory of the built site that the API serves',
  },
  BACKUP_DIRECTORY: {
    readBy: ['api'],
    type: 'string',
    description: 'the directory of the backups, for the metric of the newest backup',
  },
  CACHE_DIRECTORY: {
    readBy: ['worker'],
    type: 'string',
    description:
      'the directory where the worker stores the portfolio PDF, and records of sent emails while the database is unavailable',
  },
  WORKER_CONCURRENCY: {
    readBy: ['worker'],
    type: 'integer',
    minimum: 1,
    maximum: 50,
    default: 5,
    description: 'emails that a worker sends concurrently, each on its own connection to the mail server, from 1 to 50',
  },
  METRICS_PORT: {
    readBy: ['api', 'worker'],
    ...port,
    description:
      'the port that serves Prometheus metrics, from 1 to 65535, on a network that visitors cannot reach; when unset, metrics are not served',
  },
  METRICS_HOST: {
    readBy: ['api', 'worker'],
    type: 'string',
    default: '127.0.0.1',
    description: 'the address that the metrics listen on',
  },
  ADMIN_USERNAME: {
    type: 'string',
    format: 'username',
    default: 'admin',
    description: 'the username of the first staff account, without spaces',
  },
  ADMIN_PASSWORD: {
    type: 'string',
    minLength: minLength.password,
    maxLength: maxLength.password,
    description: `the password of the first staff account, ${minLength.password} to ${maxLength.password} characters; when unset, a random password is generated and shown once`,
  },
  ADMIN_EMAIL: { ...emailAddress, description: 'the email address of the first staff account' },
  INBOX_HOST: {
    type: 'string',
    default: '127.0.0.1',
    description:
      'the address that the local inbox and the local mail catcher of make run listen on; neither has a password',
  },
  INBOX_PORT: { ...port, default: 8025, description: 'the port of the local inbox of make run, from 1 to 65535' },
  SMTP_PORT: {
    ...port,
    default: 1025,
    description:
      'the port of the local mail catcher of make run, from 1 to 65535; if it is in use, a free port is chosen',
  },
  DATABASE_PORT: {
    ...port,
    default: 54_329,
    description: 'the port of the local database of make run, from 1 to 65535; if it is in use, a free port is chosen',
  },
  DATA_DIRECTORY: {
    type: 'string',
    default: '.data',
    description: 'the directory where make run stores the database, emails, logs and keys',
  },
  N: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 1_000,
    description: 'number of leads that make seed creates, from 1 to 1000000',
  },
  SEED: {
    type: 'integer',
    minimum: 0,
    maximum: 4_294_967_295,
    default: 1,
    description: 'random seed of make seed, from 0 to 4294967295; the same seed creates the same leads',
  },
  SEED_INTO: {
    type: 'string',
    description: 'the host and database of DATABASE_URL again, which confirms that make seed may fill that database',
  },
  LOG_LEVEL: {
    readBy: ['api', 'worker'],
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'fatal, error, warn, info, debug, trace or silent',
  },
} as const satisfies Record<
  string,
  Exclude<JSONSchema, boolean> & { readonly description: string; readonly readBy?: readonly Process[] }
>;

export type SettingName = keyof typeof settingRules;

type ReadBy<Reader extends Process> = {
  [Name in SettingName]: (typeof settingRules)[Name] extends { readBy: readonly (infer Each)[] }
    ? Reader extends Each
      ? Name
      : never
    : never;
}[SettingName];

/** The names of all settings. */
export const settingNames = Object.keys(settingRules) as SettingName[];

/** Returns the names of the settings that a process reads. */
export function settingsReadBy<Reader extends Process>(reader: Reader): ReadBy<Reader>[] {
  const isRead = (name: SettingName): name is ReadBy<Reader> => {
    const rule = settingRules[name];
    return 'readBy' in rule && rule.readBy.some((each) => each === reader);
  };
  return settingNames.filter(isRead);
}

type SettingValue<Name extends SettingName> = (typeof settingRules)[Name] extends { enum: readonly (infer Value)[] }
  ? Value
  : (typeof settingRules)[Name]['type'] extends 'integer'
    ? number
    : string;
type Defaulted = {
  [Name in SettingName]: (typeof settingRules)[Name] extends { default: unknown } ? Name : never;
}[SettingName];

/** The settings that a process reads. `Required` settings and those with a default always have a value. */
export type Settings<Required extends SettingName, Optional extends SettingName> = {
  readonly [Name in Required | Extract<Optional, Defaulted>]: SettingValue<Name>;
} & { readonly [Name in Exclude<Optional, Defaulted>]?: SettingValue<Name> };

/** Lists every missing or invalid setting in one message. The message contains no values, which may be secrets. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads the settings of one process. Empty values count as unset. Any setting can be read from a file: set `NAME_FILE`
 * to its path, to keep a secret out of the environment. A newline at the end of the file is removed.
 * @param environment - usually `process.env`
 * @throws {SettingsError} listing every missing or invalid setting
 */
export function readSettings<Required extends SettingName, Optional extends SettingName>(
  environment: Readonly<Record<string, string | undefined>>,
  names: { readonly required: readonly Required[]; readonly optional: readonly Optional[] },
): Settings<Required, Optional> {
  const known = [...new Set<SettingName>([...names.required, ...names.optional])];
  const values: Record<string, unknown> = {};
  const faults = new Map<SettingName, string>();
  const invalid = new Set<SettingName>();
  for (const name of known) {
    const given = givenValue(environment, name);
    if (given.fault !== undefined) faults.set(name, given.fault);
    else if (given.value) values[name] = given.value;
  }
  const check = new Ajv({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
    keywords: ['readBy'],
    formats: { ...serverUrls, origin, webhook: isWebhookUrl, networks, username: isUsername },
  }).compile({
    type: 'object',
    properties: Object.fromEntries(known.map((name) => [name, settingRules[name]])),
    required: names.required.filter((name) => !faults.has(name)),
  });
  if (!check(values)) {
    for (const { keyword, params, instancePath } of check.errors ?? []) {
      const isMissing = keyword === 'required';
      const name = (isMissing ? params['missingProperty'] : instancePath.slice(1)) as SettingName;
      faults.set(name, `${name} is ${isMissing ? 'missing' : 'invalid'}`);
      if (!isMissing) invalid.add(name);
    }
  }
  if (faults.size > 0) {
    const lines = [...faults].map(
      ([name, fault]) => `  ${fault}: ${settingRules[name].description}${invalid.has(name) ? hintFor(name) : ''}`,
    );
    throw new SettingsError(`The settings are invalid:\n${lines.join('\n')}`);
  }
  return values as Settings<Required, Optional>;
}

/** The formats of settings that can hold a user name and a password. */
const serverUrls = { database: isDatabaseUrl, redis: isRedisUrl, smtp: isSmtpUrl };

function hintFor(name: SettingName): string {
  const rule = settingRules[name];
  return 'format' in rule && rule.format in serverUrls ? `; ${encodingHint}` : '';
}

/** Checks that a text is an HTTP origin. Upper case and an explicit default port are valid. */
function origin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text);
  const isAlone = [search, hash, username, password].every((part) => part === '') && pathname === '/';
  return ['http:', 'https:'].includes(protocol) && hostname !== '' && isAlone && !/[/\\?#]$/.test(text);
}

/** Checks that a text is a list of addresses and networks that `proxy-addr` accepts. */
function networks(text: string): boolean {
  try {
    proxyAddress.compile(listed(text));
    return true;
  } catch {
    return false;
  }
}

/** Returns the entries of a comma-separated list, trimmed and without blank ones. */
export function listed(text: string): string[] {
  return text.split(',').flatMap((entry) => entry.trim() || []);
}

function givenValue(
  environment: Readonly<Record<string, string | undefined>>,
  name: SettingName,
): { readonly value?: string | undefined; readonly fault?: string } {
  const file = environment[`${name}_FILE`];
  const value = environment[name];
  if (!file) return { value };
  if (value) return { fault: `${name} is set both directly and through ${name}_FILE` };
  try {
    return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { fault: `${name}_FILE cannot be read (${codeOf(error)})` };
  }
}
