import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { createContext, use } from 'react';

/** The schema of the surrounding form. */
export const FormSchemaContext = createContext<FormSchema | null>(null);

/**
 * Returns the schema's label of a field and whether it is required.
 * @throws Error if the field is outside of a `Form` or the form has no such field
 */
export function useFieldRules(name: string): { readonly label: string; readonly isRequired: boolean } {
  const schema = use(FormSchemaContext);
  const rules = schema?.properties[name];
  if (!schema || !rules) throw new Error(`No form has a field "${name}" here`);
  // A field with a default may be left unchanged.
  return { label: rules.description, isRequired: schema.required.includes(name) && rules.default === undefined };
}
