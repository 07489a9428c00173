import type { leadHistory, NoteChange, Note } from '@dune-tide/db/leads';
import { noteForm } from '@dune-tide/domain/forms/lead-change';
import { formReader } from '@dune-tide/platform/form-reader';
import type { Logger } from '@dune-tide/platform/log';
import { auditLead } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';
import type { Context, Router } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { idempotencyConflict, idOfRequest } from '../http/requests/idempotency.ts';
import { expectedVersions } from '../http/requests/if-match.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import { readPage } from '../http/requests/pagination.ts';
import { resourceId } from '../http/requests/resource-id.ts';

export interface HistoryRoutesDependencies {
  readonly history: ReturnType<typeof leadHistory>;
  readonly logger: Logger;
}

/**
 * Registers the calls for the history of a lead and for its notes (docs/PRODUCT.md, "History").
 * @param router - the staff router, which requires a session
 */
export function leadHistoryRoutes(router: Router, { history, logger }: HistoryRoutesDependencies): void {
  const readNote = formReader(noteForm);

  router.get('/leads/:id/history', async (ctx) => {
    const id = resourceId(ctx);
    const total = await history.total(id);
    if (total === undefined) throw new Problem(404);
    const page = await readPage(ctx, {
      list: `history ${id}`,
      total: async () => total,
      page: (limit, after) => history.page(id, limit, after),
    });
    ctx.body = page.map(({ entry }) => entry);
  });

  router.post('/leads/:id/notes', jsonBody(), async (ctx) => {
    const { text } = readNote(ctx.state.body);
    const leadId = resourceId(ctx);
    const addition = await history.addNote(idOfRequest(ctx), leadId, text, staffOf(ctx));
    if (addition.outcome === 'unknown') throw new Problem(404);
    if (addition.outcome === 'id_used') throw idempotencyConflict();
    auditLead(logger, ctx, 'note_added', leadId);
    ctx.status = 201;
    answerNote(ctx, addition.note);
  });

  router.patch('/leads/:id/notes/:noteId', jsonBody(), async (ctx) => {
    const { text } = readNote(ctx.state.body);
    answerNote(ctx, await changed(ctx, text));
    auditLead(logger, ctx, 'note_edited', resourceId(ctx));
  });

  router.delete('/leads/:id/notes/:noteId', async (ctx) => {
    await changed(ctx, null);
    auditLead(logger, ctx, 'note_deleted', resourceId(ctx));
    // Koa sends 204 for an empty body.
    ctx.body = null;
  });

  /** @throws {Problem} 403, 404 or 412 if the note was not changed */
  async function changed(ctx: Context, text: string | null): Promise<Note> {
    const [leadId, noteId] = [resourceId(ctx), resourceId(ctx, 'noteId')];
    return done(await history.changeNote(leadId, noteId, text, staffOf(ctx), expectedVersions(ctx)));
  }
}

function answerNote(ctx: Context, note: Note): void {
  ctx.etag = String(note.version);
  ctx.body = note;
}

function done(change: NoteChange): Note {
  switch (change.outcome) {
    case 'done':
      return change.note;
    case 'unknown':
      throw new Problem(404);
    case 'not_author':
      throw new Problem(403, { detail: 'Only its author can change a note.' });
    case 'other_version':
      throw new Problem(412, { detail: 'The note was changed in the meantime.' });
  }
}
