import { ownKeywords, type FormSchema, type FormValues } from '@dune-tide/domain/forms/form-schema';
import { formats } from '@dune-tide/domain/forms/formats';
import { fieldErrors, prepare } from '@dune-tide/domain/forms/validation';
import type { FieldError } from '@dune-tide/domain/responses/problem';
import { Ajv } from 'ajv';

const ajv = new Ajv({ allErrors: true, strict: true, formats }).addVocabulary(ownKeywords);

/** Thrown when a body breaks rules of its form. */
export class FormError extends Error {
  override readonly name = 'FormError';
  /** The broken rules, with the message of the field. */
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
    this.errors = errors;
  }
}

/** Thrown when a body contains text that PostgreSQL cannot store. */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';
}

/**
 * Compiles the rules of a form.
 * @returns a function that validates a parsed body and returns the known fields, trimmed; it throws {@link FormError}
 *   or {@link UnstorableTextError}
 */
export function formReader<const Schema extends FormSchema>(schema: Schema): (body: unknown) => FormValues<Schema> {
  const check = ajv.compile<FormValues<Schema>>(schema);
  return (body) => {
    const values = prepare(schema, body);
    if (hasUnstorableText(values)) throw new UnstorableTextError('The body contains text that cannot be stored.');
    if (check(values)) return values;
    throw new FormError(fieldErrors(schema, check.errors ?? []));
  };
}

/** Checks texts and lists of texts only: forms have no other values, and recursion into a nested body could fail. */
function hasUnstorableText(values: unknown): boolean {
  if (typeof values !== 'object' || values === null) return isUnstorable(values);
  return Object.values(values).some((value) => (Array.isArray(value) ? value.some(isUnstorable) : isUnstorable(value)));
}

/** PostgreSQL rejects U+0000 in text and lone surrogates in JSON. */
function isUnstorable(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());
}
