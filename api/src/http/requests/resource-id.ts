import { isUuid } from '@dune-tide/domain/uuid';
import type { Context, Router } from '../context.ts';
import { Problem } from '../errors/problem.ts';

/** The parameters of paths that are ids. */
export const idParameters = ['id', 'noteId', 'replyId'] as const;
type IdParameter = (typeof idParameters)[number];

/** Registers a check that responds with 404 to a malformed id in the path before the body is read. */
export function requireValidIds(router: Router): void {
  for (const name of idParameters) {
    router.param(name, (id, _ctx, next) => {
      if (!isUuid(id)) throw new Problem(404);
      return next();
    });
  }
}

/** Returns an id of a route on a router with `requireValidIds`, in lower case, as the database returns ids. */
export function resourceId(ctx: Context, name: IdParameter = 'id'): string {
  const ids = ctx['params'] as Readonly<Record<IdParameter, string>>;
  return ids[name].toLowerCase();
}
