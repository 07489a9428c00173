import { TransactionPoolingError } from '@dune-tide/db/connection';
import type { readinessResponse } from '@dune-tide/domain/responses/health';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { describeError, type Logger } from '@dune-tide/platform/log';

/** A part that must be available before the API is ready. */
export interface Part {
  readonly name: string;
  readonly check: () => Promise<unknown>;
}

/** A load balancer checks every two seconds. */
const logEveryMs = 60_000;

export type CheckReadiness = () => Promise<Presented<typeof readinessResponse>>;

/**
 * Builds a check of all parts. It runs the checks concurrently and logs when a part fails, and again every minute.
 * @returns a function that never rejects
 */
export function readinessCheck(parts: readonly Part[], logger: Logger): CheckReadiness {
  /** The times at which the parts that fail were logged. */
  const logged = new Map<string, number>();
  return async () => {
    const outcomes = await Promise.allSettled(parts.map(({ check }) => check()));
    let detail: string | undefined;
    const states = parts.map(({ name }, index) => {
      const outcome = outcomes[index];
      if (outcome?.status === 'fulfilled') logged.delete(name);
      if (outcome?.status === 'rejected') {
        if (outcome.reason instanceof TransactionPoolingError) detail = outcome.reason.message;
        const isNews = performance.now() >= (logged.get(name) ?? -Infinity) + logEveryMs;
        if (isNews) logged.set(name, performance.now());
        logger[isNews ? 'warn' : 'debug']({ part: name, error: describeError(outcome.reason), detail }, 'not ready');
      }
      return [name, outcome?.status === 'fulfilled' ? 'ok' : 'unavailable'] as const;
    });
    const isReady = states.every(([, state]) => state === 'ok');
    return {
      status: isReady ? 'ok' : 'unavailable',
      parts: Object.fromEntries(states),
      ...(detail !== undefined && { detail }),
    };
  };
}
