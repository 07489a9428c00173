import { createHash, randomUUID } from 'node:crypto';
import { idempotencyKeyPattern } from '@dune-tide/domain/limits';
import type { Context } from '../context.ts';
import type { Parameter } from '../operation.ts';
import { Problem } from '../errors/problem.ts';

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

/** The answer to a key that came before with another body. */
export function idempotencyConflict(): Problem {
  return new Problem(422, { detail: 'This Idempotency-Key was used for another request.' });
}

/**
 * An id for what a request stores: the same for the same key, so that a request that comes again finds it.
 * @throws {Problem} 400 on a key of the wrong form
 */
export function idOfRequest(ctx: Context): string {
  const key = idempotencyKeyOf(ctx);
  return key === null ? randomUUID() : idOfKey(key);
}

/** UUID version 8. */
function idOfKey(key: string): string {
  const bytes = createHash('sha256').update(key).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
