import { isUuid } from '@dune-tide/domain/uuid';
import type { Context, Middleware } from '../context.ts';
import { Problem } from '../errors/problem.ts';

/**
 * Returns the `:id` of a route in lower case, as the database returns ids.
 * @throws {Problem} 404 if it is not a UUID
 */
export function resourceId(ctx: Context): string {
  const { id } = ctx['params'] as { readonly id?: string };
  if (id === undefined || !isUuid(id)) throw new Problem(404);
  return id.toLowerCase();
}

/** Responds with 404 to a malformed id before the body is read. */
export function validId(): Middleware {
  return async (ctx, next) => {
    resourceId(ctx);
    await next();
  };
}
