import { object, string, type ResponseSchema } from './schema.ts';

/** The signed time at which a visitor first touched a form. */
export const formTokenResponse = {
  title: 'form-token',
  description: 'A token for the header Form-Token',
  ...object({ token: string }),
} as const satisfies ResponseSchema;
