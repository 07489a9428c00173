import { leadViews, type ViewAddition } from '@dune-tide/db/leads';
import { leadViewForm, leadViewOrderForm, viewNameTakenMessage } from '@dune-tide/domain/forms/lead-view';
import { maxLeadViews } from '@dune-tide/domain/limits';
import type { leadViewResponse } from '@dune-tide/domain/responses/lead-view';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { formReader } from '@dune-tide/platform/form-reader';
import type { Knex } from 'knex';
import { staffOf } from '../auth/session.ts';
import type { Router } from '../http/context.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { idempotencyConflict, idOfRequest } from '../http/requests/idempotency.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import { resourceId } from '../http/requests/resource-id.ts';

const readView = formReader(leadViewForm);
const readOrder = formReader(leadViewOrderForm);

/**
 * Registers the calls for the views that accounts save (docs/PRODUCT.md, "Saved views").
 * @param router - the staff router, which requires a session
 */
export function viewRoutes(router: Router, { database }: { readonly database: Knex }): void {
  const views = leadViews(database);

  router.get('/views', async (ctx) => {
    ctx.body = await views.list(staffOf(ctx).id);
  });

  router.post('/views', jsonBody(), async (ctx) => {
    const view = readView(ctx.state.body);
    ctx.body = saved(await views.add(staffOf(ctx).id, { id: idOfRequest(ctx), ...view }));
    ctx.status = 201;
  });

  router.patch('/views', jsonBody(), async (ctx) => {
    const { ids } = readOrder(ctx.state.body);
    ctx.body = await views.order(staffOf(ctx).id, ids);
  });

  router.delete('/views/:id', async (ctx) => {
    if (!(await views.remove(staffOf(ctx).id, resourceId(ctx)))) throw new Problem(404);
    // Koa sends 204 for an empty body.
    ctx.body = null;
  });
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
