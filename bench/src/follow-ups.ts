import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { formTokenHeader } from '@dune-tide/domain/spam';
import { until } from '@dune-tide/testkit/until';
import { secret, startReceiver, type TestReceiver } from '@dune-tide/testkit/webhook-receiver';
import { settingRules } from '@dune-tide/platform/settings';
import { createPortfolioCache } from '@dune-tide/worker/portfolio/cache';
import { ask } from './harness/calls.ts';
import { portfolioRequest, startLoadGenerator, type LoadGenerator } from './harness/load.ts';
import { describeMachine, machineTime } from './harness/machine.ts';
import { prepareProduct, publicUrl, type Product } from './harness/product.ts';
import { startProgram } from './harness/program.ts';
import { goalTable, report, say, showProgress, spreadText, table, type Goal } from './harness/report.ts';
import { run, type Ends } from './harness/run.ts';
import { startServices, type Services } from './harness/services.ts';
import { queuedFollowUps } from '@dune-tide/testkit/queued-follow-ups';
import { backends, chosen, positiveNumber, rarelyMs } from './harness/settings.ts';
import { startSmtpSink, type SmtpSink } from './harness/smtp-sink.ts';
import { percentile, ratios, spread } from './harness/statistics.ts';

/*
 * Measures how fast the worker delivers a backlog of portfolio emails with their PDF, compared with nodemailer alone on
 * the same server, how long a visitor of an idle system waits for the email, and how fast webhooks are sent beside emails.
 */

const parts = ['backlog', 'idle', 'webhooks'] as const;

const wanted = chosen('PARTS', parts);
const chosenBackends = chosen('BACKENDS', backends);
const rounds = positiveNumber('ROUNDS', 5);
const followUps = positiveNumber('FOLLOW_UPS', 2_000);
const visits = positiveNumber('VISITS', 200);
const concurrency = positiveNumber('WORKER_CONCURRENCY', settingRules.WORKER_CONCURRENCY.default);

/** The share of the first emails of each turn that the rate omits, because the code is not warm yet. */
const warmUpShare = 0.1;
const warmUpVisits = 20;
const queueLimitSeconds = 30;
const drainLimitSeconds = 300;

interface Parties {
  readonly services: Services;
  readonly sink: SmtpSink;
  readonly ends: Ends;
}

/** The delivery of one backlog. */
interface Turn {
  readonly perSecond: number;
  /** Processor time of the whole machine per email, in milliseconds. */
  readonly machineTime: number;
}

await run(async (ends) => {
  const services = await startServices(ends);
  const machine = await describeMachine(services.versions);
  say(machine.join('\n'));
  await createPortfolioCache(services.portfolioDirectory, { publicUrl, onFileError: () => undefined }).read();
  const sink = ends.add(await startSmtpSink(services.logFile('smtp')));
  const parties = { services, sink, ends };
  if (wanted.includes('backlog')) await report('bench-follow-ups backlog', machine, await backlog(parties));
  if (wanted.includes('idle')) await report('bench-follow-ups idle', machine, await idle(parties));
  if (wanted.includes('webhooks')) await report('bench-follow-ups webhooks', machine, await webhooks(parties));
});

function prepare(
  services: Services,
  part: (typeof parts)[number],
  backend: (typeof backends)[number],
  more: Readonly<Record<string, string>> = {},
) {
  const own = { WORKER_CONCURRENCY: String(concurrency), ...more };
  return prepareProduct(services, `${part}_${backend.toLowerCase()}`, backend, own);
}

async function backlog(parties: Parties): Promise<string[]> {
  const { services, ends } = parties;
  const generator = ends.add(await startLoadGenerator(services.logFile('load')));
  const products: Product[] = [];
  for (const backend of chosenBackends) products.push(ends.add(await prepare(services, 'backlog', backend)));
  const alone: Turn[] = [];
  const turns = new Map<Product, Turn[]>(products.map((product) => [product, []]));
  for (let round = 1; round <= rounds; round++) {
    const tell = (name: string, turn: Turn): void =>
      say(`round ${round}  ${name.padEnd(24)} ${turn.perSecond.toFixed(0).padStart(6)} emails/s`);
    showProgress(`Round ${round} of ${rounds}`);
    const limit = await nodemailerTurn(parties);
    alone.push(limit);
    tell('nodemailer alone', limit);
    for (const [product, own] of turns) {
      const turn = await workerTurn(product, generator, parties);
      own.push(turn);
      tell(`the worker, ${product.backend}`, turn);
    }
  }

  const rate = ({ perSecond }: Turn): number => perSecond;
  const limits = alone.map(rate);
  const row = (name: string, own: readonly Turn[]): string[] => [
    name,
    spreadText(spread(own.map(rate)), 0),
    spreadText(spread(ratios(own.map(rate), limits)), 2),
    spreadText(spread(own.map((turn) => turn.machineTime)), 2),
  ];
  const goals = [...turns].map(([{ backend }, own]): Goal => {
    const found = spread(ratios(own.map(rate), limits));
    return {
      what: `portfolio emails per second, ${backend}`,
      goal: '≥ 0.8 × nodemailer alone',
      found: `${spreadText(found, 2)} ×`,
      isMet: found.median >= 0.8,
    };
  });
  return [
    '### A backlog',
    '',
    `${rounds} rounds of ${followUps} portfolio requests, their jobs in the queue before the worker starts; the first tenth of the emails is left out. ${concurrency} connections to a mail server in a separate process that accepts everything. nodemailer alone has the PDF encoded in advance.`,
    '',
    ...table(
      ['contender', 'emails/s', '× nodemailer alone', 'machine ms/email'],
      [row('nodemailer alone', alone), ...[...turns].map(([{ backend }, own]) => row(`the worker, ${backend}`, own))],
    ),
    '',
    ...goalTable(goals),
  ];
}

