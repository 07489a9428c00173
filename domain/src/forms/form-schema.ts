import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { LineKind } from './normalise.ts';

/** The keywords of a form's schema that JSON Schema does not define; Ajv has to know them. */
export const ownKeywords = ['messages', 'normaliseAs'];

/**
 * The messages for broken rules. `default` is used for every keyword without a separate message: a value that is
 * missing, too short, of a wrong type or not in the list. For a list, `maxLength` and `pattern` are about its entries.
 */
export interface Messages {
  readonly default: string;
  readonly maxLength?: string;
  readonly pattern?: string;
  readonly maxItems?: string;
}

/** The rules of a field in JSON Schema, with their messages. */
export type FieldSchema = JSONSchema & {
  /** With `null`, an empty field is sent as null, which is not the same as leaving it out. */
  readonly type: 'string' | 'boolean' | 'integer' | 'array' | readonly ['string', 'null'];
  /** The name of the field in messages. */
  readonly description: string;
  readonly messages: Messages;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  /** How a one-line text, or each entry of a list, is normalised before it is validated. */
  readonly normaliseAs?: LineKind;
  /** The value of an empty field. */
  readonly default?: string | boolean | readonly string[];
  /** Marks a secret, which is used exactly as typed, including white space. */
  readonly writeOnly?: boolean;
};

/** A form: an object schema with its fields in the order of the page. */
export interface FormSchema {
  readonly $id: string;
  readonly description: string;
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
}

/** The values of a valid form. Unknown keys are removed before validation (docs/PRODUCT.md, "Text rules"). */
export type FormValues<Schema extends FormSchema> = FromSchema<Schema & { readonly additionalProperties: false }>;
