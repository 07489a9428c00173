import type { Context } from '../context.ts';
import { isUuid } from '@dune-tide/domain/uuid';

/**
 * The pattern of the route that answered.
 * @returns undefined when none did
 */
export function matchedRoute(ctx: Context): string | undefined {
  const { routerPath } = ctx;
  return typeof routerPath === 'string' ? routerPath : undefined;
}

/**
 * What the log may hold of a path: ids beside the pattern's own words. In any other place of it a visitor may have typed
 * anything; then it is the pattern.
 * @param pattern - that the path matches, e.g. `/admin/leads/:id`
 */
export function loggedPath(pattern: string, path: string): string {
  if (!pattern.includes(':')) return pattern;
  const segments = path.split('/');
  const holdsIdsAlone = pattern
    .split('/')
    .every((segment, index) => !segment.startsWith(':') || isUuid(segments[index] ?? ''));
  return holdsIdsAlone ? path : pattern;
}
