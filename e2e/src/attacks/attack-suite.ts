import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { staffPrefix } from '@dune-tide/domain/staff-calls';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { storeSmallPortfolio } from '@dune-tide/testkit/portfolio';
import { addAccount, type AccountOptions, type TestAccount } from '@dune-tide/testkit/staff-accounts';
import { until } from '@dune-tide/testkit/until';
import { generate } from 'otplib';
import { prepareSystem, publicUrl, type RunningSystem } from '../faults/running-system.ts';
import { printTable } from './table.ts';

/** The product that all attacks share. Each of them has its own accounts and networks. */
interface Target {
  readonly system: RunningSystem;
  readonly test: TestDatabase;
  /** The addresses of the API processes. */
  readonly urls: readonly [string, string];
}

let running: Target | undefined;
let cacheDirectory: string | undefined;
let attack = '';
/** Counts of equal answers, by attack, request and answer. */
const seen = new Map<string, { readonly row: readonly string[]; count: number }>();

/** Root hooks for mocha's `--require`: one product for all files of a run, with two API processes and a worker. */
export const mochaHooks: Mocha.RootHookObject = {
  async beforeAll() {
    cacheDirectory = await mkdtemp(join(tmpdir(), 'attacks-'));
    await storeSmallPortfolio(cacheDirectory, publicUrl);
    const test = await createTestDatabase();
    const settings = { STAFF_REPLIES: 'mail', TRUSTED_PROXIES: '127.0.0.1' };
    const system = await prepareSystem({ database: test, cacheDirectory, settings });
    const [one, other] = await Promise.all([system.startApi(), system.startApi(), system.startWorker()]);
    running = { system, test, urls: [one.url, other.url] };
  },
  beforeEach(this: Mocha.Context) {
    attack = this.currentTest?.fullTitle() ?? '';
  },
  async afterAll() {
    const rows = [...seen.values()].map(({ row: [name = '', request = '', answer = ''], count }) => [
      name,
      request,
      `${count} × ${answer}`,
    ]);
    printTable(['attack', 'request', 'answers'], rows);
    await running?.system.stop();
    if (cacheDirectory !== undefined) await rm(cacheDirectory, { recursive: true });
  },
};

/** Returns the product while tests run. */
export function target(): Target {
  if (!running) throw new Error('Attacks run with: mocha --require e2e/src/attacks/attack-suite.ts');
  return running;
}

/** An answer of the API. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The status and the type of a problem, e.g. "403 password-needed". */
  readonly summary: string;
}

interface AttackOptions {
  readonly body?: unknown;
  readonly cookie?: string;
  /** The address of the client, as the proxy in front of the API reports it. */
  readonly from?: string;
  /** One of the API processes. Without it, they get the requests in turn. */
  readonly url?: string;
  /** Leaves a successful response unread until the signal closes the connection. */
  readonly openUntil?: AbortSignal;
}

let requests = 0;

/** Sends a request and reads its answer. */
async function exchange(method: string, path: string, options: AttackOptions): Promise<Answer> {
  const { body, cookie, from, url = target().urls[requests++ % 2], openUntil } = options;
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(from !== undefined && { 'X-Forwarded-For': from }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(openUntil && { signal: openUntil }),
  });
  const { status, headers, ok } = response;
  const text = openUntil && ok ? '' : await response.text();
  const [, type] = /"type":"urn:problem-type:([\w-]+)"/.exec(text) ?? [];
  return { status, headers, text, summary: type === undefined ? String(status) : `${status} ${type}` };
}

/** Sends a request of an attack, which the table of the run shows. */
export async function send(method: string, path: string, options: AttackOptions = {}): Promise<Answer> {
  const answer = await exchange(method, path, options);
  const [shown = ''] = path.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\w-]{43}/g, '…').split('?');
  const row = [attack, `${method} ${shown}`, answer.summary];
  const key = row.join('\n');
  const count = (seen.get(key)?.count ?? 0) + 1;
  seen.set(key, { row, count });
  return answer;
}

