import { randomUUID } from 'node:crypto';
import { formTokenHeader } from '@dune-tide/domain/spam';
import { ask } from './calls.ts';
import { startProgram, type Program } from './program.ts';

/** Requests that visitors send, each after the response to the previous one on the same connection. */
export interface LoadOptions {
  readonly url: string;
  readonly path: string;
  /** JSON in which each `<visitor>` is replaced by the visitor's number. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  /** The load ends after this time or this number of requests, whichever is reached first. */
  readonly seconds?: number;
  readonly requests?: number;
  /** The name of the run. Within it, every visitor has a different number and Idempotency-Key. */
  readonly run: string;
  readonly firstVisitor: number;
  /** Whether the result contains the ids of the acknowledged leads. */
  readonly keepsIds?: boolean;
}

/** The result of a load. All times except `seconds` are in milliseconds. */
export interface LoadResult {
  /** The number of requests with a 2xx response. Any other response fails the load. */
  readonly requests: number;
  readonly sent: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly ids: readonly string[];
}

export interface LoadGenerator {
  readonly pid: number;
  /** @throws if a response is not 2xx, or if a connection breaks */
  send(options: Omit<LoadOptions, 'run' | 'firstVisitor' | 'headers'> & { formToken?: string }): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** A contact message of the site's form. */
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

/** A request of the portfolio's dialog. */
export const portfolioRequest = {
  path: '/api/portfolio-lead',
  body: JSON.stringify({ email: 'visitor-<visitor>@example.com', source: 'portfolio_view' }),
} as const;

/** Starts the process that sends loads. */
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
