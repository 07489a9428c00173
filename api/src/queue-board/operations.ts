import { string } from '@dune-tide/domain/responses/schema';
import type { Operation } from '../http/operation.ts';
import { boardPath } from './routes.ts';

export const queueBoardOperations: readonly Operation[] = [
  {
    method: 'get',
    path: boardPath,
    summary: 'Shows the board of the queue',
    answers: { 200: { description: 'Its page.', mediaType: 'text/html', schema: string } },
  },
  {
    method: 'get',
    path: `${boardPath}/{rest}`,
    summary: 'Gives what the page of the board loads',
    description:
      'The scripts, styles, pictures and data of the board, as its library has them. `rest` may hold slashes.',
    answers: { 200: { description: 'The file or the data.', mediaType: '*/*', schema: {} } },
    problems: [400, 404],
  },
];
