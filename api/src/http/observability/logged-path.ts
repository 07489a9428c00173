import type { Context } from '../context.ts';
import { isUuid } from '@dune-tide/domain/uuid';

/**
 * Returns the pattern of the route that handled the request.
 * @returns undefined if no route matched
 */
export function matchedRoute(ctx: Context): string | undefined {
  const { routerPath } = ctx;
  return typeof routerPath === 'string' ? routerPath : undefined;
}

/**
 * Returns the path if its parameters are ids, otherwise the pattern: any other parameter may hold a visitor's input,
 * which must not be logged.
 * @param pattern - the pattern that the path matches, e.g. `/admin/leads/:id`
 */
export function loggedPath(pattern: string, path: string): string {
  if (!pattern.includes(':')) return pattern;
  const segments = path.split('/');
  const holdsIdsAlone = pattern
    .split('/')
    .every((segment, index) => !segment.startsWith(':') || isUuid(segments[index] ?? ''));
  return holdsIdsAlone ? path : pattern;
}
