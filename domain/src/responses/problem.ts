import { array, object, oneOf, string, wholeNumber, type Json, type ResponseSchema } from './schema.ts';

const fieldError = object({ field: string, message: string });

/** A broken rule, as the API returns it and as the form shows it beside the field. */
export type FieldError = Json<typeof fieldError>;

/**
 * The types of the problems that a client handles in a special way (docs/PRODUCT.md, "Problems"):
 * - `password_needed`: the call works after the password was entered again
 * - `new_password_needed`: every call works after the account has changed its password
 * - `second_factor_needed`: every call works after the account has set up a second factor
 * - `limit_reached`: the call works again after the time in Retry-After; `detail` names the limit
 * - `owner_needed`: only an account with the role of an owner may make the call
 */
export const problemTypes = {
  password_needed: 'urn:problem-type:password-needed',
  new_password_needed: 'urn:problem-type:new-password-needed',
  second_factor_needed: 'urn:problem-type:second-factor-needed',
  owner_needed: 'urn:problem-type:owner-needed',
  limit_reached: 'urn:problem-type:limit-reached',
} as const;
export type ProblemType = keyof typeof problemTypes;

/** A problem (RFC 9457). */
export const problemResponse = {
  title: 'problem',
  description: 'A problem (RFC 9457)',
  ...object(
    {
      type: oneOf(['about:blank', ...Object.values(problemTypes)]),
      title: { ...string, description: 'The name of the status' },
      status: wholeNumber,
      detail: { ...string, description: 'Never contains what was sent' },
      errors: { ...array(fieldError), description: 'The rules that were broken' },
    },
    ['detail', 'errors'],
  ),
} as const satisfies ResponseSchema;
