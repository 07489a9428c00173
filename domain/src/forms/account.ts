import { maxLength, minLength } from '../limits.ts';
import { line, tooLong } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';
import { invisible } from './invisible.ts';

/** No blanks and nothing that cannot be seen: what looks like one username is one. */
const usernameCharacter = `[^\\s\\p{C}${invisible}]`;
const wholeUsername = new RegExp(`^${usernameCharacter}{1,${maxLength.name}}$`, 'u');

const password = {
  type: 'string',
  description: 'Password',
  minLength: minLength.password,
  maxLength: maxLength.password,
  writeOnly: true,
  messages: {
    default: `Password must be at least ${minLength.password} characters`,
    maxLength: tooLong('Password', maxLength.password),
  },
} as const;

/** An account for another member of the staff (decisions, "/admin/team"). */
export const newAccountForm = {
  $id: 'new-account',
  description: 'A new account of staff',
  type: 'object',
  properties: {
    name: line('Name', { min: 1, message: 'Name is required' }),
    username: {
      type: 'string',
      description: 'Username',
      minLength: 1,
      maxLength: maxLength.name,
      pattern: `^${usernameCharacter}*$`,
      messages: {
        default: 'Username is required',
        maxLength: tooLong('Username', maxLength.name),
        pattern: 'Username must be plain text without spaces',
      },
    },
    password,
  },
  required: ['name', 'username', 'password'],
} as const satisfies FormSchema;

export type NewAccount = FormValues<typeof newAccountForm>;

/** A new password for an account. */
export const newPasswordForm = {
  $id: 'new-password',
  description: 'A new password of staff',
  type: 'object',
  properties: { password },
  required: ['password'],
} as const satisfies FormSchema;

export type NewPassword = FormValues<typeof newPasswordForm>;

/** What PATCH /api/admin/team/{id} takes; a field that is left out stays as it is. */
export const accountChangeForm = {
  $id: 'account-change',
  description: 'A change of an account of staff',
  type: 'object',
  properties: {
    isActive: {
      type: 'boolean',
      description: 'Active',
      messages: { default: 'Active must be on or off' },
    },
    password,
  },
  required: [],
} as const satisfies FormSchema;

export type AccountChange = FormValues<typeof accountChangeForm>;

/**
 * Normalizes a username (Unicode NFKC), so that full-width letters and combined characters count as the letters that they
 * look like. Letters of different alphabets stay different.
 */
export function normalUsername(username: string): string {
  return username.normalize('NFKC');
}

/** Whether a username may be that of an account. The normal form counts: it may be longer, or hold a blank. */
export function isUsername(text: string): boolean {
  return wholeUsername.test(normalUsername(text));
}

/** The message when another account has this username, in whatever case. */
export const usernameTakenMessage = 'This username is taken';
