import { object, oneOf, string, type ResponseSchema } from './schema.ts';

const availability = oneOf(['ok', 'unavailable']);

/** The response of a process that runs. */
export const healthResponse = {
  title: 'health',
  description: 'The process runs',
  ...object({ status: { const: 'ok' } }),
} as const satisfies ResponseSchema;

/** Whether each system that the process needs responds. */
export const readinessResponse = {
  title: 'readiness',
  description: 'The availability of each system that the process needs',
  ...object(
    {
      status: { ...availability, description: 'Unavailable if any part is unavailable' },
      parts: { type: 'object', additionalProperties: availability, description: 'The parts by name' },
      detail: { ...string, description: 'What an operator must change' },
    },
    ['detail'],
  ),
} as const satisfies ResponseSchema;
