import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { connectDatabase, servingLimits, type TimeLimits } from '@dune-tide/db/connection';
import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { discoveryInquiryForm } from '@dune-tide/domain/forms/discovery';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { projectInquiryForm } from '@dune-tide/domain/forms/project-inquiry';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import type { LeadKind } from '@dune-tide/domain/leads';
import type { storedLeadResponse } from '@dune-tide/domain/responses/lead';
import type { problemResponse } from '@dune-tide/domain/responses/problem';
import type { Json } from '@dune-tide/domain/responses/schema';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { lowestCost } from '@dune-tide/testkit/staff-accounts';
import { until } from '@dune-tide/testkit/until';
import { openPasswords } from '@dune-tide/platform/accounts/password';
import { boardQueue } from '@dune-tide/platform/queue/board';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import { openProducer, type FollowUpProducer } from '@dune-tide/platform/queue/producer';
import type { Knex } from 'knex';
import { createApp, type AppOptions } from '../src/app.ts';
import { openRateLimitStore } from '../src/rate-limits/rate-limit-store.ts';
import { apiHeaders } from '../src/http/server/security-headers.ts';
import { listen, type HttpLimits } from '../src/http/server/server.ts';
import { expectDeclared, type TestResponse } from './declared-responses.ts';

export type ProblemBody = Json<typeof problemResponse>;
export type StoredLead = Json<typeof storedLeadResponse>;
export type { TestResponse } from './declared-responses.ts';

/** Each form that a public route accepts (docs/PRODUCT.md, "Forms"). */
export const publicForms: readonly { readonly form: FormSchema; readonly path: string; readonly kind: LeadKind }[] = [
  { form: portfolioRequestForm, path: '/api/portfolio-lead', kind: 'portfolio_request' },
  { form: contactForm, path: '/api/contact', kind: 'contact' },
  { form: careerApplicationForm, path: '/api/careers', kind: 'career_application' },
  { form: projectInquiryForm, path: '/api/service-inquiry', kind: 'service_inquiry' },
  { form: serviceInquiryForm, path: '/api/service-inquiry', kind: 'service_inquiry' },
  { form: discoveryInquiryForm, path: '/api/service-inquiry', kind: 'service_inquiry' },
];

/** The four public routes. */
export const publicPaths: readonly string[] = [...new Set(publicForms.map(({ path }) => path))];

/** Time limit of a count, long enough that a busy machine never exceeds it. */
const patientCountLimitMs = 20_000;

/** Options of a test API. The rate limit is off, and hashes have the lowest cost, unless a test sets them. */
export interface TestApiOptions extends Partial<Omit<AppOptions, 'database' | 'logger'>> {
  /** Replaces the API's database, e.g. by one that is unavailable. */
  readonly databaseUrl?: string;
  readonly poolSize?: number;
  /** Time limits of the database that differ from those of the product. */
  readonly timeLimits?: Partial<TimeLimits>;
  readonly httpLimits?: HttpLimits;
  /** Time limit of a count in the rate limits. */
  readonly countLimitMs?: number;
}

export interface TestRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** Sends from another address of this machine, e.g. 127.0.0.2. */
  readonly from?: string;
  /** Sends without Content-Length. */
  readonly isChunked?: boolean;
  /** Sends the headers first, and the body once this promise is fulfilled. */
  readonly untilBody?: Promise<void>;
}

export interface LeadRow {
  readonly id: string;
  readonly kind: string;
  readonly email: string;
  readonly status: string | null;
  readonly answers: Record<string, unknown>;
  readonly idempotency_key: string | null;
}

export interface FollowUpRow {
  readonly id: string;
  readonly lead_id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly message_id: string;
  readonly state: string;
  readonly attempts: number;
}

/** The real API on its own port, with a real database and, unless replaced, a real queue. */
export interface TestApi {
  readonly port: number;
  readonly publicUrl: string;
  /** The test's own connections to the API's database. */
  readonly database: Knex;
  readonly databaseUrl: string;
  logLines(): Record<string, unknown>[];
  send(request: TestRequest): Promise<TestResponse>;
  /** Sends a value as JSON, and a string or a buffer unchanged. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
  /** Writes bytes to a new connection and reads until the API closes it. */
  exchange(bytes: string | Buffer): Promise<string>;
  leads(): Promise<LeadRow[]>;
  followUps(): Promise<FollowUpRow[]>;
  /** Waits until the rows of all earlier responses are in the queue. */
  untilQueued(): Promise<void>;
  /** Empties the tables. */
  clear(): Promise<void>;
  /** Closes the parts in the same order as the API process. A second call has no effect. */
  close(): Promise<void>;
}

/** Returns a request with a JSON body. Strings and buffers are sent unchanged. Without a body, it has no Content-Type. */
export function jsonRequest(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): TestRequest {
  if (body === undefined) return { method, path, headers };
  return {
    method,
    path,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  };
}

