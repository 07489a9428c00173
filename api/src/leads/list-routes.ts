import { leadLists, leadSearch, type StoredLead } from '@dune-tide/db/leads';
import { maxCountedMatches } from '@dune-tide/domain/limits';
import { leadItems, leadResponse } from '@dune-tide/domain/responses/lead';
import { array } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { staffOf } from '../auth/session.ts';
import type { Context } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { versionHeader } from '../http/requests/if-match.ts';
import { countedPageHeaders, pageHeaders, pageQuery, readPage } from '../http/requests/pagination.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { leadQuery, leadQueryOf } from './lead-query.ts';
import { presentLead, presentLeadItem } from './present.ts';

/** The lists of one kind (docs/PRODUCT.md, "Lists"). */
const listsOfKinds = [
  [staffCalls.contacts, 'contact'],
  [staffCalls.serviceInquiries, 'service_inquiry'],
  [staffCalls.careerApplications, 'career_application'],
] as const;

/** Declares the calls with which staff read leads. */
export function leadListRoutes({ database }: Pick<Services, 'database'>): Route[] {
  const leads = leadLists(database);
  const found = leadSearch(database);
  return [
    ...listsOfKinds.map(([call, kind]) =>
      route(call, {
        summary: `Lists the leads of the kind ${kind}, newest first`,
        query: pageQuery,
        responses: { 200: { description: 'A page of leads.', schema: array(leadItems[kind]), headers: pageHeaders } },
        problems: [422],
        async handle(ctx, { query }) {
          const page = await readPage(ctx, query, {
            list: kind,
            total: () => leads.total(kind),
            page: (limit, after) => leads.page(kind, limit, after),
          });
          ctx.body = page.map(presentLeadItem);
        },
      }),
    ),
    route(staffCalls.lead, {
      summary: 'Returns a lead of any kind',
      responses: { 200: { description: 'The lead.', schema: leadResponse, headers: versionHeader } },
      problems: [404],
      async handle(ctx, { params: { id } }) {
        const lead = await leads.one(id);
        if (!lead) throw new Problem(404);
        sendLead(ctx, lead);
      },
    }),
    route(staffCalls.leads, {
      summary: 'Finds leads of all kinds but portfolio requests',
      description:
        'A lead is found by its words two seconds after it was stored. A parameter that is left out selects all.',
      query: { ...leadQuery, ...pageQuery },
      responses: { 200: { description: 'A page of leads.', schema: array(leadResponse), headers: countedPageHeaders } },
      problems: [422],
      async handle(ctx, { query: sent }) {
        // A cursor with "me" would belong to another query if another account sends it.
        const values = { ...sent, owner: sent.owner === 'me' ? staffOf(ctx).id : sent.owner };
        const query = leadQueryOf(values, staffOf(ctx).id);
        const page = await readPage(ctx, values, {
          list: 'leads',
          total: () => found.count(query),
          maxTotal: maxCountedMatches,
          page: (size, after) => found.page(query, size, after),
          place: (lead) => found.placeOf(query, lead),
        });
        ctx.body = page.map(presentLead);
      },
    }),
  ];
}

/** Sends a lead with its version. */
export function sendLead(ctx: Context, lead: StoredLead): void {
  ctx.etag = String(lead.version);
  ctx.body = presentLead(lead);
}
