import type { Context } from '../context.ts';

/**
 * Limits the requests of a call.
 * @param next - handles the request. Its parameter is what the handler must count itself.
 * @throws {Problem} 429 without calling `next`
 */
export type RequestLimit<Value = undefined> = (ctx: Context, next: (value: Value) => Promise<void>) => Promise<void>;