/** Starts the API on a database. */
export async function startTestApi(test: TestDatabase, options: TestApiOptions = {}): Promise<TestApi> {
  const { databaseUrl = test.appUrl, poolSize = 8, timeLimits, httpLimits, producer: ownProducer, ...others } = options;
  const { rateLimits: ownRateLimits, countLimitMs = patientCountLimitMs, ...overrides } = others;
  const { logger, lines } = memoryLogger();
  const pool = connectDatabase({
    url: databaseUrl,
    applicationName: 'api',
    poolSize,
    timeLimits: { ...servingLimits, ...timeLimits },
  });
  const producer = ownProducer ?? openProducer({ databaseUrl: test.appUrl }, logger);
  const rateLimits = ownRateLimits ?? openRateLimitStore(databaseUrl, logger, countLimitMs);
  const board = overrides.boardQueue ?? boardQueue({ databaseUrl: test.appUrl }, logger);
  const publicUrl = overrides.publicUrl ?? 'http://studio.example';
  const app = createApp({
    database: pool,
    producer,
    rateLimits,
    logger,
    publicUrl,
    sessionKeys: ['a key that only the tests know, for a while'],
    trustedProxies: '',
    passwords: openPasswords({ cost: lowestCost }),
    publicPostLimit: 0,
    requiresSecondFactor: false,
    ...overrides,
    boardQueue: board,
  });
  const server = await listen(app.koa, '127.0.0.1', 0, httpLimits, apiHeaders(publicUrl));
  // The server can close a keep-alive connection while the next request is being sent on it.
  const agent = new Agent({ keepAlive: false });
  let closing: Promise<void> | undefined;

  const send = (wanted: TestRequest): Promise<TestResponse> => sendTo(server.port, wanted, agent);
  return {
    port: server.port,
    publicUrl,
    database: test.database,
    databaseUrl: test.url,
    logLines: lines,
    send,
    post: (path, body, headers) => send(jsonRequest('POST', path, body, headers)),
    exchange: (bytes) => exchangeWith(server.port, bytes),
    leads: () => test.database<LeadRow>('leads').select('*').orderBy('created_at').orderBy('id'),
    followUps: () => test.database<FollowUpRow>('follow_ups').select('*').orderBy('lead_id').orderBy('kind'),
    untilQueued: () => app.close(),
    async clear() {
      await test.database.raw('truncate leads cascade');
    },
    close() {
      closing ??= (async () => {
        agent.destroy();
        await app.endStreams();
        await server.close();
        await app.close();
        await producer.close();
        await rateLimits.close();
        await board.close();
        await pool.destroy();
      })();
      return closing;
    },
  };
}

/**
 * Starts the API for the tests of one `describe`, with its own database.
 * @returns a function that returns the API while tests run
 */
export function withTestApi(options: TestApiOptions | (() => TestApiOptions) = {}): () => TestApi {
  let database: TestDatabase | undefined;
  let api: TestApi | undefined;
  before(async () => {
    database = await createTestDatabase();
    api = await startTestApi(database, typeof options === 'function' ? options() : options);
  });
  after(async () => {
    await api?.close();
    await database?.drop();
  });
  return () => {
    if (!api) throw new Error('The API exists only while tests run');
    return api;
  };
}

/**
 * Sends a request to an API.
 * @throws {UndeclaredResponseError} if the response differs from the declaration of its call
 */
export async function sendTo(port: number, wanted: TestRequest, agent: Agent | false = false): Promise<TestResponse> {
  const { method = 'GET', path, headers = {}, body, from, isChunked = false, untilBody } = wanted;
  const received = await new Promise<TestResponse>((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          ...(body === undefined || isChunked ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
        ...(from === undefined ? { agent } : { localAddress: from, agent: false }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve(responseOf(response.statusCode ?? 0, response.headers, bytes));
        });
      },
    );
    outgoing.on('error', reject);
    if (untilBody === undefined) return void outgoing.end(body);
    outgoing.flushHeaders();
    void untilBody.then(() => outgoing.end(body), reject);
  });
  expectDeclared(method, path, received);
  return received;
}

function responseOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): TestResponse {
  const text = bytes.toString();
  return { status, headers, bytes, text, json: () => JSON.parse(text) as unknown };
}

async function exchangeWith(port: number, bytes: string | Buffer): Promise<string> {
  const response = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
  const [, method = '', target = ''] = /^(\S+) (\S+) HTTP/.exec(String(bytes)) ?? [];
  const [head = '', body = ''] = response.split('\r\n\r\n', 2);
  const [, status, lines = ''] = /^HTTP\/1\.1 (\d+)[^\r]*\r\n(.*)$/s.exec(head) ?? [];
  const headers = Object.fromEntries(
    lines.split('\r\n').map((line) => [line.split(':')[0]?.toLowerCase(), line.replace(/^[^:]*: */, '')]),
  );
  // Without this header, the response is from the HTTP server itself and is not described.
  if ('x-request-id' in headers) {
    expectDeclared(method, target, responseOf(Number(status), headers, Buffer.from(body, 'latin1')));
  }
  return response;
}

/** A queue without jobs that records each batch. */
export interface FakeProducer extends FollowUpProducer {
  readonly batches: WakeUp[][];
}

/** Returns a queue whose behaviour a test defines. */
export function fakeProducer(enqueue: () => Promise<void>, check = enqueue): FakeProducer {
  const batches: WakeUp[][] = [];
  return {
    batches,
    async enqueue(wakeUps) {
      batches.push([...wakeUps]);
      await enqueue();
    },
    check,
    remove: check,
    depth: async () => ({ waiting: 0, active: 0, delayed: 0 }),
    close: async () => undefined,
  };
}

/** Waits until rows are queued, since the API queues them after the response. */
export function untilWoken({ batches }: FakeProducer, ids: readonly string[]): Promise<unknown> {
  return until('workers are woken up for the rows', () => {
    const woken = new Set(batches.flat().map(({ id }) => id));
    return ids.every((id) => woken.has(id));
  });
}

/** Cancels the statement of an API that waits for a lock, as its time limit would. */
export function cancelWaiting({ database }: TestApi): Promise<unknown> {
  return until('a statement waits and is cancelled', async () => {
    const { rows } = await database.raw<{ rows: unknown[] }>(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
}

/** Returns a promise that the test resolves. */
export function deferred(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
