import { maxLength } from '../limits.ts';
import { line, tooLong } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';

/** A password that an account already has. */
export const enteredPassword = {
  type: 'string',
  description: 'Password',
  minLength: 1,
  // The limit bounds the cost of hashing, which grows with the length.
  maxLength: maxLength.password,
  writeOnly: true,
  messages: {
    default: 'Password is required',
    maxLength: tooLong('Password', maxLength.password),
  },
} as const;

/** The sign-in form of /admin/login (docs/PRODUCT.md, "Sign-in page"). */
export const signInForm = {
  $id: 'sign-in',
  description: 'A staff sign-in',
  type: 'object',
  properties: {
    username: line('Username', { min: 1, message: 'Username is required' }),
    password: enteredPassword,
  },
  required: ['username', 'password'],
} as const satisfies FormSchema;

export type SignIn = FormValues<typeof signInForm>;
