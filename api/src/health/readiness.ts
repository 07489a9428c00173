import { TransactionPoolingError } from '@dune-tide/db/connection';
import type { readinessResponse } from '@dune-tide/domain/responses/health';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { describeError, type Logger } from '@dune-tide/platform/log';

/** A part that must be available before the API is ready. */
export interface Part {
  readonly name: string;
  readonly check: () => Promise<unknown>;
}

export type CheckReadiness = () => Promise<Presented<typeof readinessResponse>>;

/**
 * Builds a check of all parts. It runs the checks concurrently and logs each failure.
 * @returns a function that never rejects
 */
export function readinessCheck(parts: readonly Part[], logger: Logger): CheckReadiness {
  return async () => {
    const outcomes = await Promise.allSettled(parts.map(({ check }) => check()));
    let detail: string | undefined;
    const states = parts.map(({ name }, index) => {
      const outcome = outcomes[index];
      if (outcome?.status === 'rejected') {
        if (outcome.reason instanceof TransactionPoolingError) detail = outcome.reason.message;
        logger.warn({ part: name, error: describeError(outcome.reason), detail }, 'not ready');
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
