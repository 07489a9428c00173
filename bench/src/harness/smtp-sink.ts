import { freePort } from '@dune-tide/local/ports';
import { ask } from './calls.ts';
import { startProgram } from './program.ts';

export interface AcceptedMail {
  readonly messageId: string;
  /** Milliseconds by the sink's own clock. */
  readonly at: number;
}

export interface Visit {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose mail is waited for. */
  readonly recipient: string;
}

export type SinkQuestion =
  ({ readonly kind: 'visit' } & Visit) | { readonly kind: 'count' } | { readonly kind: 'take' };
export type SinkReply =
  { readonly milliseconds: number } | { readonly count: number } | { readonly accepted: AcceptedMail[] };

/** A mail server in a process of its own that accepts everything, fast. */
export interface SmtpSink {
  readonly url: string;
  readonly pid: number;
  /** Mails since they were last taken. */
  count(): Promise<number>;
  /** In the order of acceptance; begins anew. */
  take(): Promise<AcceptedMail[]>;
  /** Posts a form and waits for its mail. @returns the milliseconds from one to the other */
  visit(visit: Visit): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a mail server in a process of its own, which accepts everything and counts it.
 * @param logFile - takes what the process says
 * @throws Error when it does not start
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
