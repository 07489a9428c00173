import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { fieldErrors, prepare, type RuleViolation } from '@dune-tide/domain/forms/validation';
import type { FieldError } from '@dune-tide/domain/responses/problem';

/** A validator that the build generated from a form's schema (`virtual:validator/<form id>`). */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly RuleViolation[] | null;
}

/** Messages by field, in the shape that react-final-form expects. */
export type FieldMessages = Readonly<Record<string, string>>;

/**
 * Returns the first message of each field.
 * @param errors - the broken rules, in the order of the fields
 */
export function messagesByField(errors: readonly FieldError[]): FieldMessages {
  return Object.fromEntries([...errors].reverse().map(({ field, message }) => [field, message]));
}

/**
 * Returns the `validate` function of a form. It checks the API's own rules and returns their messages.
 * @param schema - the form
 * @param validate - the form's generated validator
 */
export function formValidator(schema: FormSchema, validate: Validate): (values: unknown) => FieldMessages {
  return (values) =>
    validate(prepare(schema, values)) ? {} : messagesByField(fieldErrors(schema, validate.errors ?? []));
}
