import { DatabaseUnavailableError } from '@dune-tide/db/connection';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { levelDuring, type Outage } from '@dune-tide/platform/outage';
import { FormError, UnstorableTextError } from '@dune-tide/platform/form-reader';
import type { Middleware } from '../context.ts';
import { PasswordQueueFullError } from '@dune-tide/platform/accounts/password';
import { respondWithProblem, serviceUnavailable, validationFailed, Problem } from './problem.ts';

/**
 * Turns every error into a problem that reveals no internals. Logs server errors. A deliberate 5xx, e.g. for too many
 * concurrent sign-ins, is logged as a warning without a stack trace.
 * @param databaseOutage - the state of the database, whose outage is logged once and not for each request
 */
export function errorResponses(logger: Logger, databaseOutage?: Outage): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status >= 500) {
        const { requestId } = ctx.state;
        if (isRefusal(error)) logger.warn({ requestId, status: problem.status }, 'request refused');
        else {
          const level = error instanceof DatabaseUnavailableError ? levelDuring(databaseOutage, 'error') : 'error';
          logger[level]({ requestId, error: describeError(error) }, 'request failed');
        }
      }
      respondWithProblem(ctx, problem);
    }
  };
}

const isRefusal = (error: unknown): boolean => error instanceof Problem || error instanceof PasswordQueueFullError;

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof FormError) return validationFailed(error.errors);
  if (error instanceof UnstorableTextError) return new Problem(400, { detail: error.message });
  if (error instanceof DatabaseUnavailableError) return serviceUnavailable('Please try again in a moment.');
  if (error instanceof PasswordQueueFullError) return serviceUnavailable(error.message);
  return new Problem(500);
}
