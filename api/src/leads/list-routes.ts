import { leadLists } from '@dune-tide/db/lead-lists';
import type { LeadKind } from '@dune-tide/domain/leads';
import type { Knex } from 'knex';
import type { Middleware, Router } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import { readPage } from '../http/requests/pagination.ts';
import { presentLead, presentLeadItem } from './present.ts';

/** The paths of the staff's lists (docs/PRODUCT.md, "Calls"). */
export const leadListPaths: readonly { readonly path: string; readonly kind: LeadKind }[] = [
  { path: '/contacts', kind: 'contact' },
  { path: '/service-inquiries', kind: 'service_inquiry' },
  { path: '/careers', kind: 'career_application' },
];

/**
 * Registers the calls with which staff read leads.
 * @param router - the staff router, which requires a session
 */
export function leadListRoutes(router: Router, { database }: { readonly database: Knex }): void {
  const leads = leadLists(database);
  for (const { path, kind } of leadListPaths) router.get(path, listLeads(kind, leads));
  router.get('/leads/:id', async (ctx) => {
    const lead = await leads.one(resourceId(ctx));
    if (!lead) throw new Problem(404);
    ctx.body = presentLead(lead);
  });
}

function listLeads(kind: LeadKind, leads: ReturnType<typeof leadLists>): Middleware {
  return async (ctx) => {
    const page = await readPage(ctx, {
      list: kind,
      total: () => leads.total(kind),
      page: (limit, after) => leads.page(kind, limit, after),
    });
    ctx.body = page.map(presentLeadItem);
  };
}
