import { leadLists, type StoredLead } from '@dune-tide/db/lead-lists';
import type { LeadKind } from '@dune-tide/domain/leads';
import { emailPattern } from '@dune-tide/domain/forms/fields';
import { maxCountedMatches, maxLength } from '@dune-tide/domain/limits';
import type { Knex } from 'knex';
import type { Context, Middleware, Router } from '../http/context.ts';
import { invalidParameter, Problem } from '../http/errors/problem.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import { readPage } from '../http/requests/pagination.ts';
import { presentLead, presentLeadItem } from './present.ts';

const wellFormed = new RegExp(emailPattern, 'u');

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
    answerLead(ctx, lead);
  });
  router.get('/leads', async (ctx) => {
    const email = emailOf(ctx);
    const page = await readPage(ctx, {
      list: `leads of ${email.toLowerCase()}`,
      query: new URLSearchParams({ email }).toString(),
      total: () => leads.countOfAddress(email, maxCountedMatches + 1),
      maxTotal: maxCountedMatches,
      page: (limit, after) => leads.ofAddress(email, limit, after),
    });
    ctx.body = page.map(presentLead);
  });
}

/** Sends a lead with its version. */
export function answerLead(ctx: Context, lead: StoredLead): void {
  ctx.etag = String(lead.version);
  ctx.body = presentLead(lead);
}

/** @throws {Problem} 422 without an address, or with one that no lead can have */
function emailOf(ctx: Context): string {
  const { email } = ctx.query;
  if (typeof email === 'string' && email.length <= maxLength.email && wellFormed.test(email)) return email;
  throw invalidParameter('email', 'email must be an email address');
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
