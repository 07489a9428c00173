import type { Router } from '../http/context.ts';
import { openApiDocument } from './document.ts';

/**
 * Registers the call for the API's description. It is public, since it contains no data of visitors or staff.
 * @param sessionCookie - the name of the session cookie
 */
export function openApiRoutes(router: Router, { sessionCookie }: { readonly sessionCookie: string }): void {
  let text: string | undefined;
  router.get('/api/openapi.json', (ctx) => {
    text ??= JSON.stringify(openApiDocument(sessionCookie));
    ctx.type = 'application/json';
    ctx.body = text;
  });
}
