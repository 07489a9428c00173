import type { BulkOutcome, LeadChangeOutcome, leadWork } from '@dune-tide/db/leads';
import {
  leadBulkChangeForm,
  leadChangeForm,
  noStatusMessage,
  undoAloneMessage,
  unknownOwnerMessage,
} from '@dune-tide/domain/forms/lead-change';
import { requiredFollowUps } from '@dune-tide/domain/leads';
import { bulkChange } from '@dune-tide/domain/limits';
import type { bulkChangeResponse } from '@dune-tide/domain/responses/lead';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { formReader } from '@dune-tide/platform/form-reader';
import type { Logger } from '@dune-tide/platform/log';
import { auditLead, auditLeads } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';
import type { Router } from '../http/context.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { refuseBlanks } from '../http/requests/blank-fields.ts';
import {
  contentOf,
  idempotencyConflict,
  idempotencyKeyOf,
  idOfKey,
  idOfRequest,
} from '../http/requests/idempotency.ts';
import { expectedVersions } from '../http/requests/if-match.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import { answerLead } from './list-routes.ts';
import type { WakeUps } from './wake-up.ts';

export interface LeadWorkRoutesDependencies {
  readonly work: ReturnType<typeof leadWork>;
  readonly wakeUps: WakeUps;
  readonly staffEmail: string | undefined;
  readonly logger: Logger;
}

/**
 * Registers the calls with which staff work on leads (docs/PRODUCT.md, "Work on leads").
 * @param router - the staff router, which requires a session
 */
export function leadWorkRoutes(router: Router, dependencies: LeadWorkRoutesDependencies): void {
  const { work, wakeUps, staffEmail, logger } = dependencies;
  const owedBy = (lead: Parameters<typeof requiredFollowUps>[0]) => requiredFollowUps(lead, staffEmail);
  const readChange = formReader(leadChangeForm);
  const readBulkChange = formReader(leadBulkChangeForm);

  router.patch('/leads/:id', jsonBody(), async (ctx) => {
    const changes = readChange(ctx.state.body);
    refuseBlanks(leadChangeForm, ctx.state.body, changes);
    const id = resourceId(ctx);
    const { lead, isChanged } = done(await work.change(id, changes, staffOf(ctx), expectedVersions(ctx)));
    if (isChanged) auditLead(logger, ctx, 'lead_changed', id);
    answerLead(ctx, lead);
  });

  router.post('/leads/bulk', jsonBody(), async (ctx) => {
    const { ids, undoes, ...changes } = readBulkChange(ctx.state.body);
    refuseBlanks(leadBulkChangeForm, ctx.state.body, { ids, undoes, ...changes });
    if (undoes !== undefined && Object.values(changes).some((value) => value !== undefined)) {
      throw validationFailed([{ field: 'undoes', message: undoAloneMessage }]);
    }
    const hasKey = idempotencyKeyOf(ctx) !== null;
    const request = { id: idOfRequest(ctx), content: hasKey ? contentOf(ctx.state.body) : undefined };
    const change = (some: readonly string[]): Promise<BulkOutcome> =>
      undoes === undefined
        ? work.changeTogether(some, changes, staffOf(ctx), owedBy, request)
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
      if (result.changed.length > 0 && !result.isRepeated) auditLeads(logger, ctx, result.changed);
    }
    ctx.body = totals satisfies Presented<typeof bulkChangeResponse>;
  });

  router.post('/leads/:id/spam', async (ctx) => {
    const id = resourceId(ctx);
    const mark = await work.markAsSpam(id, staffOf(ctx));
    if (mark === 'unknown') throw new Problem(404);
    if (mark === 'marked') auditLead(logger, ctx, 'lead_marked_as_spam', id);
    // Koa sends 204 for an empty body.
    ctx.body = null;
  });

  router.post('/leads/:id/release', async (ctx) => {
    const id = resourceId(ctx);
    const release = await work.release(id, owedBy, staffOf(ctx));
    if (release.outcome === 'unknown') throw new Problem(404);
    if (release.outcome === 'released') {
      auditLead(logger, ctx, 'lead_released', id);
      wakeUps.add(release.followUps);
    }
    ctx.body = null;
  });
}

/** @throws {Problem} 404, 412 or 422 if the lead was not changed */
function done(change: LeadChangeOutcome): Extract<LeadChangeOutcome, { readonly outcome: 'done' }> {
  switch (change.outcome) {
    case 'done':
      return change;
    case 'unknown':
      throw new Problem(404);
    case 'other_version':
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
