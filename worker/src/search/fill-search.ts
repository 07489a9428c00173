import { leadsTogether, type leadSearchIndex } from '@dune-tide/db/leads';
import type { Logger } from '@dune-tide/platform/log';
import { every } from '../delivery/every.ts';

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
 * over all leads finds those that were missed; it leaves the database half of the time to others.
 */
export function startFillingSearch({ index, logger, closing }: FillSearchDependencies): Promise<void> {
  let pass = { before: undefined as string | undefined, filled: 0 };
  let nextPassAt = 0;
  const task = async (): Promise<number> => {
    if ((await index.fillNewest()) === leadsTogether) return 0;
    if (performance.now() < nextPassAt) return intervalMs;
    const since = performance.now();
    const { filled, next } = await index.fillOlder(pass.before);
    pass = { before: next, filled: pass.filled + filled };
    if (next === undefined) {
      if (pass.filled > 0) logger.info({ leads: pass.filled }, 'older leads made searchable');
      pass = { before: undefined, filled: 0 };
      nextPassAt = performance.now() + passEveryMs;
    }
    return Math.min(performance.now() - since, intervalMs);
  };
  return every({ task, failure: 'leads not made searchable', retryMs: intervalMs, logger, closing });
}
