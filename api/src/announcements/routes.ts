import { actorOf } from '../auth/session.ts';
import type { Router } from '../http/context.ts';
import { serviceUnavailable } from '../http/errors/problem.ts';
import type { Announcements } from './announcements.ts';

/**
 * Registers the call that announces new leads to open staff pages.
 * @param router - the staff router, which requires a session
 */
export function announcementRoutes(router: Router, announcements: Announcements): void {
  router.get('/events', (ctx) => {
    ctx.type = 'text/event-stream';
    // Otherwise nginx would buffer the events.
    ctx.set('X-Accel-Buffering', 'no');
    ctx.status = 200;
    if (ctx.method === 'HEAD') return;
    const stream = announcements.open(actorOf(ctx).sessionId);
    if (!stream) throw serviceUnavailable('Too many pages are open.');
    ctx.body = stream;
  });
}
