import { auditEntries } from '@dune-tide/db/audit-log';
import { maxCountedMatches } from '@dune-tide/domain/limits';
import { auditEntryResponse } from '@dune-tide/domain/responses/audit-entry';
import { array, uuid } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { countedPageHeaders, pageQuery, readPage } from '../http/requests/pagination.ts';
import type { Query } from '../http/requests/query.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

const filters = {
  person: {
    description: 'Only actions by this account, or on it.',
    schema: uuid,
    message: 'must be the id of an account',
  },
  action: {
    description: 'Only this action.',
    schema: { type: 'string', pattern: '^[a-z_]{1,50}$' },
    message: 'must be the name of an action',
  },
} as const satisfies Query;

/** Declares the call that lists the audit log (docs/PRODUCT.md, "Audit log"). */
export function auditLogRoutes({ database }: Pick<Services, 'database'>): Route[] {
  const entries = auditEntries(database);
  return [
    route(staffCalls.auditLog, {
      summary: 'Lists the audit log, newest first',
      query: { ...filters, ...pageQuery },
      responses: {
        200: { description: 'A page of entries.', schema: array(auditEntryResponse), headers: countedPageHeaders },
      },
      problems: [422],
      async handle(ctx, { query }) {
        const filter = { personId: query.person, action: query.action };
        ctx.body = await readPage(ctx, query, {
          list: 'audit-log',
          total: () => entries.total(filter),
          maxTotal: maxCountedMatches,
          page: (limit, after) => entries.page(filter, limit, after?.id),
        });
      },
    }),
  ];
}
