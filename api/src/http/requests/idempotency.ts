import { createHash, randomUUID } from 'node:crypto';
import { idempotencyKeyPattern } from '@dune-tide/domain/limits';
import type { Context } from '../context.ts';
import { Problem } from '../errors/problem.ts';

export const idempotencyKeyHeader = 'Idempotency-Key';

/** The header that identifies a request. */
export const idempotencyKey = {
  [idempotencyKeyHeader]: {
    description: 'Identifies a request. Retries with the same key are stored once.',
    schema: { type: 'string', pattern: idempotencyKeyPattern },
  },
} as const;

const wellFormed = new RegExp(idempotencyKeyPattern);

/**
 * Returns the Idempotency-Key of a request.
 * @returns null without the header
 * @throws {Problem} 400 if the key is malformed
 */
export function idempotencyKeyOf(ctx: Context): string | null {
  const key = ctx.get(idempotencyKeyHeader);
  if (key === '') return null;
  if (wellFormed.test(key)) return key;
  throw new Problem(400, { detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.' });
}

/** Returns the 422 for a key that was already used with another body. */
export function idempotencyConflict(): Problem {
  return new Problem(422, { detail: 'This Idempotency-Key was already used for another request.' });
}

/**
 * Returns the id for the row that a request stores. The same key gives the same id, so that a retry finds the row.
 * @throws {Problem} 400 if the key is malformed
 */
export function idOfRequest(ctx: Context): string {
  const key = idempotencyKeyOf(ctx);
  return key === null ? randomUUID() : idOfKey(key);
}

/** Returns a short hash that distinguishes the bodies of requests with the same key. */
export function contentOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
}

/** Derives a UUID of version 8 from a key. */
export function idOfKey(key: string): string {
  const bytes = createHash('sha256').update(key).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
