import { DatabaseUnavailableError } from '@dune-tide/db/unavailable';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { Middleware } from './context.ts';
import { answerProblem, awayForNow, Problem } from './problem.ts';

/** Turns every error into a problem that gives nothing away, and logs the ones that are ours: a refusal by design without where. */
export function errorAnswers(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = toProblem(error);
      if (error instanceof Problem && problem.status >= 500) {
        logger.warn({ requestId: ctx.state.requestId, status: problem.status }, 'request refused');
      } else if (problem.status >= 500) {
        logger.error({ requestId: ctx.state.requestId, error: describeError(error) }, 'request failed');
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
