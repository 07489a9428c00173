import { announcementResponse } from '@dune-tide/domain/responses/dashboard';
import { string } from '@dune-tide/domain/responses/schema';
import { staffPrefix } from '../auth/paths.ts';
import type { Operation } from '../http/operation.ts';

export const announcementOperations: readonly Operation[] = [
  {
    method: 'get',
    path: `${staffPrefix}/events`,
    summary: 'Announces new leads by server-sent events',
    description: 'Sends an event at the start and after each change. The stream ends with the session.',
    answers: {
      200: {
        description: 'Server-sent events. The data of each is described by the schema.',
        mediaType: 'text/event-stream',
        schema: announcementResponse,
        headers: { 'X-Accel-Buffering': { description: 'Keeps proxies from buffering.', schema: string } },
      },
    },
  },
];
