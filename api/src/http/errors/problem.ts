import { STATUS_CODES } from 'node:http';
import {
  problemTypes,
  type FieldError,
  type ProblemType,
  type problemResponse,
} from '@dune-tide/domain/responses/problem';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Context } from '../context.ts';

/** The members of a problem besides its status. `detail` never contains the visitor's input. */
export interface ProblemOptions {
  /** Only for problems that a client handles in a special way. */
  readonly type?: ProblemType;
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is sent as application/problem+json (RFC 9457). */
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

/** Returns a 503 with Retry-After. */
export function serviceUnavailable(detail: string): Problem {
  return new Problem(503, { detail, headers: { 'Retry-After': '5' } });
}

/**
 * Returns the 429 of a limit that the database counts.
 * @param detail - names the limit
 */
export function limitReached(detail: string, retryAfterSeconds: number): Problem {
  return new Problem(429, {
    type: 'limit_reached',
    detail,
    headers: { 'Retry-After': String(Math.max(1, retryAfterSeconds)) },
  });
}

/** Returns a 422 with the errors of a form. */
export function validationFailed(errors: readonly FieldError[]): Problem {
  return new Problem(422, { detail: 'Please check the highlighted fields.', errors });
}

/**
 * Returns a 422 for a query parameter.
 * @param message - names the parameter; without a full stop
 */
export function invalidParameter(field: string, message: string): Problem {
  return new Problem(422, { detail: `${message}.`, errors: [{ field, message }] });
}

export const problemType = 'application/problem+json';

/** Sends a problem as the response. */
export function respondWithProblem(ctx: Context, problem: Problem): void {
  ctx.status = problem.status;
  ctx.set({ ...problem.options.headers });
  ctx.body = problemText(problem);
  ctx.type = problemType;
}

/** Returns the response body of a problem. */
export function problemText({ status, message, options }: Problem): string {
  const body = {
    type: options.type === undefined ? ('about:blank' as const) : problemTypes[options.type],
    title: message,
    status,
    ...(options.detail === undefined ? {} : { detail: options.detail }),
    ...(options.errors === undefined ? {} : { errors: options.errors }),
  } satisfies Presented<typeof problemResponse>;
  return JSON.stringify(body);
}
