import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/**
 * What a visitor reads when a rule is broken. `default` answers for every keyword that has no entry of its own
 * (a missing value, a wrong type, too short, not in the list). In a list, `maxLength` and `pattern` speak of its items.
 */
export interface Messages {
  readonly default: string;
  readonly maxLength?: string;
  readonly pattern?: string;
  readonly maxItems?: string;
}

/** One field's rules, plain JSON Schema, with its messages beside them. */
export type FieldSchema = JSONSchema & {
  readonly type: 'string' | 'boolean' | 'array';
  /** The field's name, as its messages say it. */
  readonly description: string;
  readonly messages: Messages;
  readonly pattern?: string;
  /** Taken where nothing was filled in. */
  readonly default?: string | boolean | readonly string[];
  /** A secret: taken exactly as typed, blanks included. */
  readonly writeOnly?: boolean;
};

/** A form: an object schema whose fields stand in the order in which the form shows them. */
export interface FormSchema {
  readonly $id: string;
  readonly description: string;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
}

/** The values of a valid form; unknown keys are dropped before it is checked (decisions, "Unknown keys"). */
export type FormValues<Schema extends FormSchema> = FromSchema<Schema & { readonly additionalProperties: false }>;
