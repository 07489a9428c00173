import { readFileSync } from 'node:fs';
import { isUsername } from '@dune-tide/domain/forms/account';
import { maxLength, minLength, submissionLimit } from '@dune-tide/domain/limits';
import { Ajv } from 'ajv';
import type { JSONSchema } from 'json-schema-to-ts';
import proxyAddress from 'proxy-addr';
import { redisUrlPattern } from './redis-url.ts';
import { codeOf } from './system-error.ts';

/** Also one without a dot, e.g. root@localhost. `follow_ups.recipient` holds no longer one. */
const emailAddress = { type: 'string', maxLength: maxLength.email, pattern: '^[^@\\s<>,;]+@[^@\\s<>,;]+$' } as const;
const port = { type: 'integer', minimum: 1, maximum: 65_535 } as const;

/**
 * Every setting of every process, once. A process picks the ones that it reads; `.env.example` lists them all.
 * `description` is what an operator reads when a value is missing or wrong.
 */
export const settingRules = {
  DATABASE_URL: {
    type: 'string',
    // The driver knows one host only; failover between several is left to the name that it connects to.
    pattern: '^postgres(ql)?://([^/\\s]*@)?[^,/@?\\s]*([/?]|$)',
    description: 'PostgreSQL, as postgres://user:password@host:port/database',
  },
  DATABASE_POOL_SIZE: {
    type: 'integer',
    minimum: 2,
    maximum: 10,
    default: 8,
    description: 'connections to PostgreSQL in the pool of a process, from 2 to 10; it opens up to 7 more beside it',
  },
  REDIS_URL: {
    type: 'string',
    pattern: redisUrlPattern,
    description:
      'Redis for the queue, as redis://host:port, redis+sentinel://host:port,host:port/master or redis+cluster://host:port,host:port, with rediss for TLS; without it the queue is on PostgreSQL',
  },
  SMTP_URL: {
    type: 'string',
    pattern: '^smtps?://',
    description:
      'the mail server, as smtps://user:password@host or smtp://user:password@host:587, which must offer STARTTLS',
  },
  MAIL_FROM: {
    ...emailAddress,
    description: "the address that mails come from; the studio's own when unset",
  },
  STAFF_EMAIL: {
    ...emailAddress,
    description: 'the address that is told of each new lead; nobody is told when unset',
  },
  PUBLIC_URL: {
    type: 'string',
    format: 'origin',
    description: 'where visitors reach the site, as https://host without a path',
  },
  HOST: { type: 'string', default: '127.0.0.1', description: 'the address that the API listens on' },
  PORT: { ...port, default: 8080, description: 'the port that the API listens on, from 1 to 65535' },
  SESSION_KEYS: {
    type: 'string',
    pattern: '^[^,\\s]{32,}(,[^,\\s]{32,})*$',
    description:
      'keys that sign the session cookie, 32 characters or more each, separated by commas; the first one signs, all are accepted',
  },
  TRUSTED_PROXIES: {
    type: 'string',
    format: 'networks',
    default: '',
    description: 'addresses or networks whose X-Forwarded-For is believed, separated by commas; none when unset',
  },
  PUBLIC_POST_LIMIT: {
    type: 'integer',
    minimum: 0,
    default: submissionLimit.submissions,
    description: `submissions per form and address in ${submissionLimit.windowSeconds / 60} minutes, refused ones too, all inquiries being one form; 0 takes the limit off, for load tests only`,
  },
  SITE_DIRECTORY: { type: 'string', description: 'the built site that the API serves' },
  BACKUP_DIRECTORY: {
    type: 'string',
    description: 'where backups are made, to tell the age of the newest in the metrics',
  },
  CACHE_DIRECTORY: {
    type: 'string',
    description: 'where the worker keeps the portfolio PDF it made, and notes of mails while the database is away',
  },
  WORKER_CONCURRENCY: {
    type: 'integer',
    minimum: 1,
    maximum: 50,
    default: 5,
    description: 'mails that one worker sends at once, from 1 to 50, and its connections to the mail server',
  },
  METRICS_PORT: {
    ...port,
    description:
      "the port of a process's metrics for Prometheus, from 1 to 65535, on a network that visitors cannot reach; none when unset",
  },
  METRICS_HOST: { type: 'string', default: '127.0.0.1', description: 'the address that the metrics listen on' },
  ADMIN_USERNAME: {
    type: 'string',
    format: 'username',
    default: 'admin',
    description: 'the first staff account, plain text without spaces',
  },
  ADMIN_PASSWORD: {
    type: 'string',
    minLength: minLength.password,
    maxLength: maxLength.password,
    description: `the first staff account's password, ${minLength.password} to ${maxLength.password} characters; a random one is made and shown once when unset`,
  },
  INBOX_PORT: { ...port, default: 8025, description: "the local inbox's port, for make run, from 1 to 65535" },
  SMTP_PORT: {
    ...port,
    default: 1025,
    description:
      "the local mail catcher's port, for make run, from 1 to 65535; another free port is used when it is taken",
  },
  DATABASE_PORT: {
    ...port,
    default: 54_329,
    description: "the local database's port, for make run, from 1 to 65535; another free port is used when it is taken",
  },
  DATA_DIRECTORY: {
    type: 'string',
    default: '.data',
    description: 'where make run keeps the database, mails, logs and keys',
  },
  N: {
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: 1_000,
    description: 'leads that make seed makes, from 1 to 1000000',
  },
  SEED: {
    type: 'integer',
    minimum: 0,
    maximum: 4_294_967_295,
    default: 1,
    description: 'which leads make seed makes, from 0 to 4294967295: the same number makes the same ones',
  },
  SEED_INTO: {
    type: 'string',
    description: 'repeats the host and database of DATABASE_URL, to let make seed fill that database',
  },
  LOG_LEVEL: {
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'fatal, error, warn, info, debug, trace or silent',
  },
} as const satisfies Record<string, Exclude<JSONSchema, boolean> & { readonly description: string }>;

