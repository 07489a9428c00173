import { auditEntryResponse } from '@dune-tide/domain/responses/audit-entry';
import { array, uuid } from '@dune-tide/domain/responses/schema';
import { staffPrefix } from '../auth/paths.ts';
import type { Operation } from '../http/operation.ts';
import { countedPageHeaders, pageParameters } from '../http/requests/pagination.ts';

/** The pattern of an action's name. */
export const actionPattern = '^[a-z_]{1,50}$';

export const auditLogOperations: readonly Operation[] = [
  {
    method: 'get',
    path: `${staffPrefix}/audit-log`,
    summary: 'Lists the audit log, newest first',
    parameters: [
      { in: 'query', name: 'person', description: 'Only actions by this account, or on it.', schema: uuid },
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
