import { object, string, uuid, type ResponseSchema } from './schema.ts';

/** The account that is signed in. */
export const sessionResponse = {
  title: 'session',
  description: 'The account that is signed in',
  ...object({ id: uuid, username: string, name: string }),
} as const satisfies ResponseSchema;
