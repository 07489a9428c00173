import type { replyStore, ReplyEntry } from '@dune-tide/db/follow-ups';
import { replyForm } from '@dune-tide/domain/forms/reply';
import type { ReplyMode } from '@dune-tide/domain/replies';
import { formReader } from '@dune-tide/platform/form-reader';
import type { Logger } from '@dune-tide/platform/log';
import { auditLead } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';
import type { Router } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { idempotencyConflict, idOfRequest } from '../http/requests/idempotency.ts';
import { expectedVersions } from '../http/requests/if-match.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import { resourceId } from '../http/requests/resource-id.ts';

export interface ReplyRoutesDependencies {
  readonly replies: ReturnType<typeof replyStore>;
  readonly mode: ReplyMode;
  readonly logger: Logger;
}

/**
 * Registers the calls that send a reply to a lead and undo it (docs/PRODUCT.md, "Replies"). The reply waits before it
 * is sent, so no job is added; the sweep finds it when it is due.
 * @param router - the staff router, which requires a session
 */
export function leadReplyRoutes(router: Router, { replies, mode, logger }: ReplyRoutesDependencies): void {
  const readReply = formReader(replyForm);

  router.post('/leads/:id/replies', jsonBody(), async (ctx) => {
    const { subject, text, replaces } = readReply(ctx.state.body);
    const leadId = resourceId(ctx);
    if (mode === 'simulated') throw new Problem(409, { detail: 'Replies are simulated: STAFF_REPLIES is not mail.' });
    const id = idOfRequest(ctx);
    const addition = await replies.add(
      { id, leadId, subject, text, replaces, versions: expectedVersions(ctx) },
      staffOf(ctx),
    );
    switch (addition.outcome) {
      case 'unknown':
        throw new Problem(404);
      case 'held':
        throw new Problem(409, { detail: 'The lead is held as spam. Release it first.' });
      case 'other_version':
        throw new Problem(412, { detail: 'The lead was changed in the meantime.' });
      case 'not_failed':
        throw new Problem(409, { detail: 'The reply to replace has not failed, or was sent again in the meantime.' });
      case 'id_used':
        throw idempotencyConflict();
      case 'stored':
        if (addition.isNew) auditLead(logger, ctx, 'reply_written', leadId);
        ctx.status = 201;
        ctx.body = addition.reply satisfies ReplyEntry;
    }
  });

  // Works in both modes, because a reply can wait when the setting is changed.
  router.post('/leads/:id/replies/:replyId/undo', async (ctx) => {
    const leadId = resourceId(ctx);
    const undo = await replies.undo(leadId, resourceId(ctx, 'replyId'), staffOf(ctx));
    if (undo.outcome === 'unknown') throw new Problem(404);
    if (undo.outcome === 'refused') throw new Problem(409, { detail: `The reply is ${undo.state} now.` });
    if (undo.isNew) auditLead(logger, ctx, 'reply_undone', leadId);
    ctx.body = undo.reply satisfies ReplyEntry;
  });
}
