import { STATUS_CODES } from 'node:http';
import type { FieldError } from '@dune-tide/domain/forms/validation';
import type { Context } from 'koa';

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

/** Writes a problem as the answer. */
export function answerProblem(ctx: Context, { status, message, options }: Problem): void {
  ctx.status = status;
  ctx.set({ ...options.headers });
  ctx.body = JSON.stringify({
    type: 'about:blank',
    title: message,
    status,
    ...(options.detail === undefined ? {} : { detail: options.detail }),
    ...(options.errors === undefined ? {} : { errors: options.errors }),
  });
  ctx.type = 'application/problem+json';
}
