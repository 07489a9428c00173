import { leadEmailChoices } from '../lead-emails.ts';
import { maxLength, minLength } from '../limits.ts';
import { staffRoles } from '../staff-roles.ts';
import { closedSelection, emailAddress, emailPattern, line, tooLong } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';
import { enteredPassword } from './sign-in.ts';
import { invisible } from './invisible.ts';
import { normalUsername } from './normalise.ts';

/** Excludes white space and invisible characters, so that usernames that look the same are the same. */
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

const emailMessage = 'Please enter a valid email address';

/** An email address; null removes it. */
const changedEmail = {
  type: ['string', 'null'],
  description: 'Email address',
  maxLength: maxLength.email,
  pattern: emailPattern,
  normaliseAs: 'email',
  messages: { default: emailMessage },
} as const;

/** The role of an account. A new account without one is a member. */
const role = closedSelection('Role', 'Please choose a role', staffRoles);

/** The form for a new account (docs/PRODUCT.md, "Team page"). */
export const newAccountForm = {
  $id: 'new-account',
  description: 'A new staff account',
  type: 'object',
  properties: {
    name: line('Name', { min: 1, message: 'Name is required' }),
    username: {
      type: 'string',
      description: 'Username',
      minLength: 1,
      maxLength: maxLength.name,
      pattern: `^${usernameCharacter}*$`,
      normaliseAs: 'username',
      messages: {
        default: 'Username is required',
        maxLength: tooLong('Username', maxLength.name),
        pattern: 'Username must be plain text without spaces',
      },
    },
    password,
    email: emailAddress(emailMessage),
    role,
  },
  required: ['name', 'username', 'password'],
} as const satisfies FormSchema;

export type NewAccount = FormValues<typeof newAccountForm>;

/** The form for a new password of an account. */
export const newPasswordForm = {
  $id: 'new-password',
  description: 'A new password for a staff account',
  type: 'object',
  properties: { password },
  required: ['password'],
} as const satisfies FormSchema;

export type NewPassword = FormValues<typeof newPasswordForm>;

/** The message if the current password is wrong. */
export const wrongPasswordMessage = 'The password is wrong';

/** The message if a new password is the current one. */
export const samePasswordMessage = 'Please choose a password that differs from the current one';

/** The form with which a member of staff enters their password again. */
export const passwordConfirmationForm = {
  $id: 'password-confirmation',
  description: 'The password of the signed-in account',
  type: 'object',
  properties: { password: enteredPassword },
  required: ['password'],
} as const satisfies FormSchema;

export type PasswordConfirmation = FormValues<typeof passwordConfirmationForm>;

/** The form with which a member of staff changes their own password. */
export const ownPasswordForm = {
  $id: 'own-password',
  description: 'A new password of the signed-in account',
  type: 'object',
  properties: {
    currentPassword: {
      ...enteredPassword,
      description: 'Current password',
      messages: {
        default: 'Current password is required',
        maxLength: tooLong('Current password', maxLength.password),
      },
    },
    password,
  },
  required: ['currentPassword', 'password'],
} as const satisfies FormSchema;

export type OwnPassword = FormValues<typeof ownPasswordForm>;

/** The body of PATCH /api/admin/account. An address that is left out does not change; `email: null` removes it. */
export const ownAccountForm = {
  $id: 'own-account-change',
  description: 'A change of the signed-in account',
  type: 'object',
  properties: { name: line('Name', { min: 1, message: 'Name is required' }), email: changedEmail },
  required: ['name'],
} as const satisfies FormSchema;

export type OwnAccountChange = FormValues<typeof ownAccountForm>;

/** The body of PATCH /api/admin/account/lead-emails (docs/PRODUCT.md, "Notifications"). */
export const leadEmailsForm = {
  $id: 'lead-emails',
  description: 'When the signed-in account gets emails about leads',
  type: 'object',
  properties: {
    leadEmails: closedSelection(
      'Emails about leads',
      `Emails about leads must be one of ${leadEmailChoices.join(', ')}`,
      leadEmailChoices,
    ),
  },
  required: ['leadEmails'],
} as const satisfies FormSchema;

/** The body of PATCH /api/admin/team/{id}. A field that is left out does not change; `email: null` removes the address. */
export const accountChangeForm = {
  $id: 'account-change',
  description: 'A change of a staff account',
  type: 'object',
  properties: {
    isActive: {
      type: 'boolean',
      description: 'Active',
      messages: { default: 'Active must be on or off' },
    },
    password,
    email: changedEmail,
    role,
  },
  required: [],
} as const satisfies FormSchema;

export type AccountChange = FormValues<typeof accountChangeForm>;

/** All invisible characters except the two joiners, which some scripts need between letters. */
const invisibleInName = new RegExp(`(?![\u200c\u200d])[\\p{Cf}${invisible}]`, 'gu');

/**
 * Removes invisible characters from a name, such as the marks that change the direction of text (U+202E), so that a name
 * cannot look like another one and cannot reorder the text around it.
 */
export function visibleName(name: string): string {
  return name.replace(invisibleInName, '').trim();
}

/** Checks a username in its normal form, which can be longer than the text or contain white space. */
export function isUsername(text: string): boolean {
  return wholeUsername.test(normalUsername(text));
}

/** The message if another account has a username that looks the same. */
export const usernameTakenMessage = 'This username is taken';
