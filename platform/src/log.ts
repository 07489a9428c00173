import { pino, type Logger, type DestinationStream } from 'pino';

export type { Logger };

/**
 * One JSON object per line on standard output. Lines carry ids, codes and times, never what a visitor typed.
 * @param level - a level of `LOG_LEVEL`
 */
export function createLogger(processName: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { process: processName, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // An error that was described already passes unchanged.
    serializers: { error: (error: unknown) => (error instanceof Error ? describeError(error) : error) },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * Writes the lines of one turn of the event loop at once: a write for each costs a busy API a tenth of its time. Pino's
 * own destination never ends its last flush once the reader is gone, and a process that outlives whoever started it
 * could not exit.
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

/** Errors of the language itself speak of code; the messages of others may quote what a visitor sent. */
const speaksOfCode = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/** A line of a stack that names a place in the code; the message above it may have lines of its own. */
const stackFrame = /^ {4}at \S.*:\d+:\d+\)?$/;

/** Redis begins an error's line with its code in capitals, which ioredis leaves there and hands on nowhere else. */
export function codeOfReply({ name, message }: Error): string | undefined {
  return name === 'ReplyError' ? /^[A-Z]+(?= |$)/.exec(message)?.[0] : undefined;
}

/**
 * What may be logged of an error: driver errors carry the failed row or the rejected address in `detail`, `where`,
 * `response` and often in the message of a statement, so those never leave.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : codeOfReply(error);
  const frames = stack?.split('\n').filter((line) => stackFrame.test(line));
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
