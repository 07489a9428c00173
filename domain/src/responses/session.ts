import { replyModes } from '../replies.ts';
import { nullable, object, oneOf, string, uuid, type ResponseSchema } from './schema.ts';

/** What an account must do before anything else. */
export const sessionNeeds = ['new_password'] as const;

/** The account that is signed in. */
export const sessionResponse = {
  title: 'session',
  description: 'The account that is signed in',
  ...object({
    id: uuid,
    username: string,
    name: string,
    needs: { ...nullable(oneOf(sessionNeeds)), description: 'What the account must do before anything else' },
    replies: { ...oneOf(replyModes), description: 'Whether replies to leads are sent' },
  }),
} as const satisfies ResponseSchema;
