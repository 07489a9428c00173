import { replyModes } from '../replies.ts';
import { array, nullable, object, oneOf, string, uuid, type ResponseSchema } from './schema.ts';

/** The steps that an account must take before anything else. */
export const sessionNeeds = ['new_password', 'second_factor'] as const;
export type SessionNeed = (typeof sessionNeeds)[number];

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
    timeZone: { ...string, description: 'The time zone of the days by which leads are found, as in the IANA database' },
  }),
} as const satisfies ResponseSchema;

/** The response to the right password of an account with a second factor, which completes the sign-in. */
export const pendingSignInResponse = {
  title: 'pending-sign-in',
  description: 'A sign-in that waits for the second factor',
  ...object({ secondFactors: { ...array(oneOf(['code'])), description: 'The calls that complete the sign-in' } }),
} as const satisfies ResponseSchema;
