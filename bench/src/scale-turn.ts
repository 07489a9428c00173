import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@dune-tide/testkit/until';
import { contactMessage, type LoadGenerator, type LoadResult } from './harness/load.ts';
import { familyTime, machineTime, residentMegabytes } from './harness/machine.ts';
import type { Services } from './harness/services.ts';
import { rarelyMs } from './harness/settings.ts';
import type { AcceptedMail, SmtpSink } from './harness/smtp-sink.ts';
import { judge, type Shares, type System } from './scale-system.ts';

/** The kinds of processes whose processor time is measured. */
export const parts = ['api', 'worker', 'PostgreSQL', 'Redis', 'HAProxy', 'mail server', 'load'] as const;
export type Part = (typeof parts)[number];

/** The results of one turn: leads arrive while workers send emails, then the workers send the rest. */
export interface ScaleTurn extends Samples {
  readonly leadsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Emails per second while leads arrived, and afterwards until the last email. */
  readonly mailsMeanwhile: number;
  readonly mailsAfterwards: number;
  /** Processor time per lead with its email in milliseconds, of the whole machine and of each part. */
  readonly machineTime: number;
  readonly time: Readonly<Record<Part, number>>;
  /** Processor time while leads arrived, in cores. */
  readonly cores: Readonly<Record<Part, number>>;
}

export interface TurnOptions {
  readonly services: Services;
  readonly sink: SmtpSink;
  readonly generator: LoadGenerator;
  readonly connections: number;
  readonly leads: number;
}

const drainLimitSeconds = 240;
const sampleMs = 500;
/** The share of emails at the end that the rate leaves out, because not all workers have work by then. */
const lastShare = 0.05;

/** A system under measurement, with the leads that it acknowledged and the emails that it sent. */
export interface Contender {
  readonly name: string;
  readonly system: System;
  readonly acknowledged: string[];
  readonly mails: AcceptedMail[];
  readonly turns: ScaleTurn[];
}

/** Runs a contender without measuring it, until its code is warm. */
export async function warmUp(contender: Contender, options: TurnOptions): Promise<void> {
  await send(contender, options);
  await untilPaid(contender.system);
  contender.mails.push(...(await options.sink.take()));
}

/**
 * Measures a contender while it accepts leads and sends their emails.
 * @param contender - the turn, its leads and its emails are added to it
 * @returns the turn's figures, after every follow-up has been sent
 * @throws {Error} if a lead is not accepted or a follow-up is not sent in time
 */
export async function measureTurn(contender: Contender, options: TurnOptions): Promise<ScaleTurn> {
  const { sink, generator, services } = options;
  const { system } = contender;
  const pids: Record<Part, readonly number[]> = {
    api: system.apis.map(({ pid }) => pid),
    worker: system.workers.map(({ pid }) => pid),
    PostgreSQL: [services.postgresPid],
    Redis: [services.redisPid],
    HAProxy: [system.front.pid],
    'mail server': [sink.pid],
    load: [generator.pid],
  };
  const sampling = startSampling(system, pids);
  const before = await timesOf(pids);
  const load = await send(contender, options);
  const taken = await timesOf(pids);
  const mailedMeanwhile = await sink.count();
  const samples = await sampling.stop();
  await untilPaid(system);
  const after = await timesOf(pids);
  const mails = await sink.take();
  contender.mails.push(...mails);
  const ofEach = (value: (part: Part) => number): Record<Part, number> =>
    Object.fromEntries(parts.map((part) => [part, value(part)])) as Record<Part, number>;
  const turn: ScaleTurn = {
    ...samples,
    leadsPerSecond: load.requests / load.seconds,
    p50: load.p50,
    p99: load.p99,
    mailsMeanwhile: mailedMeanwhile / load.seconds,
    mailsAfterwards: rateOf(mails.slice(mailedMeanwhile).map(({ at }) => at)),
    machineTime: (after.machine - before.machine) / load.requests,
    time: ofEach((part) => (after.of[part] - before.of[part]) / load.requests),
    cores: ofEach((part) => (taken.of[part] - before.of[part]) / (taken.at - before.at)),
  };
  contender.turns.push(turn);
  return turn;
}

