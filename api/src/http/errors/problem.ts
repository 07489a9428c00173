import { STATUS_CODES } from 'node:http';
import type { FieldError, problemResponse } from '@dune-tide/domain/responses/problem';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Context } from '../context.ts';

/** What is said besides the status. `detail` is our own text, never the visitor's input. */
export interface ProblemOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that is answered as application/problem+json (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(status: number, options: ProblemOptions = {}) {
    super(STATUS_CODES[status] ?? 'Error');
    this.status = status;
    this.options = options;
  }
}

/** 503, and when to try again. */
export function serviceUnavailable(detail: string): Problem {
  return new Problem(503, { detail, headers: { 'Retry-After': '5' } });
}

/** 422 with the rules that a form broke. */
export function validationFailed(errors: readonly FieldError[]): Problem {
  return new Problem(422, { detail: 'Some fields need another look.', errors });
}

/** 422 for a parameter of the query. @param message - names it as well */
export function invalidParameter(field: string, message: string): Problem {
  return new Problem(422, { detail: `${message}.`, errors: [{ field, message }] });
}

export const problemType = 'application/problem+json';

/** Writes a problem as the answer. */
export function answerProblem(ctx: Context, problem: Problem): void {
  ctx.status = problem.status;
  ctx.set({ ...problem.options.headers });
  ctx.body = problemText(problem);
  ctx.type = problemType;
}

/** The body of the answer. */
export function problemText({ status, message, options }: Problem): string {
  const body = {
    type: 'about:blank',
    title: message,
    status,
    ...(options.detail === undefined ? {} : { detail: options.detail }),
    ...(options.errors === undefined ? {} : { errors: options.errors }),
  } satisfies Presented<typeof problemResponse>;
  return JSON.stringify(body);
}
