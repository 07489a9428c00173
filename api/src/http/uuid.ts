import type { RouterMiddleware } from '@koa/router';
import { Problem } from './problem.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Lets a path through whose `:id` is a UUID. Another id cannot exist, and the database would refuse to look for it.
 * @throws {Problem} 404
 */
export const uuidInPath: RouterMiddleware = (ctx, next) => {
  if (!uuid.test(ctx.params['id'] ?? '')) throw new Problem(404);
  return next();
};
