import { fileExport } from '@dune-tide/domain/limits';
import { limitReached, Problem } from './errors/problem.ts';

/** A file that is being exported. */
export interface FileExport {
  /** Aborted when the file must end: the client has stalled, or the process is closing. */
  readonly signal: AbortSignal;
  /** Reports that the client has taken more of the file. */
  readonly progress: () => void;
  /** Frees the place of the file. A second call does nothing. */
  readonly end: () => void;
}

export interface FileExports {
  /**
   * Takes a place for a file, which has to be ended.
   * @param accountId - the account that gets the file
   * @throws {Problem} 429 if the account has a place; 503 if none is free
   */
  begin(accountId: string): FileExport;
}

/**
 * Limits the files that this process exports, so that a client that does not read keeps no other from exporting (docs/PRODUCT.md, "Export").
 * @param closing - aborted when the process is closing
 * @param stallMs - time without progress after which a file is given up
 */
export function fileExports(closing: AbortSignal, stallMs: number = fileExport.stallMs): FileExports {
  const accounts = new Set<string>();
  return {
    begin(accountId) {
      if (accounts.has(accountId)) throw limitReached('Another export of yours is running.', 60);
      if (accounts.size >= fileExport.concurrent || closing.aborted) {
        const detail = 'Other exports are running. Try again in a minute.';
        throw new Problem(503, { detail, headers: { 'Retry-After': '60' } });
      }
      accounts.add(accountId);
      const stall = new AbortController();
      const timer = setTimeout(() => stall.abort(new Error('The client does not read')), stallMs);
      let hasEnded = false;
      return {
        signal: AbortSignal.any([closing, stall.signal]),
        progress: () => void timer.refresh(),
        end() {
          if (hasEnded) return;
          hasEnded = true;
          clearTimeout(timer);
          accounts.delete(accountId);
        },
      };
    },
  };
}

/** Returns the parts of a file, and reports each as progress. */
export async function* reporting<Part>(parts: AsyncIterable<Part>, { progress }: FileExport): AsyncGenerator<Part> {
  for await (const part of parts) {
    progress();
    yield part;
  }
}
