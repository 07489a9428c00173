import { randomUUID } from 'node:crypto';
import { formTokenHeader } from '@dune-tide/domain/spam';
import { ask } from './calls.ts';
import { startProgram, type Program } from './program.ts';

/** Requests that visitors send, each as soon as the one before it on the same connection is answered. */
export interface LoadOptions {
  readonly url: string;
  readonly path: string;
  /** JSON; each `<visitor>` in it becomes the visitor's number. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** Ends after this time or that many requests, whichever comes first. */
  readonly seconds?: number;
  readonly requests?: number;
  /** No two visitors of one run have the same number, or the same Idempotency-Key. */
  readonly run: string;
  readonly firstVisitor: number;
  /** Whether the server may go away meanwhile; a proxy in front then answers 502. */
  readonly toleratesCuts?: boolean;
  /** Whether the result names what was acknowledged. */
  readonly keepsIds?: boolean;
}

/** All times but `seconds` in milliseconds. */
export interface LoadResult {
  /** Answered with 2xx; any other answer fails the load. */
  readonly requests: number;
  readonly sent: number;
  /** Without an answer. */
  readonly cut: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  readonly ids: readonly string[];
}

export interface LoadGenerator {
  readonly pid: number;
  /** @throws when an answer is not 2xx, or a connection breaks that may not */
  send(options: Omit<LoadOptions, 'run' | 'firstVisitor' | 'headers'> & { formToken?: string }): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** A contact message as the site's form sends it. */
export const contactMessage = {
  path: '/api/contact',
  body: JSON.stringify({
    firstName: 'Noura',
    lastName: 'al-Harbi',
    email: 'visitor-<visitor>@example.com',
    service: 'ugc',
    message:
      'We grow dates near Riyadh and would like to talk about six short films for the harvest. When can we meet?',
  }),
} as const;

/** What the portfolio's modal sends. */
export const portfolioRequest = {
  path: '/api/portfolio-lead',
  body: JSON.stringify({ email: 'visitor-<visitor>@example.com', source: 'portfolio_view' }),
} as const;

/** Starts the process that loads are sent from. */
export async function startLoadGenerator(logFile: string): Promise<LoadGenerator> {
  const generator: Program = await startProgram({ file: 'bench/src/harness/load-generator.ts', logFile });
  const run = randomUUID();
  let visitors = 0;
  return {
    pid: generator.pid,
    async send({ formToken, ...options }) {
      const headers: Record<string, string> = formToken === undefined ? {} : { [formTokenHeader]: formToken };
      const load: LoadOptions = { ...options, headers, run, firstVisitor: visitors };
      const result = await ask<LoadResult>(generator, load);
      visitors += result.sent;
      return result;
    },
    stop: () => generator.stop(),
  };
}