/** Counts equal answers, e.g. `{ '200': 20, '429 limit-reached': 4 }`. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { summary } of answers) counts[summary] = (counts[summary] ?? 0) + 1;
  return counts;
}

/** Calls a function for each item, six at a time. @returns the results in the order of the items */
export async function sixAtATime<Item, Result>(
  items: readonly Item[],
  call: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await call(item, index);
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return results;
}

/** A signed-in account. */
export interface Session {
  readonly account: TestAccount;
  /** The Cookie header, with the device's cookie. */
  readonly cookie: string;
  /** Sends a call of the staff area. @param path - relative to /api/admin */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Returns the Cookie header that a browser would send after an answer. */
export const cookieOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');

/** Returns the session of a Cookie header. */
export const sessionOf = (account: TestAccount, cookie: string, from = ownNetwork()): Session => ({
  account,
  cookie,
  call: (method, path, body) => send(method, staffPrefix + path, { body, cookie, from }),
});

/** Stores an account that only one attack uses. */
export const addStaff = (options: AccountOptions = {}): Promise<TestAccount> =>
  addAccount(target().test.database, options);

/** Signs in, with a new account unless one is given. */
export async function signIn(options: AccountOptions | TestAccount = {}): Promise<Session> {
  const account = 'id' in options ? options : await addStaff(options);
  const { username, password } = account;
  const from = ownNetwork();
  const answer = await exchange('POST', `${staffPrefix}/login`, { body: { username, password }, from });
  if (answer.status !== 200) throw new Error(`The sign-in returned ${answer.summary}`);
  return sessionOf(account, cookieOf(answer), from);
}

/** Returns the code that an authenticator app shows after `steps` steps of 30 seconds. */
export const codeAt = (secret: string, steps: number): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });

/** Adds an authenticator app to an account. @returns its secret and the recovery codes */
export async function addTotp(session: Session): Promise<{ readonly secret: string; readonly codes: string[] }> {
  const { secret } = JSON.parse((await session.call('POST', '/account/totp')).text) as { secret: string };
  const confirmed = await session.call('POST', '/account/totp/confirm', { code: await codeAt(secret, 0) });
  return { secret, ...(JSON.parse(confirmed.text) as { codes: string[] }) };
}

/** Makes the sessions of an account those of a laptop that was left unlocked. */
export async function makeStale({ account }: Session): Promise<void> {
  const { database } = target().test;
  await database('sessions')
    .where({ staff_id: account.id })
    .update({ password_at: database.raw(`now() - interval '3 hours'`) });
}

let networks = 0;

/** Returns an address of a network that no other attack uses. */
export function ownNetwork(): string {
  const number = networks++;
  return `100.${64 + Math.floor(number / 256)}.${number % 256}.1`;
}

/** Returns an email address that no other attack uses. */
export const ownAddress = (): string => `${randomUUID()}@example.com`;

/** Returns the notices about accounts that an address gets, e.g. "password_set of noura". */
export async function noticesTo(recipient: string): Promise<string[]> {
  const notices = await target()
    .test.database('follow_ups')
    .join('account_notices', 'account_notices.id', 'follow_ups.id')
    .join('staff', 'staff.id', 'account_notices.staff_id')
    .where({ recipient })
    .select<{ event: string; username: string }[]>('event', 'username');
  return notices.map(({ event, username }) => `${event} of ${username}`);
}

/**
 * Waits for an email. The workers look for it immediately and not only after some seconds.
 * @param subject - the start of its subject
 * @param content - a text of its body
 */
export async function mailTo(address: string, subject: string, content = '') {
  const { smtp, database } = target().system;
  await database('follow_ups').where({ recipient: address, state: 'pending' }).update({ sweep_at: database.fn.now() });
  return until(`an email to ${address}: ${subject}`, async () => {
    for (const mail of smtp.accepted.filter(({ to }) => to === address)) {
      const parsed = await smtp.parse(mail);
      if (parsed.subject?.startsWith(subject) && parsed.text?.includes(content)) return parsed;
    }
    return undefined;
  });
}