async function nodemailerTurn({ services, sink }: Parties): Promise<Turn> {
  const nodemailer = await startProgram({
    file: 'bench/src/contenders/nodemailer-alone.ts',
    environment: {
      SMTP_URL: sink.url,
      PUBLIC_URL: publicUrl,
      CACHE_DIRECTORY: services.portfolioDirectory,
      WORKER_CONCURRENCY: String(concurrency),
    },
    logFile: services.logFile('nodemailer'),
  });
  try {
    const before = await machineTime();
    await ask<undefined>(nodemailer, followUps);
    return await turnOf(sink, before);
  } finally {
    await nodemailer.stop();
  }
}

async function workerTurn(
  product: Product,
  generator: LoadGenerator,
  { sink, services, ends }: Parties,
): Promise<Turn> {
  const api = ends.add(await product.startApi());
  await generator.send({
    ...portfolioRequest,
    url: product.url,
    connections: 8,
    requests: followUps,
    formToken: await product.formToken(),
  });
  await until(
    `${followUps} follow-ups in the queue`,
    async () => {
      // Duplicate jobs of the sweep may be left from the previous round.
      const queued = await queuedFollowUps(product);
      const pending = await product.database('follow_ups').where({ state: 'pending' }).pluck<string[]>('id');
      return pending.length === followUps && pending.every((id) => queued.has(id));
    },
    queueLimitSeconds,
    rarelyMs,
  );
  // The API is not needed during the delivery, so it uses no processor time.
  await api.stop();
  const worker = ends.add(await product.startWorker(sink.url));
  const before = await machineTime();
  await until(
    `${followUps} emails accepted`,
    async () => (await sink.count()) >= followUps,
    drainLimitSeconds,
    rarelyMs,
  );
  const turn = await turnOf(sink, before);
  await worker.stop();
  const unsent = await product.database('follow_ups').whereNot({ state: 'sent' });
  if (unsent.length > 0) throw new Error(`${unsent.length} follow-ups were not sent; see ${services.directory}`);
  return turn;
}

/** @param before - `machineTime` at the start of the turn */
async function turnOf(sink: SmtpSink, before: number): Promise<Turn> {
  const used = (await machineTime()) - before;
  const mails = await sink.take();
  const distinct = new Set(mails.map(({ messageId }) => messageId));
  if (mails.length !== followUps || distinct.size !== followUps) {
    throw new Error(
      `${followUps} emails were expected, but ${mails.length} arrived, ${distinct.size} of them distinct`,
    );
  }
  const counted = mails.slice(Math.floor(followUps * warmUpShare));
  const [first, last] = [counted[0]?.at ?? 0, counted.at(-1)?.at ?? 0];
  return { perSecond: ((counted.length - 1) * 1_000) / (last - first), machineTime: used / followUps };
}

async function idle(parties: Parties): Promise<string[]> {
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const backend of chosenBackends) {
    const product = parties.ends.add(await prepare(parties.services, 'idle', backend));
    const times = await visitIdle(product, parties);
    const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
    rows.push([backend, p50 ?? '', p99 ?? '', slowest ?? '']);
    goals.push({
      what: `from the click to the accepted email, p99, ${backend}`,
      goal: '< 250 ms',
      found: `${p99} ms`,
      isMet: percentile(times, 0.99) < 250,
    });
  }
  return [
    '### An idle system',
    '',
    `${visits} visitors request the portfolio, one after the other: the time from sending the form until the mail server has accepted the email with its PDF, measured by one clock.`,
    '',
    ...table(['queue', 'p50 ms', 'p99 ms', 'slowest ms'], rows),
    '',
    ...goalTable(goals),
  ];
}

