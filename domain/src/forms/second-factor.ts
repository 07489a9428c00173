import { maxLength } from '../limits.ts';
import { line, tooLong } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';

/** A code of the authenticator app, or a recovery code (docs/PRODUCT.md, "Second factor"). */
export const codeForm = {
  $id: 'second-factor-code',
  description: 'A code of the second factor',
  type: 'object',
  properties: {
    code: { ...line('Code', { min: 1, max: maxLength.code, message: 'Code is required' }), normaliseAs: 'code' },
  },
  required: ['code'],
} as const satisfies FormSchema;

export type Code = FormValues<typeof codeForm>;

/** The message if a code is wrong or was used before. */
export const wrongCodeMessage = 'The code is wrong, or it was used before';

/** The message if the code belongs to another time within ten minutes. */
export const clockMessage =
  'This code is of another time: set the clock of your phone to automatic, then enter the next code';

const name = line('Name', { min: 1, max: maxLength.passkeyName, message: 'Please enter a name' });

/** Bytes in Base64url, as WebAuthn's JSON form has them. */
function bytes(label: string, limit: number) {
  return {
    type: 'string',
    description: label,
    minLength: 1,
    maxLength: limit,
    pattern: '^[A-Za-z0-9_-]*$',
    messages: { default: `${label} must be Base64url`, maxLength: tooLong(label, limit) },
  } as const;
}

const id = bytes('Id of the passkey', maxLength.credentialId);
const clientDataJSON = bytes('Client data', maxLength.passkeyPart);

/** The name of a passkey that a member adds (docs/PRODUCT.md, "Second factor"). */
export const passkeyNameForm = {
  $id: 'passkey-name',
  description: 'The name of a passkey',
  type: 'object',
  properties: { name },
  required: ['name'],
} as const satisfies FormSchema;

export type PasskeyName = FormValues<typeof passkeyNameForm>;

/** The body of POST /api/admin/account/passkeys: a passkey that the browser has created (`RegistrationResponseJSON`). */
export const newPasskeyForm = {
  $id: 'new-passkey',
  description: 'A passkey that the browser has created',
  type: 'object',
  properties: {
    name,
    id,
    clientDataJSON,
    attestationObject: bytes('Attestation', maxLength.passkeyPart),
    transports: {
      type: 'array',
      description: 'Transports',
      items: { type: 'string', maxLength: 20, pattern: '^[a-z-]*$' },
      maxItems: 10,
      default: [],
      messages: {
        default: 'Transports must be a list of up to 10 names',
        maxLength: tooLong('Each transport', 20),
        pattern: 'Each transport must be a name in lower case',
      },
    },
  },
  required: ['name', 'id', 'clientDataJSON', 'attestationObject', 'transports'],
} as const satisfies FormSchema;

export type NewPasskey = FormValues<typeof newPasskeyForm>;

/** The body of POST /api/admin/login/passkey: the signature of a passkey (`AuthenticationResponseJSON`). */
export const passkeySignatureForm = {
  $id: 'passkey-signature',
  description: 'The signature of a passkey',
  type: 'object',
  properties: {
    id,
    clientDataJSON,
    authenticatorData: bytes('Authenticator data', maxLength.passkeyPart),
    signature: bytes('Signature', maxLength.passkeyPart),
  },
  required: ['id', 'clientDataJSON', 'authenticatorData', 'signature'],
} as const satisfies FormSchema;

export type PasskeySignature = FormValues<typeof passkeySignatureForm>;

/** The message if a passkey cannot be verified. */
export const refusedPasskeyMessage = 'The passkey was not accepted';
