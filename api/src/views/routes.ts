import { audited } from '@dune-tide/db/audit-log';
import { leadViews, type ViewAddition } from '@dune-tide/db/leads';
import { leadViewForm, leadViewOrderForm, viewNameTakenMessage } from '@dune-tide/domain/forms/lead-view';
import { maxLeadViews } from '@dune-tide/domain/limits';
import { leadViewResponse } from '@dune-tide/domain/responses/lead-view';
import { array, type Presented } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { entryOf } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { idempotencyConflict, idempotencyKey, idOfRequest } from '../http/requests/idempotency.ts';
import { formBody } from '../http/requests/json-body.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

/** Declares the calls for the views that accounts save (docs/PRODUCT.md, "Saved views"). */
export function viewRoutes({ database }: Pick<Services, 'database'>): Route[] {
  const views = leadViews(database);
  return [
    route(staffCalls.views, {
      summary: 'Lists the saved views of the account in its order',
      responses: { 200: { description: 'Every view.', schema: array(leadViewResponse) } },
      async handle(ctx) {
        ctx.body = await views.list(staffOf(ctx).id);
      },
    }),
    route(staffCalls.addView, {
      summary: 'Saves a view of the leads page',
      headers: idempotencyKey,
      body: formBody(leadViewForm),
      responses: { 201: { description: 'The view.', schema: leadViewResponse } },
      problems: [409],
      async handle(ctx, { body: view }) {
        const id = idOfRequest(ctx);
        const addition = await audited(
          database,
          (transaction) => leadViews(transaction).add(staffOf(ctx).id, { id, ...view }),
          (added) => added.outcome === 'saved' && added.isNew && entryOf(ctx, staffCalls.addView, { subjectId: id }),
        );
        ctx.body = saved(addition);
        ctx.status = 201;
      },
    }),
    route(staffCalls.orderViews, {
      summary: 'Changes the order of the saved views',
      description: 'Views that are not listed come after the others.',
      body: formBody(leadViewOrderForm),
      responses: { 200: { description: 'Every view, in the new order.', schema: array(leadViewResponse) } },
      async handle(ctx, { body: { ids } }) {
        ctx.body = await audited(
          database,
          (transaction) => leadViews(transaction).order(staffOf(ctx).id, ids),
          () => entryOf(ctx, staffCalls.orderViews),
        );
      },
    }),
    route(staffCalls.deleteView, {
      summary: 'Deletes a saved view',
      responses: { 204: { description: 'The view is deleted.' } },
      problems: [404],
      async handle(ctx, { params: { id } }) {
        const isRemoved = await audited(
          database,
          (transaction) => leadViews(transaction).remove(staffOf(ctx).id, id),
          (removed) => removed && entryOf(ctx, staffCalls.deleteView, { subjectId: id }),
        );
        if (!isRemoved) throw new Problem(404);
        // Koa sends 204 for an empty body.
        ctx.body = null;
      },
    }),
  ];
}

/** @throws {Problem} 409 or 422 if the view was not saved */
function saved(addition: ViewAddition): Presented<typeof leadViewResponse> {
  switch (addition.outcome) {
    case 'saved':
      return addition.view;
    case 'id_used':
      throw idempotencyConflict();
    case 'name_taken':
      throw validationFailed([{ field: 'name', message: viewNameTakenMessage }]);
    case 'full':
      throw new Problem(409, { detail: `You have ${maxLeadViews} saved views. Delete one of them first.` });
  }
}
