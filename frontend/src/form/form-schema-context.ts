import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { createContext, use } from 'react';

/** The rules of the form that a field stands in. */
export const FormSchemaContext = createContext<FormSchema | null>(null);

/**
 * What the schema says of a field.
 * @throws Error if the field stands outside of a `Form`, or the form has no such field
 */
export function useFieldRules(name: string): { readonly label: string; readonly isRequired: boolean } {
  const schema = use(FormSchemaContext);
  const rules = schema?.properties[name];
  if (!schema || !rules) throw new Error(`No form has a field "${name}" here`);
  // What has a default may be left as it is.
  return { label: rules.description, isRequired: schema.required.includes(name) && rules.default === undefined };
}
