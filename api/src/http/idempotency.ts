import { idempotencyKeyPattern } from '@dune-tide/domain/limits';
import type { Context } from 'koa';
import type { Parameter } from '../openapi/operation.ts';
import { Problem } from './problem.ts';

export const idempotencyKey: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description: 'The same for each try of one request: however often it comes, it is taken in once.',
  schema: { type: 'string', pattern: idempotencyKeyPattern },
};

const wellFormed = new RegExp(idempotencyKeyPattern);

/**
 * The Idempotency-Key of a request.
 * @returns null without the header
 * @throws {Problem} 400 on a key of the wrong form
 */
export function idempotencyKeyOf(ctx: Context): string | null {
  const key = ctx.get('Idempotency-Key');
  if (key === '') return null;
  if (wellFormed.test(key)) return key;
  throw new Problem(400, { detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.' });
}