/**
 * Stops a contender and checks its leads and emails.
 * @returns the shares of its processes
 * @throws if a lead or an email is missing, or if an email was sent twice
 */
export async function settle({ name, system, acknowledged, mails }: Contender): Promise<Shares> {
  await system.stop();
  const { stored, twice, ...wrong } = await judge(system.product, acknowledged, mails);
  if (stored !== acknowledged.length || twice.length > 0 || Object.values(wrong).some((count) => count > 0)) {
    const found = JSON.stringify({ acknowledged: acknowledged.length, stored, twice: twice.length, ...wrong });
    throw new Error(`${name}: ${found}`);
  }
  return system.shares();
}

async function send({ system, acknowledged }: Contender, options: TurnOptions): Promise<LoadResult> {
  const load = await options.generator.send({
    ...contactMessage,
    url: system.front.url,
    connections: options.connections,
    requests: options.leads,
    formToken: system.formToken,
    keepsIds: true,
  });
  acknowledged.push(...load.ids);
  return load;
}

async function untilPaid({ product: { database } }: System): Promise<void> {
  await until(
    'every email sent',
    async () => {
      const left = await database('follow_ups').whereIn('state', ['pending', 'sending']).first('id');
      return left === undefined;
    },
    drainLimitSeconds,
    rarelyMs,
  );
}

interface Times {
  readonly at: number;
  readonly machine: number;
  readonly of: Readonly<Record<Part, number>>;
}

async function timesOf(pids: Readonly<Record<Part, readonly number[]>>): Promise<Times> {
  const entries = await Promise.all(
    parts.map(async (part) => {
      const times = await Promise.all(pids[part].map(familyTime));
      return [part, times.reduce((sum, time) => sum + time, 0)] as const;
    }),
  );
  return {
    at: performance.now(),
    machine: await machineTime(),
    of: Object.fromEntries(entries) as Record<Part, number>,
  };
}

/**
 * @param at - the time at which each email was accepted, in milliseconds
 * @returns emails per second; NaN for too few emails
 */
function rateOf(at: readonly number[]): number {
  const counted = at.slice(0, Math.ceil(at.length * (1 - lastShare)));
  return ((counted.length - 1) * 1_000) / ((counted.at(-1) ?? Number.NaN) - (counted[0] ?? Number.NaN));
}

/** The highest memory use and connection counts while leads arrived. */
interface Samples {
  /** The memory of one process, in megabytes. */
  readonly memory: Readonly<Record<'api' | 'worker' | 'HAProxy' | 'Redis', number>>;
  /** The connections to PostgreSQL, by application_name and in total. */
  readonly connections: ReadonlyMap<string, number>;
  readonly connectionsTogether: number;
}

/** Samples memory and connections regularly and keeps the maximum. */
function startSampling(
  { product: { database } }: System,
  pids: Readonly<Record<Part, readonly number[]>>,
): { stop(): Promise<Samples> } {
  const memory = { api: 0, worker: 0, HAProxy: 0, Redis: 0 };
  const connections = new Map<string, number>();
  let connectionsTogether = 0;
  const sample = async (): Promise<void> => {
    for (const kind of ['api', 'worker', 'HAProxy', 'Redis'] as const) {
      memory[kind] = Math.max(memory[kind], ...(await Promise.all(pids[kind].map(residentMegabytes))));
    }
    const rows = await database('pg_stat_activity')
      .whereRaw(`datname = current_database() and application_name <> 'bench'`)
      .groupBy('application_name')
      .select<{ application_name: string; count: number }[]>(
        'application_name',
        database.raw('count(*)::integer as count'),
      );
    for (const { application_name: name, count } of rows) {
      connections.set(name, Math.max(connections.get(name) ?? 0, count));
    }
    connectionsTogether = Math.max(
      connectionsTogether,
      rows.reduce((sum, { count }) => sum + count, 0),
    );
  };
  const over = new AbortController();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      await sample();
      await pause(sampleMs);
    }
  })();
  // Awaited at the end. Until then, a rejection must not count as unhandled.
  sampling.catch(() => undefined);
  return {
    async stop() {
      over.abort();
      await sampling;
      return { memory, connections, connectionsTogether };
    },
  };
}
