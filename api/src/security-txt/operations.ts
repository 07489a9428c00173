import { string } from '@dune-tide/domain/responses/schema';
import type { Operation } from '../http/operation.ts';
import { securityTxtPath } from './routes.ts';

export const securityTxtOperations: readonly Operation[] = [
  {
    method: 'get',
    path: securityTxtPath,
    summary: 'Returns where to report a vulnerability',
    answers: { 200: { description: 'The file of RFC 9116.', mediaType: 'text/plain', schema: string } },
  },
];
