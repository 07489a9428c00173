import { leadEmailChoices } from '../lead-emails.ts';
import { passkeyDescriptor } from './session.ts';
import {
  array,
  boolean,
  dateTime,
  nullable,
  object,
  oneOf,
  string,
  uuid,
  wholeNumber,
  type ResponseSchema,
} from './schema.ts';

/** A passkey of the signed-in account. */
export const ownPasskey = object({ id: uuid, name: string, createdAt: dateTime, lastUsedAt: nullable(dateTime) });

/** The signed-in account as its owner sees it (docs/PRODUCT.md, "Account page"). */
export const ownAccountResponse = {
  title: 'own-account',
  description: 'The signed-in account',
  ...object({
    id: uuid,
    username: string,
    name: string,
    email: { ...nullable(string), description: 'For reminders and notices; null if the account has none' },
    pendingEmail: { ...nullable(string), description: 'An address that waits for its confirmation' },
    leadEmails: { ...oneOf(leadEmailChoices), description: 'When it gets emails about assigned leads and mentions' },
    hasTotp: { ...boolean, description: 'Whether a code of an authenticator app completes a sign-in' },
    passkeys: { ...array(ownPasskey), description: 'The oldest first' },
    recoveryCodesLeft: wholeNumber,
  }),
} as const satisfies ResponseSchema;

/** A session of the signed-in account. */
export const ownSessionResponse = {
  title: 'own-session',
  description: 'A session of the signed-in account',
  ...object({
    id: uuid,
    device: { ...nullable(string), description: 'Browser and system; null if they are unknown' },
    address: { ...nullable(string), description: 'Address or /64 network of the sign-in; null if it is unknown' },
    lastUsedAt: { ...dateTime, description: 'To the minute' },
    isCurrent: { ...boolean, description: 'Whether it is the session of this call' },
  }),
} as const satisfies ResponseSchema;

/** The secret of an authenticator app that is being set up. */
export const totpSetupResponse = {
  title: 'totp-setup',
  description: 'The secret of an authenticator app',
  ...object({
    secret: { ...string, description: 'In Base32' },
    uri: { ...string, description: 'The secret as apps read it from a QR code' },
  }),
} as const satisfies ResponseSchema;

/** New recovery codes, which are not returned again. */
export const recoveryCodesResponse = {
  title: 'recovery-codes',
  description: 'New recovery codes',
  ...object({ codes: { ...array(string), description: 'None if the account had a second factor before' } }),
} as const satisfies ResponseSchema;

/** The options with which a browser creates a passkey (`PublicKeyCredentialCreationOptionsJSON`). */
export const passkeyCreationResponse = {
  title: 'passkey-creation',
  description: 'What a browser needs to create a passkey',
  ...object({
    challenge: string,
    rp: object({ id: string, name: string }),
    user: object({ id: string, name: string, displayName: string }),
    pubKeyCredParams: array(object({ type: oneOf(['public-key']), alg: { type: 'integer' } })),
    timeout: { ...wholeNumber, description: 'In milliseconds' },
    attestation: oneOf(['none']),
    authenticatorSelection: object({ residentKey: oneOf(['preferred']), userVerification: oneOf(['preferred']) }),
    excludeCredentials: { ...array(passkeyDescriptor), description: 'The passkeys that the account has' },
  }),
} as const satisfies ResponseSchema;
