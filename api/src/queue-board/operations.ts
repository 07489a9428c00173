import { string } from '@dune-tide/domain/responses/schema';
import type { Operation } from '../http/operation.ts';
import { boardPath } from './routes.ts';

export const queueBoardOperations: readonly Operation[] = [
  {
    method: 'get',
    path: boardPath,
    summary: 'Returns the page of the queue board',
    answers: { 200: { description: 'The page.', mediaType: 'text/html', schema: string } },
  },
  {
    method: 'get',
    path: `${boardPath}/{rest}`,
    summary: 'Returns the files and data that the queue board loads',
    description:
      'The scripts, styles, images and data of the board, in the format of its library. `rest` may contain slashes.',
    answers: { 200: { description: 'The file or the data.', mediaType: '*/*', schema: {} } },
    problems: [400, 404],
  },
];
