import { isUuid } from '@dune-tide/domain/uuid';
import type { Context, Router } from '../context.ts';
import { Problem } from '../errors/problem.ts';

/** Registers a check that responds with 404 to a malformed `:id` before the body is read. */
export function requireValidIds(router: Router): void {
  router.param('id', (id, _ctx, next) => {
    if (!isUuid(id)) throw new Problem(404);
    return next();
  });
}

/** Returns the `:id` of a route on a router with `requireValidIds`, in lower case, as the database returns ids. */
export function resourceId(ctx: Context): string {
  const { id } = ctx['params'] as { readonly id: string };
  return id.toLowerCase();
}
