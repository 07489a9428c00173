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

/** The pattern of a route and its methods. */
export interface RegisteredRoute {
  readonly path: string;
  readonly methods: readonly string[];
}

/** @returns the routes of a Koa middleware; an empty array unless the middleware is a router */
export function routesOf(middleware: object): RegisteredRoute[] {
  const { router } = middleware as { readonly router?: Router };
  return (router?.stack ?? []).map(({ path, methods }) => ({ path: String(path), methods }));
}
