import { replyModes } from '../replies.ts';
import { staffRoles } from '../staff-roles.ts';
import { array, boolean, nullable, object, oneOf, string, uuid, wholeNumber, type ResponseSchema } from './schema.ts';

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
    role: { ...oneOf(staffRoles), description: 'Whether the account may make the calls of owners' },
    hasEmail: { ...boolean, description: 'Whether the account has a confirmed address' },
    needs: { ...nullable(oneOf(sessionNeeds)), description: 'What the account must do before anything else' },
    replies: { ...oneOf(replyModes), description: 'Whether replies to leads are sent' },
    timeZone: { ...string, description: 'The time zone of the days by which leads are found, as in the IANA database' },
  }),
} as const satisfies ResponseSchema;

/** The kinds of second factors: a passkey, and an authenticator app, whose codes are entered. */
export const secondFactorKinds = ['passkey', 'code'] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** The response to the right password of an account with a second factor, which completes the sign-in. */
export const pendingSignInResponse = {
  title: 'pending-sign-in',
  description: 'A sign-in that waits for the second factor',
  ...object({
    secondFactors: {
      ...array(oneOf(secondFactorKinds)),
      description: 'What the account has: passkeys, and an app for codes. A recovery code is accepted in any case.',
    },
  }),
} as const satisfies ResponseSchema;

/** How a browser finds a passkey (`PublicKeyCredentialDescriptorJSON`). */
export const passkeyDescriptor = object({ type: oneOf(['public-key']), id: string, transports: array(string) });

/** The options with which a browser asks for a passkey of the account (`PublicKeyCredentialRequestOptionsJSON`). */
export const passkeyRequestResponse = {
  title: 'passkey-request',
  description: 'What a browser needs to ask for a passkey',
  ...object({
    challenge: string,
    rpId: string,
    timeout: { ...wholeNumber, description: 'In milliseconds' },
    userVerification: oneOf(['preferred']),
    allowCredentials: array(passkeyDescriptor),
  }),
} as const satisfies ResponseSchema;
