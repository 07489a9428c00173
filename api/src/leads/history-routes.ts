import { leadHistory, type NoteChange, type Note } from '@dune-tide/db/leads';
import { noteForm } from '@dune-tide/domain/forms/lead-change';
import { historyEntryResponse, noteResponse } from '@dune-tide/domain/responses/history';
import { array } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { staffOf } from '../auth/session.ts';
import type { Context } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { idempotencyConflict, idempotencyKey, idOfRequest } from '../http/requests/idempotency.ts';
import { expectedVersions, ifMatch, versionHeader } from '../http/requests/if-match.ts';
import { formBody } from '../http/requests/json-body.ts';
import { pageHeaders, pageQuery, readPage } from '../http/requests/pagination.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

/** Declares the calls for the history of a lead and for its notes (docs/PRODUCT.md, "History"). */
export function leadHistoryRoutes({ database }: Pick<Services, 'database'>): Route[] {
  const history = leadHistory(database);
  return [
    route(staffCalls.leadHistory, {
      summary: 'Lists the history of a lead, oldest first',
      query: pageQuery,
      responses: {
        200: { description: 'A page of entries.', schema: array(historyEntryResponse), headers: pageHeaders },
      },
      problems: [404, 422],
      async handle(ctx, { params: { id }, query }) {
        const total = await history.total(id);
        if (total === undefined) throw new Problem(404);
        const page = await readPage(ctx, query, {
          list: `history ${id}`,
          total: async () => total,
          page: (limit, after) => history.page(id, limit, after),
        });
        ctx.body = page.map(({ entry }) => entry);
      },
    }),
    route(staffCalls.addNote, {
      summary: 'Adds a note to a lead',
      headers: idempotencyKey,
      body: formBody(noteForm),
      responses: { 201: { description: 'The note.', schema: noteResponse, headers: versionHeader } },
      problems: [404],
      async handle(ctx, { params: { id: leadId }, body: { text } }) {
        const addition = await history.addNote(idOfRequest(ctx), leadId, text, staffOf(ctx));
        if (addition.outcome === 'unknown') throw new Problem(404);
        if (addition.outcome === 'id_used') throw idempotencyConflict();
        ctx.status = 201;
        sendNote(ctx, addition.note);
      },
    }),
    route(staffCalls.editNote, {
      summary: 'Edits a note; only its author can do this',
      headers: ifMatch,
      body: formBody(noteForm),
      responses: { 200: { description: 'The note after the change.', schema: noteResponse, headers: versionHeader } },
      problems: [404, 412],
      async handle(ctx, { params: { id, noteId }, body: { text } }) {
        sendNote(ctx, done(await history.changeNote(id, noteId, text, staffOf(ctx), expectedVersions(ctx))));
      },
    }),
    route(staffCalls.deleteNote, {
      summary: 'Deletes a note; only its author can do this',
      headers: ifMatch,
      responses: { 204: { description: 'The note is deleted.' } },
      problems: [404, 412],
      async handle(ctx, { params: { id, noteId } }) {
        done(await history.changeNote(id, noteId, null, staffOf(ctx), expectedVersions(ctx)));
        // Koa sends 204 for an empty body.
        ctx.body = null;
      },
    }),
  ];
}

function sendNote(ctx: Context, note: Note): void {
  ctx.etag = String(note.version);
  ctx.body = note;
}

/** @throws {Problem} 403, 404 or 412 if the note was not changed */
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
