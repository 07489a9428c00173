import { maxLength } from '../limits.ts';
import { line } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';

/** A code of the authenticator app, or a recovery code (docs/PRODUCT.md, "Second factor"). */
export const codeForm = {
  $id: 'second-factor-code',
  description: 'A code of the second factor',
  type: 'object',
  properties: { code: line('Code', { min: 1, max: maxLength.code, message: 'Code is required' }) },
  required: ['code'],
} as const satisfies FormSchema;

export type Code = FormValues<typeof codeForm>;

/** The message if a code is wrong or was used before. */
export const wrongCodeMessage = 'The code is wrong, or it was used before';
