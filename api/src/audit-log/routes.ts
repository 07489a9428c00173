import { auditEntries, type AuditFilter } from '@dune-tide/db/audit-log';
import { maxCountedMatches } from '@dune-tide/domain/limits';
import { isUuid } from '@dune-tide/domain/uuid';
import type { Knex } from 'knex';
import type { Context, Router } from '../http/context.ts';
import { invalidParameter } from '../http/errors/problem.ts';
import { readPage } from '../http/requests/pagination.ts';
import { actionPattern } from './operations.ts';

const wellFormedAction = new RegExp(actionPattern);

/**
 * Registers the call that lists the audit log (docs/PRODUCT.md, "Audit log").
 * @param router - the staff router, which requires a session
 */
export function auditLogRoutes(router: Router, { database }: { readonly database: Knex }): void {
  const entries = auditEntries(database);
  router.get('/audit-log', async (ctx) => {
    const filter = readFilter(ctx);
    const { personId, action } = filter;
    ctx.body = await readPage(ctx, {
      list: 'audit-log',
      query: new URLSearchParams({
        ...(personId !== undefined && { person: personId }),
        ...(action !== undefined && { action }),
      }).toString(),
      total: () => entries.total(filter),
      maxTotal: maxCountedMatches,
      page: (limit, after) => entries.page(filter, limit, after?.id),
    });
  });
}

function readFilter({ query: { person, action } }: Context): AuditFilter {
  if (person !== undefined && (typeof person !== 'string' || !isUuid(person))) {
    throw invalidParameter('person', 'person must be the id of an account');
  }
  if (action !== undefined && (typeof action !== 'string' || !wellFormedAction.test(action))) {
    throw invalidParameter('action', 'action must be the name of an action');
  }
  return { personId: person, action };
}
