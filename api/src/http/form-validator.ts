import type { FormSchema, FormValues } from '@dune-tide/domain/forms/form-schema';
import { fieldErrors, prepare } from '@dune-tide/domain/forms/validation';
import { Ajv } from 'ajv';
import { brokenRules, Problem } from './problem.ts';

const ajv = new Ajv({ allErrors: true, strict: true }).addVocabulary(['messages']);

/**
 * Compiles a form's rules.
 * @returns a function that takes a parsed body and returns what of it is to be stored: known fields, trimmed; it throws
 *   a Problem, 422 with each field's message or 400 on text that no database could keep
 */
export function formValidator<const Schema extends FormSchema>(schema: Schema): (body: unknown) => FormValues<Schema> {
  const check = ajv.compile<FormValues<Schema>>(schema);
  return (body) => {
    const values = prepare(schema, body);
    if (hasUnusableText(values)) throw new Problem(400, { detail: 'The body holds text that cannot be stored.' });
    if (check(values)) return values;
    throw brokenRules(fieldErrors(schema, check.errors ?? []));
  };
}

/** Looks no deeper than forms go, text and lists of text: nothing sent makes it recurse. */
function hasUnusableText(values: unknown): boolean {
  if (typeof values !== 'object' || values === null) return isUnusable(values);
  return Object.values(values).some((value) => (Array.isArray(value) ? value.some(isUnusable) : isUnusable(value)));
}

/** PostgreSQL refuses U+0000 in text and lone surrogates in JSON. */
function isUnusable(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());
}
