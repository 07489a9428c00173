import { object, string } from '@dune-tide/domain/responses/schema';
import { sessionCookieName } from '../auth/session.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { openApiDocument } from './document.ts';

const part = { type: 'object' } as const;

/**
 * Declares the call for the API's description. It is public, since it contains no data of visitors or staff.
 * @param others - all other routes
 */
export function openApiRoutes(others: readonly Route[], { publicUrl }: Pick<Services, 'publicUrl'>): Route[] {
  let text: string | undefined;
  const own = route(
    { method: 'GET', path: '/api/openapi.json', access: 'anyone' },
    {
      summary: 'Returns this description',
      responses: {
        200: {
          description: 'An OpenAPI document.',
          schema: object({ openapi: string, info: part, paths: part, components: part }),
        },
      },
      handle(ctx) {
        text ??= JSON.stringify(openApiDocument([...others, own], sessionCookieName(publicUrl)));
        ctx.type = 'application/json';
        ctx.body = text;
      },
    },
  );
  return [own];
}
