import { leadMarks, leadWork, type BulkOutcome, type LeadChangeOutcome } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import {
  leadBulkChangeForm,
  leadChangeForm,
  noStatusMessage,
  undoAloneMessage,
  unknownOwnerMessage,
} from '@dune-tide/domain/forms/lead-change';
import { requiredFollowUps } from '@dune-tide/domain/leads';
import { bulkChange } from '@dune-tide/domain/limits';
import { bulkChangeResponse, leadResponse } from '@dune-tide/domain/responses/lead';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { staffOf } from '../auth/session.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import {
  contentOf,
  idempotencyConflict,
  idempotencyKey,
  idempotencyKeyOf,
  idOfKey,
  idOfRequest,
} from '../http/requests/idempotency.ts';
import { expectedVersions, ifMatch, versionHeader } from '../http/requests/if-match.ts';
import { changeBody } from '../http/requests/json-body.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { sendLead } from './list-routes.ts';

/** Declares the calls with which staff work on leads (docs/PRODUCT.md, "Work on leads"). */
export function leadWorkRoutes({
  database,
  wakeUps,
  staffEmail,
}: Pick<Services, 'database' | 'wakeUps' | 'staffEmail'>): Route[] {
  const work = leadWork(database, brand.mailDomain);
  const followUpsOf = (lead: Parameters<typeof requiredFollowUps>[0]) => requiredFollowUps(lead, staffEmail);
  return [
    route(staffCalls.changeLead, {
      summary: 'Changes the status or the owner of a lead, or whether it is answered',
      description:
        'A field that is left out is not changed. With `seenStatus`, `seenOwnerId` or `seenAnswered`, the change gets 412 if the lead has another value; If-Match is not compared then.',
      headers: ifMatch,
      body: changeBody(leadChangeForm),
      responses: { 200: { description: 'The lead after the change.', schema: leadResponse, headers: versionHeader } },
      problems: [404, 412],
      async handle(ctx, { params: { id }, body }) {
        const { seenStatus, seenOwnerId, seenAnswered, ...changes } = body;
        const seen = { status: seenStatus, ownerId: seenOwnerId, answered: seenAnswered };
        const hasSeen = Object.values(seen).some((value) => value !== undefined);
        const view = { seen: hasSeen ? seen : undefined, versions: expectedVersions(ctx) };
        const { lead } = done(await work.change(id, changes, staffOf(ctx), view));
        sendLead(ctx, lead);
      },
    }),
    route(staffCalls.changeLeads, {
      summary: 'Changes several leads, whatever their versions',
      description:
        'A retry with the same Idempotency-Key changes nothing and returns the same numbers. "undoes" stands alone with "ids": the leads get the status and the owner that they had before.',
      headers: idempotencyKey,
      body: changeBody(leadBulkChangeForm),
      responses: { 200: { description: 'What became of the leads.', schema: bulkChangeResponse } },
      async handle(ctx, { body: { ids, undoes, ...changes }, sentBody }) {
        if (undoes !== undefined && Object.values(changes).some((value) => value !== undefined)) {
          throw validationFailed([{ field: 'undoes', message: undoAloneMessage }]);
        }
        const hasKey = idempotencyKeyOf(ctx) !== null;
        const request = { id: idOfRequest(ctx), content: hasKey ? contentOf(sentBody) : undefined };
        const change = (some: readonly string[]): Promise<BulkOutcome> =>
          undoes === undefined
            ? work.changeTogether(some, changes, staffOf(ctx), followUpsOf, request)
            : work.undoTogether(some, idOfKey(undoes), staffOf(ctx), request);
        const wanted = [...new Set(ids)];
        const totals = { changed: 0, unchanged: 0, missing: 0 };
        for (let from = 0; from < wanted.length; from += bulkChange.leadsPerTransaction) {
          const some = wanted.slice(from, from + bulkChange.leadsPerTransaction);
          const result = allDone(await change(some));
          totals.changed += result.changed.length;
          totals.unchanged += result.unchanged.length;
          totals.missing += result.missing.length;
          wakeUps.add(result.followUps);
        }
        ctx.body = totals satisfies Presented<typeof bulkChangeResponse>;
      },
    }),
    route(staffCalls.removeLeadMark, {
      summary: 'Removes the mark of a lead for the signed-in account, which has opened it',
      responses: { 204: { description: 'The lead is not marked.' } },
      async handle(ctx, { params: { id } }) {
        await leadMarks(database).remove(staffOf(ctx).id, id);
        // Koa sends 204 for an empty body.
        ctx.body = null;
      },
    }),
    route(staffCalls.markLeadAsSpam, {
      summary: 'Marks a lead as spam, cancels its waiting emails and stops its clock',
      responses: { 204: { description: 'The lead is held as spam. One that was held before has not changed.' } },
      problems: [404],
      async handle(ctx, { params: { id } }) {
        const mark = await work.markAsSpam(id, staffOf(ctx));
        if (mark === 'unknown') throw new Problem(404);
        // Koa sends 204 for an empty body.
        ctx.body = null;
      },
    }),
    route(staffCalls.releaseLead, {
      summary: 'Marks a lead as not spam, sends its emails and starts its clock',
      responses: { 204: { description: 'The lead is not held. One without a sign of spam has not changed.' } },
      problems: [404],
      async handle(ctx, { params: { id } }) {
        const release = await work.release(id, followUpsOf, staffOf(ctx));
        if (release.outcome === 'unknown') throw new Problem(404);
        if (release.outcome === 'released') wakeUps.add(release.followUps);
        ctx.body = null;
      },
    }),
  ];
}

/** @throws {Problem} 404, 412 or 422 if the lead was not changed */
function done(change: LeadChangeOutcome): Extract<LeadChangeOutcome, { readonly outcome: 'done' }> {
  switch (change.outcome) {
    case 'done':
      return change;
    case 'unknown':
      throw new Problem(404);
    case 'changed':
      throw new Problem(412, { detail: 'The lead was changed in the meantime.' });
    case 'no_status':
      throw validationFailed([{ field: 'status', message: noStatusMessage }]);
    case 'no_such_owner':
      throw unknownOwner();
  }
}

/** @throws {Problem} 422 if the owner is not an active account, or another change has the same key */
function allDone(change: BulkOutcome): Extract<BulkOutcome, { readonly outcome: 'done' }> {
  switch (change.outcome) {
    case 'done':
      return change;
    case 'no_such_owner':
      throw unknownOwner();
    case 'id_used':
      throw idempotencyConflict();
  }
}

function unknownOwner(): Problem {
  return validationFailed([{ field: 'ownerId', message: unknownOwnerMessage }]);
}
