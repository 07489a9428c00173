import { jobTable } from '@dune-tide/platform/queue/bullmq-internals';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { accountNotices } from '@dune-tide/db/accounts';
import { erasureNotices } from '@dune-tide/db/personal-data';
import {
  leadNotificationStore,
  leadTextStore,
  followUpClaims,
  replyStore,
  reminderStore,
  type EmailLimits,
  type LeasedRow,
} from '@dune-tide/db/follow-ups';
import { digestLeads, leadLookup, leadIntake } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import type { FollowUpKind, FollowUpState } from '@dune-tide/domain/follow-ups';
import { requiredFollowUps, type LeadKind } from '@dune-tide/domain/leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { smallPortfolio } from '@dune-tide/testkit/portfolio';
import { startTestRedis } from '@dune-tide/testkit/redis';
import { startTestSmtp, type TestSmtp } from '@dune-tide/testkit/smtp';
import type { Outage } from '@dune-tide/platform/outage';
import type { QueueSettings } from '@dune-tide/platform/queue/connections';
import type { WakeUp } from '@dune-tide/platform/queue/jobs';
import { idTokens } from '@dune-tide/platform/id-tokens';
import { Redis } from 'ioredis';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import { deliver, type DeliveryDependencies } from '../src/delivery/deliver.ts';
import { openGate } from '../src/delivery/gate.ts';
import { openRetryLane } from '../src/delivery/retry-lane.ts';
import type { Transports } from '../src/delivery/transport.ts';
import { openMailer, type MailServerLimits } from '../src/mail/mailer.ts';
import { openTransports } from '../src/transports.ts';

/** Text that a visitor typed. No log may contain it. */
export const typedByVisitor = 'A sentence that only the visitor knows.';

const exampleFields: Readonly<Record<LeadKind, Readonly<Record<string, string>>>> = {
  contact: { firstName: 'Noura', lastName: 'al-Harbi', service: 'ugc', message: typedByVisitor },
  service_inquiry: {
    name: 'Noura al-Harbi',
    service: 'B2B Email Marketing',
    serviceType: 'Lead Generation',
    budget: '$3,000-$5,000/month',
    timeframe: '3-6 months',
    urgency: 'Medium - Steady growth',
    projectDetails: typedByVisitor,
  },
  career_application: {
    firstName: 'Noura',
    lastName: 'al-Harbi',
    phone: '+966 11 555 0100',
    position: 'Full Stack Developer',
    experience: 'senior',
    coverLetter: typedByVisitor,
  },
  portfolio_request: { source: 'portfolio_view' },
};

export const staffAddress = 'staff@studio.example';

/**
 * Returns the only entry.
 * @throws if there is not exactly one
 */
export function only<Entry>(entries: readonly Entry[]): Entry {
  const [entry] = entries;
  if (entry === undefined || entries.length !== 1) throw new Error(`Expected one entry, found ${entries.length}`);
  return entry;
}

export interface RequiredRow extends WakeUp {
  readonly leadId: string;
  readonly recipient: string;
}

/**
 * Stores a lead as the API does.
 * @param options.tellsStaff - whether the lead also requires a notice to staff
 * @param options.fields - replace the example fields
 * @returns its follow-ups
 */
export async function requireFollowUps(
  database: Knex,
  kind: LeadKind,
  { email = `${randomUUID()}@visitor.example`, tellsStaff = false, fields = {} } = {},
): Promise<RequiredRow[]> {
  const followUps = requiredFollowUps({ kind, email }, tellsStaff ? staffAddress : undefined);
  const intake = await leadIntake(database, brand.mailDomain).storeLead({
    kind,
    email,
    fields: { ...exampleFields[kind], ...fields },
    followUps,
    spamSign: null,
    idempotencyKey: null,
  });
  if (intake.outcome !== 'stored') throw new Error(`Not stored: ${intake.outcome}`);
  return intake.followUps.map((stored, index) => ({
    ...stored,
    leadId: intake.id,
    recipient: followUps[index]?.recipient ?? '',
  }));
}

