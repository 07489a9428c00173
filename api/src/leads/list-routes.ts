import { leadLists, leadSearch, type StoredLead } from '@dune-tide/db/leads';
import type { LeadKind } from '@dune-tide/domain/leads';
import { maxCountedMatches } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import type { Context, Middleware, Router } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import { readPage } from '../http/requests/pagination.ts';
import { readLeadQuery } from './lead-query.ts';
import { presentLead, presentLeadItem } from './present.ts';

/** The paths of the staff's lists (docs/PRODUCT.md, "Calls"). */
export const leadListPaths: readonly { readonly path: string; readonly kind: LeadKind }[] = [
  { path: '/contacts', kind: 'contact' },
  { path: '/service-inquiries', kind: 'service_inquiry' },
  { path: '/careers', kind: 'career_application' },
];

export interface LeadListRoutesDependencies {
  readonly database: Knex;
  /** The time zone of the days that staff filter by. */
  readonly timeZone: string;
}

/**
 * Registers the calls with which staff read leads.
 * @param router - the staff router, which requires a session
 */
export function leadListRoutes(router: Router, { database, timeZone }: LeadListRoutesDependencies): void {
  const leads = leadLists(database);
  const found = leadSearch(database);
  for (const { path, kind } of leadListPaths) router.get(path, listLeads(kind, leads));
  router.get('/leads/:id', async (ctx) => {
    const lead = await leads.one(resourceId(ctx));
    if (!lead) throw new Problem(404);
    answerLead(ctx, lead);
  });
  router.get('/leads', async (ctx) => {
    const { query, search } = readLeadQuery(ctx, timeZone);
    const page = await readPage(ctx, {
      list: `leads ${JSON.stringify(query)}`,
      query: search,
      total: () => found.count(query),
      maxTotal: maxCountedMatches,
      page: (limit, after) => found.page(query, limit, after),
      place: (lead) => found.placeOf(query, lead),
    });
    ctx.body = page.map(presentLead);
  });
}

/** Sends a lead with its version. */
export function answerLead(ctx: Context, lead: StoredLead): void {
  ctx.etag = String(lead.version);
  ctx.body = presentLead(lead);
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
