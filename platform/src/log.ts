import { linesOf } from '@dune-tide/domain/lines';
import { pino, type Logger, type DestinationStream } from 'pino';

export type { Logger };

/** The message of the lines with the last entry of the audit log, which `make audit-check` reads. */
export const auditHeadMessage = 'audit log head';

/**
 * Creates a logger that writes one JSON object per line to standard output. Lines contain ids, codes and times, never
 * the visitors' input.
 * @param level - a level of `LOG_LEVEL`
 * @param destination - replaces standard output
 */
export function createLogger(processName: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { process: processName, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: (line: string) => line.replace(unescapedBreaks, escaped) },
    // Errors that were described before stay unchanged.
    serializers: { error: (error: unknown) => (error instanceof Error ? describeError(error) : error) },
  };
  return pino(options, destination ?? standardOutput());
}

/** Line breaks and control characters that JSON need not escape. Readers of logs start a new line at some of them. */
const unescapedBreaks = /[\u007f-\u009f\u2028\u2029]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Writes all lines of one turn of the event loop together, because one write per line costs a busy API a tenth of its
 * time. Pino's own destination never finishes its last flush if the reader is gone, so a process that outlives its
 * parent could not exit.
 */
function standardOutput(): DestinationStream {
  let lines = '';
  const flush = (): void => {
    if (lines !== '') process.stdout.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

/** Errors whose messages are about code and safe to log. Other messages may quote a visitor's input. */
const speaksOfCode = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/** Matches stack lines with a source location. The lines of the message, which come before them, may look the same. */
const stackFrame = /^ {4}at \S.*:\d+:\d+\)?$/;

/** Returns the code of a Redis error. ioredis exposes it only as the first word of the message. */
export function codeOfReply({ name, message }: Error): string | undefined {
  return name === 'ReplyError' ? /^[A-Z]+(?= |$)/.exec(message)?.[0] : undefined;
}

/**
 * Returns the parts of an error that are safe to log. The fields `detail`, `where` and `response` and most messages are
 * left out: drivers put the failed row or the rejected address there.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : codeOfReply(error);
  const linesOfMessage = new Set(linesOf(message));
  const frames = stack && linesOf(stack).filter((line) => stackFrame.test(line) && !linesOfMessage.has(line));
  return {
    name,
    ...(speaksOfCode.has(name) ? { message } : {}),
    ...(code === undefined ? {} : { code }),
    ...('originalCode' in error ? { originalCode: error.originalCode } : {}),
    ...('constraint' in error ? { constraint: error.constraint } : {}),
    ...(frames && { stack: frames.slice(0, 8).map((line) => line.trim()) }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