/** Stores a lead that requires exactly one follow-up, and returns it. */
export async function requireFollowUp(
  database: Knex,
  kind: LeadKind,
  options: { readonly email?: string; readonly fields?: Readonly<Record<string, string>> } = {},
): Promise<RequiredRow> {
  return only(await requireFollowUps(database, kind, options));
}

export interface FollowUpRow {
  readonly id: string;
  readonly kind: FollowUpKind;
  readonly state: FollowUpState;
  readonly attempts: number;
  readonly message_id: string;
  readonly server_answer: string | null;
  readonly sent_at: Date | null;
  readonly lease: string | null;
  /** The delay or lease that the last write set, in seconds. */
  readonly delay: number;
}

export async function readRow(database: Knex, id: string): Promise<FollowUpRow> {
  const row = await database('follow_ups')
    .where({ id })
    .first<FollowUpRow | undefined>(
      '*',
      database.raw('extract(epoch from available_at - updated_at)::double precision as delay'),
    );
  if (!row) throw new Error('Row not found');
  return row;
}

/** Counts the rows in each state. */
export async function countStates(database: Knex, ids: readonly string[]): Promise<Partial<Record<string, number>>> {
  const rows = await database('follow_ups').whereIn('id', ids).select<{ state: string }[]>('state');
  const counts: Partial<Record<string, number>> = {};
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Ends the leases and delays of rows, so that the sweep finds them. */
export async function makeDue(database: Knex, ids: readonly string[]): Promise<void> {
  await database('follow_ups')
    .whereIn('id', ids)
    .update({
      available_at: database.raw(`least(available_at, now())`),
      sweep_at: database.raw(`now() - interval '1 second'`),
    });
}

/** For tests with a server that never responds. Other tests need longer limits, because the machine may be busy. */
export const shortPatience: MailServerLimits = {
  connect: 3_000,
  greeting: 3_000,
  firstOffer: 3_000,
  send: 3_000,
  promptResponse: 500,
  response: 3_000,
};

/** Signs the links in the emails of tests. */
export const testKey = 'a-key-that-signs-nothing-outside-this-test';

/**
 * Creates the dependencies of `deliver` with a real database.
 * @param limits - the email limits; none by default
 */
export function deliveryOver(database: Knex, transports: Transports, limits: EmailLimits | null = null) {
  const log = memoryLogger();
  return {
    followUps: followUpClaims(database, limits),
    transports,
    logger: log.logger,
    lines: log.lines,
    sentNotes: { add: async () => async () => undefined, adopt: async () => undefined },
    orphanedClaims: new Set<LeasedRow>(),
    inProgress: new Set<string>(),
    claims: openGate(5),
    sends: pLimit(5),
    retries: openRetryLane(4),
    closing: new AbortController().signal,
  } satisfies DeliveryDependencies & { readonly lines: unknown };
}

/**
 * Creates the dependencies of `deliver` with a real database and a real mailer.
 * @param options.limits - the time limits of the mail server; those of the product by default
 */
export function deliveryDependencies(
  database: Knex,
  { url }: Pick<TestSmtp, 'url'>,
  { limits, emailLimits, readPortfolio = async () => smallPortfolio, mailOutage }: MailOptions = {},
) {
  const mailer = openMailer(url, 'mail@studio.example', 5, limits);
  const transports = openTransports({
    mailer,
    mailOutage,
    storeLeadTexts: leadTextStore(database),
    portfolio: { read: readPortfolio },
    publicUrl: 'https://site.example',
    leadOf: leadLookup(database),
    digestLeads: digestLeads(database),
    unsubscribeTokens: idTokens([testKey], 'unsubscribe-token'),
    emailTokens: idTokens([testKey], 'email-token'),
    receiptTokens: idTokens([testKey], 'receipt-token'),
    replyToSend: (id) => replyStore(database, brand.mailDomain).toSend(id),
    accountNoticeOf: (id) => accountNotices(database).of(id),
    erasureNoticeOf: (id) => erasureNotices(database, brand.mailDomain).of(id),
    leadNotificationOf: (id, limit) => leadNotificationStore(database, brand.mailDomain).of(id, limit),
    remindedLeads: (id, limit) => reminderStore(database, brand.mailDomain).leadsOf(id, limit),
  });
  return { ...deliveryOver(database, transports, emailLimits), mailer, limits: null };
}

/** The mail server of a test, and the dependencies of `deliver` that use it. */
export interface TestDelivery {
  readonly smtp: TestSmtp;
  readonly dependencies: ReturnType<typeof deliveryDependencies>;
}

/**
 * Creates a test database. Before each test, it starts a mail server and creates the dependencies of `deliver`.
 * @param use - receives both before each test
 */
export function withDelivery(use: (delivery: TestDelivery) => void) {
  const test = withTestDatabase();
  let smtp: TestSmtp;
  let dependencies: TestDelivery['dependencies'];

  beforeEach(async () => {
    smtp = await startTestSmtp();
    dependencies = deliveryDependencies(test().app, smtp);
    use({ smtp, dependencies });
  });

  afterEach(async () => {
    await dependencies.mailer.close();
    await smtp.close();
  });

  const row = ({ id }: RequiredRow) => readRow(test().database, id);
  return {
    test,
    row,
    send: (required: RequiredRow) => deliver(required, dependencies),
    /** Makes the row due and delivers it. */
    sendAgain: async (required: RequiredRow): Promise<void> => {
      await makeDue(test().database, [required.id]);
      await deliver(required, dependencies);
    },
    /** Returns the copies of the row's email that the mail server has accepted. */
    acceptedFor: async (required: RequiredRow) => {
      const { message_id: messageId } = await row(required);
      return smtp.accepted.filter((mail) => mail.messageId === messageId);
    },
  };
}

/** A response to a complete email that is held until `release` is called. */
export function heldResponse() {
  let release = (): void => undefined;
  let isAwaited = false;
  const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  return {
    onBody: () => {
      isAwaited = true;
      return held;
    },
    isAwaited: () => isAwaited,
    release: () => release(),
  };
}

/** Starts a TCP server that sends the first line immediately, one more after each input, and then nothing. */
export async function startRawServer(lines: readonly string[]): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const left = [...lines];
    const sendNext = (): void => {
      const line = left.shift();
      if (line !== undefined) socket.write(`${line}\r\n`);
    };
    socket.on('data', sendNext);
    sendNext();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface MailOptions {
  readonly limits?: MailServerLimits;
  /** None by default. */
  readonly emailLimits?: EmailLimits;
  readonly readPortfolio?: () => Promise<Buffer>;
  /** The state of the mail server; always tried by default. */
  readonly mailOutage?: Outage;
}

/** A queue that only one suite uses. */
export interface TestQueue {
  readonly settings: QueueSettings;
  /** Deletes every job. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Both backends of the queue. */
export const queueBackends: readonly {
  readonly name: string;
  /** Settings of a queue that is unavailable. */
  readonly unavailable: (databaseUrl: string) => QueueSettings;
  readonly open: (databaseUrl: string, database: Knex) => Promise<TestQueue>;
}[] = [
  {
    name: 'PostgreSQL',
    unavailable: () => ({ databaseUrl: 'postgres://none@127.0.0.1:1/none' }),
    open: async (databaseUrl, database) => ({
      settings: { databaseUrl },
      flush: async () => void (await database.raw(`truncate ${jobTable} cascade`)),
      stop: async () => undefined,
    }),
  },
  {
    name: 'Redis',
    unavailable: (databaseUrl) => ({ databaseUrl, redisUrl: 'redis://127.0.0.1:1' }),
    async open(databaseUrl) {
      const server = await startTestRedis();
      return {
        settings: { databaseUrl, redisUrl: server.url },
        async flush() {
          const redis = new Redis(server.url);
          await redis.flushall();
          redis.disconnect();
        },
        stop: () => server.stop(),
      };
    },
  },
];
