import { erasureForm } from '@dune-tide/domain/forms/erasure';
import { erasureResponse, personalDataResponse } from '@dune-tide/domain/responses/personal-data';
import { string } from '@dune-tide/domain/responses/schema';
import { staffPrefix } from '../auth/paths.ts';
import type { Operation, Parameter } from '../http/operation.ts';

const path = `${staffPrefix}/people`;

const email: Parameter = {
  in: 'query',
  name: 'email',
  description: 'The email address, in upper or lower case.',
  isRequired: true,
  schema: string,
};

export const peopleOperations: readonly Operation[] = [
  {
    method: 'get',
    path,
    summary: 'Counts what is held about an address',
    description: 'At most 5,000 leads are counted.',
    parameters: [email],
    answers: { 200: { description: 'The counts.', schema: personalDataResponse } },
    problems: [422],
  },
  {
    method: 'get',
    path: `${path}/export`,
    summary: 'Exports what is held about an address',
    parameters: [email],
    answers: {
      200: {
        description: 'A JSON file. If the export fails, the connection is closed before the end of the file.',
        schema: { type: 'object' },
        headers: { 'Content-Disposition': { description: 'The name of the file.', schema: string } },
      },
    },
    problems: [422],
  },
  {
    method: 'post',
    path: `${path}/erase`,
    summary: 'Erases what is held about an address',
    description: 'Waiting emails are not sent. An email that is being sent can still arrive.',
    body: [erasureForm],
    answers: { 200: { description: 'What was erased.', schema: erasureResponse } },
  },
];
