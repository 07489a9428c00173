import { DatabaseUnavailableError } from '@dune-tide/db/unavailable';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { Middleware } from './context.ts';
import { answerProblem, awayForNow, Problem } from './problem.ts';

/**
 * Turns every error into a problem that gives nothing away, and logs those that are ours. A 5xx that we chose ourselves,
 * e.g. at too many sign-ins at once, is a warning without a stack.
 */
export function errorAnswers(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = toProblem(error);
      if (problem.status >= 500) {
        const { requestId } = ctx.state;
        if (error instanceof Problem) logger.warn({ requestId, status: problem.status }, 'request refused');
        else logger.error({ requestId, error: describeError(error) }, 'request failed');
      }
      answerProblem(ctx, problem);
    }
  };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailableError) return awayForNow('Please try again in a moment.');
  return new Problem(500);
}
