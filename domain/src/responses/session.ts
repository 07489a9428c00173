import { replyModes } from '../replies.ts';
import { object, oneOf, string, uuid, type ResponseSchema } from './schema.ts';

/** The account that is signed in. */
export const sessionResponse = {
  title: 'session',
  description: 'The account that is signed in',
  ...object({
    id: uuid,
    username: string,
    name: string,
    replies: { ...oneOf(replyModes), description: 'Whether replies to leads are sent' },
  }),
} as const satisfies ResponseSchema;
