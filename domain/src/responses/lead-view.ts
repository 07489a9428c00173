import { object, string, uuid, type ResponseSchema } from './schema.ts';

/** A saved view of the leads page. */
export const leadViewResponse = {
  title: 'lead-view',
  description: 'A saved view of the leads page',
  ...object({
    id: uuid,
    name: string,
    search: { ...string, description: 'The query string of the page' },
  }),
} as const satisfies ResponseSchema;
