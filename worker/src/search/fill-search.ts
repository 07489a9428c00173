import { leadsTogether, type leadSearchIndex, type SearchBuild } from '@dune-tide/db/leads';
import type { Logger } from '@dune-tide/platform/log';
import type { Outage } from '@dune-tide/platform/outage';
import { every } from '../delivery/every.ts';

export interface FillSearchDependencies {
  readonly index: ReturnType<typeof leadSearchIndex>;
  readonly logger: Logger;
  /** The state of the database. */
  readonly databaseOutage?: Outage | undefined;
  /** Aborted when the worker closes. */
  readonly closing: AbortSignal;
}

/** A new lead can be found this time after it was stored, and the time that writing its batch takes. */
const intervalMs = 500;
/** The time between two passes over all leads. */
const passEveryMs = 10 * 60_000;

/** A pass over all leads. */
interface Pass {
  /** The build that it belongs to; undefined if it only looks for leads that were missed. */
  readonly build: SearchBuild | undefined;
  readonly before: string | undefined;
  readonly filled: number;
  readonly searchable: number;
}

const passOf = (build?: SearchBuild): Pass => ({ build, before: undefined, filled: 0, searchable: 0 });

/**
 * Makes leads searchable until `closing` is aborted (docs/PRODUCT.md, "Search"). New and changed leads come first. In
 * between, a pass over all leads finds those that were missed, and after an upgrade or a restore those whose texts must
 * be written; it leaves the database half of the time to others.
 */
export function startFillingSearch(dependencies: FillSearchDependencies): Promise<void> {
  const { index, logger, databaseOutage: outage, closing } = dependencies;
  let pass = passOf();
  let nextPassAt = 0;
  const task = async (): Promise<number> => {
    if ((await index.fillNewest()) === leadsTogether) return 0;
    const build = await index.unfinishedBuild();
    if (build?.id !== pass.build?.id) pass = passOf(build);
    if (!build) {
      // During a build, its pass writes them.
      if ((await index.fillChanged()) === leadsTogether) return 0;
      if (performance.now() < nextPassAt) return intervalMs;
    }
    const since = performance.now();
    const { filled, searchable, next } = await index.fillOlder(pass.before, build);
    pass = { build, before: next, filled: pass.filled + filled, searchable: pass.searchable + searchable };
    if (build) await index.recordBuild(build, pass.searchable, next === undefined);
    if (next === undefined) {
      if (pass.filled > 0) logger.info({ leads: pass.filled }, 'older leads made searchable');
      pass = passOf();
      nextPassAt = performance.now() + passEveryMs;
    }
    return Math.min(performance.now() - since, intervalMs);
  };
  return every({ task, failure: 'leads not made searchable', retryMs: intervalMs, outage, logger, closing });
}
