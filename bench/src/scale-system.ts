import { readFile } from 'node:fs/promises';
import { requiredFollowUps } from '@dune-tide/domain/leads';
import { freePort } from '@dune-tide/local/ports';
import { startFront, type Front } from './harness/front.ts';
import { prepareProduct, type Product } from './harness/product.ts';
import type { Program } from './harness/program.ts';
import type { Ends } from './harness/run.ts';
import type { Services } from './harness/services.ts';
import type { Backend } from './harness/settings.ts';
import type { AcceptedMail, SmtpSink } from './harness/smtp-sink.ts';

/** Several processes of each kind behind one address, with their own database. */
export interface System {
  readonly product: Product;
  readonly front: Front;
  readonly apis: readonly Program[];
  readonly workers: readonly Program[];
  readonly formToken: string;
  /** Reads the shares from the logs, which are complete after the system has stopped. */
  shares(): Promise<Shares>;
  stop(): Promise<void>;
}

/** The number of leads that each API process acknowledged and of emails that each worker sent. */
export interface Shares {
  readonly apis: readonly number[];
  readonly workers: readonly number[];
}

export interface SystemOptions {
  readonly services: Services;
  readonly sink: SmtpSink;
  readonly ends: Ends;
  /** The name of the database, in lower case. */
  readonly name: string;
  readonly backend: Backend;
  /** The number of processes of each kind. */
  readonly processes: number;
}

const host = '127.0.0.1';

/**
 * Starts API and worker processes with their own database, and HAProxy in front of the API.
 * @param options - every started process is added to `ends`
 * @returns the running system, after every process is ready
 * @throws {Error} if a process does not start
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const { services, sink, ends, name, backend, processes } = options;
  const product = ends.add(await prepareProduct(services, name, backend));
  const numbers = Array.from({ length: processes }, (_, index) => index + 1);
  const logs = {
    apis: numbers.map((number) => services.logFile(`${name}-api-${number}`)),
    workers: numbers.map((number) => services.logFile(`${name}-worker-${number}`)),
  };
  const ports = await Promise.all(Array.from({ length: processes }, () => freePort(0, host)));
  const [apis, workers] = await Promise.all([
    Promise.all(
      ports.map(async (port, index) => ends.add(await product.startApi({ port, logFile: logs.apis[index] ?? '' }))),
    ),
    Promise.all(logs.workers.map(async (logFile) => ends.add(await product.startWorker(sink.url, { logFile })))),
  ]);
  const front = ends.add(await startFront(ports, services.logFile(`${name}-haproxy`)));
  return {
    product,
    front,
    apis,
    workers,
    formToken: await product.formToken(front.url),
    async shares() {
      const count = async (files: readonly string[], line: RegExp): Promise<number[]> =>
        Promise.all(files.map(async (file) => [...(await readFile(file, 'utf8')).matchAll(line)].length));
      return {
        apis: await count(logs.apis, /"status":201\b/g),
        workers: await count(logs.workers, /"outcome":"sent"/g),
      };
    },
    async stop() {
      await front.stop();
      await Promise.all([...apis, ...workers].map((program) => program.stop()));
    },
  };
}

/** The state of a system after all follow-ups are settled. */
export interface Verdict {
  readonly stored: number;
  /** The number of leads that were acknowledged but not stored. */
  readonly missing: number;
  /** The difference between the stored and the required number of follow-ups. */
  readonly miscounted: number;
  /** The number of follow-ups that are not marked sent or did not reach the mail server. */
  readonly unsent: number;
  /** The number of emails without a row. */
  readonly unexpected: number;
  /** The Message-IDs that the mail server accepted more than once. */
  readonly twice: readonly string[];
}

/**
 * Compares the acknowledged leads and the accepted emails with the database. STAFF_EMAIL is not set, so the leads
 * require no notices.
 * @param acknowledged - ids of the leads of contact messages
 */
export async function judge(
  { database }: Product,
  acknowledged: readonly string[],
  mails: readonly AcceptedMail[],
): Promise<Verdict> {
  const stored = new Set(await database('leads').pluck<string[]>('id'));
  const rows = await database('follow_ups').select<{ message_id: string; state: string }[]>('message_id', 'state');
  const required = new Set(rows.map(({ message_id: messageId }) => messageId));
  const copies = new Map<string, number>();
  for (const { messageId } of mails) copies.set(messageId, (copies.get(messageId) ?? 0) + 1);
  return {
    stored: stored.size,
    missing: acknowledged.filter((id) => !stored.has(id)).length,
    miscounted: Math.abs(
      rows.length - stored.size * requiredFollowUps({ kind: 'contact', email: '' }, undefined).length,
    ),
    unsent: rows.filter(({ message_id: messageId, state }) => state !== 'sent' || !copies.has(messageId)).length,
    unexpected: [...copies.keys()].filter((messageId) => !required.has(messageId)).length,
    twice: [...copies].flatMap(([messageId, count]) => (count > 1 ? [messageId] : [])),
  };
}
