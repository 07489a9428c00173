import type { Router } from './context.ts';

/*
 * Everything that the product uses of @koa/router without its README documenting it. `test/koa-router-internals.test.ts`
 * fails when the router changes any of it.
 */

/** @returns the pattern of the first route that a path fits, whatever the method; undefined when there is none */
export function findRoutePattern(routers: readonly Router[], path: string): string | undefined {
  const [route] = routers.flatMap((router) => router.match(path, '').path);
  return route === undefined ? undefined : String(route.path);
}

/** The pattern of a route, with the methods that it was registered for. */
export interface RegisteredRoute {
  readonly path: string;
  readonly methods: readonly string[];
}

/** @returns the routes behind a middleware of Koa; none unless it is a router's */
export function routesOf(middleware: object): RegisteredRoute[] {
  const { router } = middleware as { readonly router?: Router };
  return (router?.stack ?? []).map(({ path, methods }) => ({ path: String(path), methods }));
}
