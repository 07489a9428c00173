import { leadsTogether, type leadSearchIndex } from '@dune-tide/db/leads';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { rest } from '../delivery/sweep.ts';

export interface FillSearchDependencies {
  readonly index: ReturnType<typeof leadSearchIndex>;
  readonly logger: Logger;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
}

/** A new lead can be found this time after it was stored, and the time that writing its batch takes. */
const intervalMs = 500;
/** The time between two passes over all leads. */
const passEveryMs = 10 * 60_000;

/**
 * Makes leads searchable until `closing` is aborted (docs/PRODUCT.md, "Search"). New leads come first. In between, a pass
 * over all leads finds those that were missed; it leaves the database half of the time to others. A failure is logged
 * and does not stop the next attempt.
 * @returns `ended`, which resolves after the last attempt
 */
export function startFillingSearch({ index, logger, closing }: FillSearchDependencies): {
  readonly ended: Promise<void>;
} {
  const run = async (): Promise<void> => {
    let pass = { before: undefined as string | undefined, filled: 0 };
    let nextPassAt = 0;
    while (!closing.aborted) {
      let pauseMs = intervalMs;
      try {
        if ((await index.fillNewest()) === leadsTogether) continue;
        if (performance.now() >= nextPassAt) {
          const since = performance.now();
          const { filled, next } = await index.fillOlder(pass.before);
          pass = { before: next, filled: pass.filled + filled };
          if (next === undefined) {
            if (pass.filled > 0) logger.info({ leads: pass.filled }, 'older leads made searchable');
            pass = { before: undefined, filled: 0 };
            nextPassAt = performance.now() + passEveryMs;
          }
          pauseMs = Math.min(performance.now() - since, intervalMs);
        }
      } catch (error) {
        logger.warn({ error: describeError(error) }, 'leads not made searchable');
      }
      await rest(pauseMs, closing);
    }
  };
  return { ended: run() };
}
