import { auditEntryResponse } from '@dune-tide/domain/responses/audit-entry';
import { array, uuid } from '@dune-tide/domain/responses/schema';
import { staffPrefix } from '../auth/paths.ts';
import type { Operation } from '../http/operation.ts';
import { countedPageHeaders, pageParameters } from '../http/requests/pagination.ts';

/** The form of the name of an action. */
export const actionPattern = '^[a-z_]{1,50}$';

export const auditLogOperations: readonly Operation[] = [
  {
    method: 'get',
    path: `${staffPrefix}/audit-log`,
    summary: 'Lists the audit log, newest first',
    parameters: [
      { in: 'query', name: 'person', description: 'Only what this account did or what was done to it.', schema: uuid },
      {
        in: 'query',
        name: 'action',
        description: 'Only this action.',
        schema: { type: 'string', pattern: actionPattern },
      },
      ...pageParameters,
    ],
    answers: {
      200: { description: 'A page of entries.', schema: array(auditEntryResponse), headers: countedPageHeaders },
    },
    problems: [422],
  },
];
