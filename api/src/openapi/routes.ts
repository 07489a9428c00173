import type { Router } from '../http/context.ts';
import { openApiDocument } from './document.ts';

/**
 * The API describes itself, to anyone: its description holds nobody's data.
 * @param sessionCookie - its name
 */
export function openApiRoutes(router: Router, { sessionCookie }: { readonly sessionCookie: string }): void {
  let text: string | undefined;
  router.get('/api/openapi.json', (ctx) => {
    text ??= JSON.stringify(openApiDocument(sessionCookie));
    ctx.type = 'application/json';
    ctx.body = text;
  });
}
