import { announcementResponse } from '@dune-tide/domain/responses/dashboard';
import { string } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { actorOf } from '../auth/session.ts';
import { serviceUnavailable } from '../http/errors/problem.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

/** Declares the call that announces new leads to open staff pages. */
export function announcementRoutes({ announcements }: Pick<Services, 'announcements'>): Route[] {
  return [
    route(staffCalls.announcements, {
      summary: 'Announces new leads by server-sent events',
      description: 'Sends an event at the start and after each change. The stream ends with the session.',
      responses: {
        200: {
          description: 'Server-sent events. The data of each is described by the schema.',
          mediaType: 'text/event-stream',
          schema: announcementResponse,
          headers: { 'X-Accel-Buffering': { description: 'Keeps proxies from buffering.', schema: string } },
        },
      },
      handle(ctx) {
        ctx.type = 'text/event-stream';
        // Otherwise nginx would buffer the events.
        ctx.set('X-Accel-Buffering', 'no');
        ctx.status = 200;
        if (ctx.method === 'HEAD') return;
        const stream = announcements.open(actorOf(ctx));
        if (!stream) throw serviceUnavailable('Too many pages are open.');
        ctx.body = stream;
      },
    }),
  ];
}
