import type { ReplyEntry } from '@dune-tide/db/follow-ups';
import { replyForm } from '@dune-tide/domain/forms/reply';
import { replyDelaySeconds } from '@dune-tide/domain/limits';
import { replyResponse } from '@dune-tide/domain/responses/history';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { staffOf } from '../auth/session.ts';
import { emailLimitReached } from '../follow-ups/email-limit-reached.ts';
import { Problem } from '../http/errors/problem.ts';
import { idempotencyConflict, idempotencyKey, idOfRequest } from '../http/requests/idempotency.ts';
import { expectedVersions, ifMatch } from '../http/requests/if-match.ts';
import { formBody } from '../http/requests/json-body.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

/**
 * Declares the calls that send a reply to a lead and undo it (docs/PRODUCT.md, "Replies"). The reply waits before it is
 * sent, so no job is added; the sweep finds it when it is due.
 */
export function leadReplyRoutes({ replies, replyMode }: Pick<Services, 'replies' | 'replyMode'>): Route[] {
  return [
    route(staffCalls.reply, {
      summary: `Writes a reply to a lead, which is emailed after ${replyDelaySeconds} seconds`,
      description:
        'With `seenActivity`, the reply gets 412 if another member has changed the lead since, or written a note or a reply; If-Match is not compared then. With `STAFF_REPLIES=simulated`, every call gets 409.',
      headers: { ...idempotencyKey, ...ifMatch },
      body: formBody(replyForm),
      responses: { 201: { description: 'The reply.', schema: replyResponse } },
      problems: [404, 409, 412, 429],
      async handle(ctx, { params: { id: leadId }, body }) {
        if (replyMode === 'simulated') {
          throw new Problem(409, { detail: 'Replies are simulated: STAFF_REPLIES is not mail.' });
        }
        const id = idOfRequest(ctx);
        const addition = await replies.add({ id, leadId, ...body, versions: expectedVersions(ctx) }, staffOf(ctx));
        switch (addition.outcome) {
          case 'unknown':
            throw new Problem(404);
          case 'held':
            throw new Problem(409, { detail: 'The lead is held as spam. Release it first.' });
          case 'changed':
            throw new Problem(412, { detail: 'The lead was changed in the meantime.' });
          case 'not_failed':
            throw new Problem(409, {
              detail: 'The reply to replace has not failed, or was sent again in the meantime.',
            });
          case 'limited':
            throw emailLimitReached(addition.reached);
          case 'id_used':
            throw idempotencyConflict();
          case 'stored':
            ctx.status = 201;
            ctx.body = addition.reply satisfies ReplyEntry;
        }
      },
    }),
    // Works in both modes, because a reply can wait when the setting is changed.
    route(staffCalls.undoReply, {
      summary: 'Undoes a reply that no worker has started to send',
      description: 'It is never sent after that. A second call returns the reply again.',
      responses: { 200: { description: 'The reply.', schema: replyResponse } },
      problems: [404, 409],
      async handle(ctx, { params: { id: leadId, replyId } }) {
        const undo = await replies.undo(leadId, replyId, staffOf(ctx));
        if (undo.outcome === 'unknown') throw new Problem(404);
        if (undo.outcome === 'refused') throw new Problem(409, { detail: `The reply is ${undo.state} now.` });
        ctx.body = undo.reply satisfies ReplyEntry;
      },
    }),
  ];
}
