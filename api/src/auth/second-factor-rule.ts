import { setTimeout as pause } from 'node:timers/promises';
import { staffAccounts } from '@dune-tide/db/accounts';
import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import { checkReadiness } from '@dune-tide/db/schema';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { Knex } from 'knex';

/**
 * Logs once whether second factors are required, and what decides it (docs/PRODUCT.md, "Second factor"). Waits until the
 * database is available and migrated if a column decides.
 * @param requiresSecondFactor - REQUIRE_SECOND_FACTOR; undefined if it is not set
 * @param retryMs - the time between two attempts to read the column
 * @returns `close` stops waiting
 */
export function logSecondFactorRule({
  database,
  logger,
  requiresSecondFactor,
  retryMs = 5_000,
}: {
  readonly database: Knex;
  readonly logger: Logger;
  readonly requiresSecondFactor: boolean | undefined;
  readonly retryMs?: number;
}): { close(): Promise<void> } {
  const closing = new AbortController();
  const log = (isRequired: boolean, decidedBy: string): void =>
    logger.info({ decidedBy }, `second factors are ${isRequired ? 'required of all accounts' : 'optional'}`);

  const logColumn = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await checkReadiness(database);
        const isRequired = await staffAccounts(database).requiresSecondFactor();
        if (isRequired === undefined) {
          logger.info('the first account will decide whether second factors are required');
        } else log(isRequired, 'the oldest account');
        return;
      } catch (error) {
        // The readiness check logs an outage.
        if (!(error instanceof DatabaseUnavailableError)) throw error;
      }
      await pause(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };

  let done = Promise.resolve();
  if (requiresSecondFactor === undefined) {
    done = logColumn().catch((error: unknown) =>
      logger.error({ error: describeError(error) }, 'could not read whether second factors are required'),
    );
  } else log(requiresSecondFactor, 'REQUIRE_SECOND_FACTOR');
  return {
    close() {
      closing.abort();
      return done;
    },
  };
}
