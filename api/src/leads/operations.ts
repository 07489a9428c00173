import { replyForm } from '@dune-tide/domain/forms/reply';
import { replyDelaySeconds } from '@dune-tide/domain/limits';
import { formTokenResponse } from '@dune-tide/domain/responses/form-token';
import { leadBulkChangeForm, leadChangeForm, noteForm } from '@dune-tide/domain/forms/lead-change';
import { historyEntryResponse, noteResponse, replyResponse } from '@dune-tide/domain/responses/history';
import { bulkChangeResponse, leadItems, leadResponse, storedLeadResponse } from '@dune-tide/domain/responses/lead';
import { array, string } from '@dune-tide/domain/responses/schema';
import { formTokenHeader } from '@dune-tide/domain/spam';
import { idempotencyKey } from '../http/requests/idempotency.ts';
import type { Operation } from '../http/operation.ts';
import { staffPrefix } from '../auth/paths.ts';
import { leadForms } from './lead-forms.ts';
import { ifMatch, versionHeader } from '../http/requests/if-match.ts';
import { countedPageHeaders, pageHeaders, pageParameters } from '../http/requests/pagination.ts';
import { leadQueryParameters } from './lead-query.ts';
import { leadListPaths } from './list-routes.ts';

const formToken = {
  in: 'header',
  name: formTokenHeader,
  description: 'The token that was issued when the form was first touched.',
  schema: string,
} as const;

export const leadOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/form-token',
    summary: 'Issues a token that records when a form was first touched',
    answers: { 200: { description: 'The token.', schema: formTokenResponse } },
  },
  ...leadForms.map(({ path, schemas }): Operation => ({
    method: 'post',
    path,
    summary: `Stores a lead: ${schemas.map(({ description }) => description).join('; ')}`,
    parameters: [idempotencyKey, formToken],
    body: schemas,
    answers: {
      201: {
        description: 'The lead and its follow-ups are stored. The id is that of the lead.',
        schema: storedLeadResponse,
      },
    },
    problems: [429, 503],
  })),
  ...leadListPaths.map(({ path, kind }): Operation => ({
    method: 'get',
    path: staffPrefix + path,
    summary: `Lists the leads of the kind ${kind}, newest first`,
    parameters: pageParameters,
    answers: {
      200: {
        description: 'A page of leads.',
        schema: array(leadItems[kind]),
        headers: pageHeaders,
      },
    },
    problems: [422],
  })),
  {
    method: 'get',
    path: `${staffPrefix}/leads/{id}`,
    summary: 'Returns a lead of any kind',
    answers: { 200: { description: 'The lead.', schema: leadResponse, headers: versionHeader } },
    problems: [404],
  },
  {
    method: 'get',
    path: `${staffPrefix}/leads`,
    summary: 'Finds leads of all kinds but portfolio requests',
    description:
      'A lead is found by its words two seconds after it was stored. A parameter that is left out selects all.',
    parameters: [...leadQueryParameters, ...pageParameters],
    answers: { 200: { description: 'A page of leads.', schema: array(leadResponse), headers: countedPageHeaders } },
    problems: [422],
  },
  {
    method: 'get',
    path: `${staffPrefix}/leads.csv`,
    summary: 'Exports leads of all kinds but portfolio requests as CSV',
    description: 'RFC 4180, in UTF-8 with a byte order mark. The first line names the columns.',
    parameters: leadQueryParameters,
    answers: {
      200: {
        description: 'The file. If the export fails, the connection is closed before its end.',
        mediaType: 'text/csv',
        schema: string,
        headers: { 'Content-Disposition': { description: 'The name of the file.', schema: string } },
      },
    },
    problems: [422, 503],
  },
  {
    method: 'patch',
    path: `${staffPrefix}/leads/{id}`,
    summary: 'Changes the status or the owner of a lead, or whether it is answered',
    description: 'A field that is left out is not changed.',
    parameters: [ifMatch],
    body: [leadChangeForm],
    answers: { 200: { description: 'The lead after the change.', schema: leadResponse, headers: versionHeader } },
    problems: [404, 412],
  },
  {
    method: 'post',
    path: `${staffPrefix}/leads/bulk`,
    summary: 'Changes several leads, whatever their versions',
    description:
      'A retry with the same Idempotency-Key changes nothing and returns the same numbers. "undoes" stands alone with "ids": the leads get the status and the owner that they had before.',
    parameters: [idempotencyKey],
    body: [leadBulkChangeForm],
    answers: { 200: { description: 'What became of the leads.', schema: bulkChangeResponse } },
  },
  {
    method: 'get',
    path: `${staffPrefix}/leads/{id}/history`,
    summary: 'Lists the history of a lead, oldest first',
    parameters: pageParameters,
    answers: {
      200: { description: 'A page of entries.', schema: array(historyEntryResponse), headers: pageHeaders },
    },
    problems: [404, 422],
  },
  {
    method: 'post',
    path: `${staffPrefix}/leads/{id}/notes`,
    summary: 'Adds a note to a lead',
    parameters: [idempotencyKey],
    body: [noteForm],
    answers: { 201: { description: 'The note.', schema: noteResponse, headers: versionHeader } },
    problems: [404],
  },
  {
    method: 'patch',
    path: `${staffPrefix}/leads/{id}/notes/{noteId}`,
    summary: 'Edits a note; only its author can do this',
    parameters: [ifMatch],
    body: [noteForm],
    answers: { 200: { description: 'The note after the change.', schema: noteResponse, headers: versionHeader } },
    problems: [404, 412],
  },
  {
    method: 'delete',
    path: `${staffPrefix}/leads/{id}/notes/{noteId}`,
    summary: 'Deletes a note; only its author can do this',
    parameters: [ifMatch],
    answers: { 204: { description: 'The note is deleted.' } },
    problems: [404, 412],
  },
  {
    method: 'post',
    path: `${staffPrefix}/leads/{id}/replies`,
    summary: `Writes a reply to a lead, which is emailed after ${replyDelaySeconds} seconds`,
    description: 'With `STAFF_REPLIES=simulated`, every call gets 409.',
    parameters: [idempotencyKey, ifMatch],
    body: [replyForm],
    answers: { 201: { description: 'The reply.', schema: replyResponse } },
    problems: [404, 409, 412],
  },
  {
    method: 'post',
    path: `${staffPrefix}/leads/{id}/replies/{replyId}/undo`,
    summary: 'Undoes a reply that no worker has started to send',
    description: 'It is never sent after that. A second call returns the reply again.',
    answers: { 200: { description: 'The reply.', schema: replyResponse } },
    problems: [404, 409],
  },
  {
    method: 'post',
    path: `${staffPrefix}/leads/{id}/spam`,
    summary: 'Marks a lead as spam, cancels its waiting emails and stops its clock',
    answers: { 204: { description: 'The lead is held as spam.' } },
    problems: [404],
  },
  {
    method: 'post',
    path: `${staffPrefix}/leads/{id}/release`,
    summary: 'Marks a lead as not spam, sends its emails and starts its clock',
    answers: { 204: { description: 'The lead is not marked as spam.' } },
    problems: [404],
  },
];
