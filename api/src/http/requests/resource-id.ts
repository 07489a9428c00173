import { isUuid } from '@dune-tide/domain/uuid';
import type { Context, Middleware } from '../context.ts';
import { Problem } from '../errors/problem.ts';

/**
 * The `:id` of a route, in the letters that the database gives ids in.
 * @throws {Problem} 404 on what can be no id
 */
export function resourceId(ctx: Context): string {
  const { id } = ctx['params'] as { readonly id?: string };
  if (id === undefined || !isUuid(id)) throw new Problem(404);
  return id.toLowerCase();
}

/** Returns 404 for an id that is not well formed, before the body is read. */
export function validId(): Middleware {
  return async (ctx, next) => {
    resourceId(ctx);
    await next();
  };
}
