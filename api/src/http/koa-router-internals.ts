import type { Router } from './context.ts';

/*
 * The undocumented parts of @koa/router that the API uses. `test/koa-router-internals.test.ts` fails if a release
 * changes one of them.
 */

/** @returns the pattern of the first route that matches a path with any method; undefined if no route matches */
export function findRoutePattern(routers: readonly Router[], path: string): string | undefined {
  const [route] = routers.flatMap((router) => router.match(path, '').path);
  return route === undefined ? undefined : String(route.path);
}