export type SettingName = keyof typeof settingRules;

type SettingValue<Name extends SettingName> = (typeof settingRules)[Name]['type'] extends 'integer' ? number : string;
type Defaulted = {
  [Name in SettingName]: (typeof settingRules)[Name] extends { default: unknown } ? Name : never;
}[SettingName];

/** The settings a process reads: `Required` ones and those with a default are always there. */
export type Settings<Required extends SettingName, Optional extends SettingName> = {
  readonly [Name in Required | Extract<Optional, Defaulted>]: SettingValue<Name>;
} & { readonly [Name in Exclude<Optional, Defaulted>]?: SettingValue<Name> };

/** All that is wrong with the environment, in one message without any of its values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads the settings of one process, once. Empty values count as unset. Each may also stand in a file that NAME_FILE
 * names, so that a secret need not be in the environment; the newline at the file's end does not belong to it.
 * @param environment - usually `process.env`
 * @throws {SettingsError} naming every fault at once
 */
export function readSettings<Required extends SettingName, Optional extends SettingName>(
  environment: Readonly<Record<string, string | undefined>>,
  names: { readonly required: readonly Required[]; readonly optional: readonly Optional[] },
): Settings<Required, Optional> {
  const known: readonly SettingName[] = [...names.required, ...names.optional];
  const values: Record<string, unknown> = {};
  const faults = new Map<SettingName, string>();
  for (const name of known) {
    const given = givenValue(environment, name);
    if (given.fault !== undefined) faults.set(name, given.fault);
    else if (given.value) values[name] = given.value;
  }
  const check = new Ajv({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
    formats: { origin, networks, username: isUsername },
  }).compile({
    type: 'object',
    properties: Object.fromEntries(known.map((name) => [name, settingRules[name]])),
    required: names.required.filter((name) => !faults.has(name)),
  });
  if (!check(values)) {
    for (const { keyword, params, instancePath } of check.errors ?? []) {
      const isMissing = keyword === 'required';
      const name = (isMissing ? params['missingProperty'] : instancePath.slice(1)) as SettingName;
      faults.set(name, `${name} is ${isMissing ? 'missing' : 'unusable'}`);
    }
  }
  if (faults.size > 0) {
    const lines = [...faults].map(([name, fault]) => `  ${fault}: ${settingRules[name].description}`);
    throw new SettingsError(`The settings cannot be used:\n${lines.join('\n')}`);
  }
  return values as Settings<Required, Optional>;
}

/** Whether a text is the address of a site and nothing else, in whatever letters and with the usual port or without. */
function origin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text);
  const isAlone = [search, hash, username, password].every((part) => part === '') && pathname === '/';
  return ['http:', 'https:'].includes(protocol) && hostname !== '' && isAlone && !/[/\\?#]$/.test(text);
}

/** Whether a text is a list of what `proxy-addr` takes for addresses and networks. */
function networks(text: string): boolean {
  try {
    proxyAddress.compile(listed(text));
    return true;
  } catch {
    return false;
  }
}

/**
 * The entries of a list that is separated by commas.
 * @returns none of them blank
 */
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
  if (value) return { fault: `${name} is set both directly and by ${name}_FILE` };
  try {
    return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    return { fault: `${name}_FILE is unreadable (${codeOf(error)})` };
  }
}