async function visitIdle(product: Product, { sink, ends }: Parties): Promise<number[]> {
  const api = ends.add(await product.startApi());
  const worker = ends.add(await product.startWorker(sink.url));
  const formToken = await product.formToken();
  const times: number[] = [];
  for (let visitor = 0; visitor < warmUpVisits + visits; visitor++) {
    const recipient = `idle-${visitor}@example.com`;
    const milliseconds = await sink.visit({
      url: product.url + portfolioRequest.path,
      recipient,
      body: JSON.stringify({ email: recipient, source: 'portfolio_view' }),
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
        'X-Forwarded-For': `10.1.${visitor & 255}.${visitor >> 8}`,
        [formTokenHeader]: formToken,
      },
    });
    if (visitor >= warmUpVisits) times.push(milliseconds);
    // Work for the previous visitor must have ended.
    await pause(100);
  }
  await api.stop();
  await worker.stop();
  await sink.take();
  return times;
}

/** The emails and webhooks of a backlog that are sent in a second. */
interface WebhookTurn {
  readonly emails: number;
  /** 0 if the receiver responds to none. */
  readonly webhooks: number;
}

/** Each portfolio request requires an email and a webhook. A receiver that never responds must not delay emails. */
async function webhooks(parties: Parties): Promise<string[]> {
  const { services, ends } = parties;
  const receiver = await startReceiver();
  ends.add({ stop: () => receiver.close() });
  const own = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secret };
  const product = ends.add(await prepare(services, 'webhooks', 'PostgreSQL', own));
  const generator = ends.add(await startLoadGenerator(services.logFile('load')));
  const responding: WebhookTurn[] = [];
  const ignored: WebhookTurn[] = [];
  for (let round = 1; round <= rounds; round++) {
    showProgress(`Round ${round} of ${rounds}`);
    for (const isResponding of [true, false]) {
      const turn = await webhookTurn(product, generator, receiver, isResponding, parties);
      (isResponding ? responding : ignored).push(turn);
      const name = isResponding ? 'the receiver responds' : 'the receiver never responds';
      say(
        `round ${round}  ${name.padEnd(26)} ${turn.emails.toFixed(0).padStart(6)} emails/s ${turn.webhooks.toFixed(0).padStart(6)} webhooks/s`,
      );
    }
  }
  const emails = ({ emails: each }: WebhookTurn): number => each;
  const found = spread(ratios(ignored.map(emails), responding.map(emails)));
  return [
    '### Webhooks',
    '',
    `${rounds} rounds of ${followUps} portfolio requests with a webhook each, stored before the worker starts.`,
    '',
    ...table(
      ['receiver', 'emails/s', 'webhooks/s'],
      [
        [
          'responds',
          spreadText(spread(responding.map(emails)), 0),
          spreadText(spread(responding.map((turn) => turn.webhooks)), 0),
        ],
        ['never responds', spreadText(spread(ignored.map(emails)), 0), '0'],
      ],
    ),
    '',
    ...goalTable([
      {
        what: 'emails per second while the receiver never responds',
        goal: '≥ 0.9 × while it responds',
        found: `${spreadText(found, 2)} ×`,
        isMet: found.median >= 0.9,
      },
    ]),
  ];
}

async function webhookTurn(
  product: Product,
  generator: LoadGenerator,
  receiver: TestReceiver,
  isResponding: boolean,
  { sink, ends }: Parties,
): Promise<WebhookTurn> {
  const arrivals: number[] = [];
  receiver.respond = (response) => {
    arrivals.push(performance.now());
    if (isResponding) response.writeHead(204).end();
  };
  await product.database('leads').delete();
  const api = ends.add(await product.startApi());
  await generator.send({
    ...portfolioRequest,
    url: product.url,
    connections: 8,
    requests: followUps,
    formToken: await product.formToken(),
  });
  await api.stop();
  const stored = await product.database('follow_ups').where({ kind: 'webhook', state: 'pending' });
  if (stored.length !== followUps) throw new Error(`${stored.length} webhooks were stored, not ${followUps}`);
  const worker = ends.add(await product.startWorker(sink.url));
  const before = await machineTime();
  const areIn = async () => (await sink.count()) >= followUps && (!isResponding || arrivals.length >= followUps);
  await until(`${followUps} emails and webhooks accepted`, areIn, drainLimitSeconds, rarelyMs);
  const { perSecond } = await turnOf(sink, before);
  await worker.stop();
  const [first = 0, last = 0] = [arrivals[0], arrivals.at(-1)];
  return { emails: perSecond, webhooks: isResponding ? ((arrivals.length - 1) * 1_000) / (last - first) : 0 };
}
