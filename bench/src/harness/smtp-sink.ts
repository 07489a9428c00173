import { freePort } from '@dune-tide/local/ports';
import { ask } from './calls.ts';
import { startProgram } from './program.ts';

export interface AcceptedMail {
  readonly messageId: string;
  /** In milliseconds by the sink's own clock. */
  readonly at: number;
}

export interface Visit {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The address whose email is awaited. */
  readonly recipient: string;
}

export type SinkQuestion =
  | ({ readonly kind: 'visit' } & Visit)
  | { readonly kind: 'count' }
  | { readonly kind: 'take' };
export type SinkReply =
  | { readonly milliseconds: number }
  | { readonly count: number }
  | { readonly accepted: AcceptedMail[] };

/** A fast mail server in its own process that accepts every email. */
export interface SmtpSink {
  readonly url: string;
  readonly pid: number;
  /** Returns the number of emails since the last `take`. */
  count(): Promise<number>;
  /** Returns and removes the accepted emails, in the order of acceptance. */
  take(): Promise<AcceptedMail[]>;
  /** Posts a form and waits for its email. @returns the milliseconds from the post to the email */
  visit(visit: Visit): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a mail server in its own process that accepts and counts every email.
 * @param logFile - the file for the output of the process
 * @throws {Error} if it does not start
 */
export async function startSmtpSink(logFile: string): Promise<SmtpSink> {
  const port = await freePort(0, '127.0.0.1');
  const sink = await startProgram({
    file: 'bench/src/harness/smtp-sink-process.ts',
    environment: { PORT: String(port) },
    logFile,
  });
  const reply = <Reply extends SinkReply>(question: SinkQuestion): Promise<Reply> => ask<Reply>(sink, question);
  return {
    url: `smtp://127.0.0.1:${port}`,
    pid: sink.pid,
    count: async () => (await reply<{ count: number }>({ kind: 'count' })).count,
    take: async () => (await reply<{ accepted: AcceptedMail[] }>({ kind: 'take' })).accepted,
    visit: async (visit) => (await reply<{ milliseconds: number }>({ kind: 'visit', ...visit })).milliseconds,
    stop: () => sink.stop(),
  };
}
