import { uuidForm } from '@dune-tide/domain/uuid';
import type { Context, Middleware } from './context.ts';
import { Problem } from './problem.ts';

const uuid = new RegExp(`^${uuidForm}$`, 'i');

/** Whether a text has the form of an id. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/**
 * The `:id` of a route, in the letters that the database gives ids in.
 * @throws {Problem} 404 on what can be no id
 */
export function resourceId(ctx: Context): string {
  const { id } = ctx['params'] as { readonly id?: string };
  if (id === undefined || !isUuid(id)) throw new Problem(404);
  return id.toLowerCase();
}

/** Answers 404 to an id that cannot exist, before the body is read. */
export function knownId(): Middleware {
  return async (ctx, next) => {
    resourceId(ctx);
    await next();
  };
}
