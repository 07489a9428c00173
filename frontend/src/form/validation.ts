import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { fieldErrors, prepare, type RuleViolation } from '@dune-tide/domain/forms/validation';
import type { FieldError } from '@dune-tide/domain/responses/problem';

/** A validator that the build made from a form's schema (`virtual:validator/<form id>`). */
export interface Validate {
  (value: unknown): boolean;
  errors?: readonly RuleViolation[] | null;
}

/** Messages by field, as react-final-form takes them. */
export type FieldMessages = Readonly<Record<string, string>>;

/**
 * The messages by field; the first of each field wins.
 * @param errors - broken rules in the order of the fields
 */
export function messagesByField(errors: readonly FieldError[]): FieldMessages {
  return Object.fromEntries([...errors].reverse().map(({ field, message }) => [field, message]));
}

/**
 * The `validate` function of a form: the API's own rules, with their messages.
 * @param schema - the form
 * @param validate - its validator
 */
export function formValidator(schema: FormSchema, validate: Validate): (values: unknown) => FieldMessages {
  return (values) =>
    validate(prepare(schema, values)) ? {} : messagesByField(fieldErrors(schema, validate.errors ?? []));
}
