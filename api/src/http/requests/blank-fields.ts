import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { validationFailed } from '../errors/problem.ts';

/**
 * Rejects a change with blank fields. To ignore such a field would not do what the caller wants.
 * @param values - the values that the form has read from the body
 * @throws {Problem} 422
 */
export function refuseBlanks(form: FormSchema, body: unknown, values: object): void {
  const blank = Object.entries(form.properties).filter(
    ([field]) =>
      typeof body === 'object' && body !== null && Object.hasOwn(body, field) && !Object.hasOwn(values, field),
  );
  if (blank.length === 0) return;
  throw validationFailed(blank.map(([field, { messages }]) => ({ field, message: messages.default })));
}
