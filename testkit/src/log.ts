import { Writable } from 'node:stream';
import { createLogger, type Logger } from '@dune-tide/platform/log';
import { keepLog } from './recent-log.ts';

/** Creates a logger whose lines a test can read. */
export function memoryLogger(): { readonly logger: Logger; readonly lines: () => Record<string, unknown>[] } {
  const written: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _, callback) {
      written.push(chunk.toString());
      keepLog(chunk.toString());
      callback();
    },
  });
  return {
    logger: createLogger('test', 'debug', destination),
    lines: () =>
      written
        .join('')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
