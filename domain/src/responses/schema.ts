import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** A JSON Schema that a type can be derived from. */
export type JsonSchema = Exclude<JSONSchema, boolean>;

/** The schema of a response's body. The title names it in the OpenAPI document. */
export type ResponseSchema = JsonSchema & { readonly title: string; readonly description: string };

/** A response as the API builds it: a time is a Date until it is written as JSON. */
export type Presented<Schema extends JsonSchema> = DeepReadonly<
  FromSchema<Schema, { deserialize: [{ pattern: typeof dateTime; output: Date }] }>
>;

/** A response as its reader parses it: a time is an ISO 8601 string. */
export type Json<Schema extends JsonSchema> = DeepReadonly<FromSchema<Schema>>;

/** A value before it is validated: each member may be missing or have any type. */
export type Unchecked<Value extends object> = { readonly [Member in keyof Value]?: unknown };

type DeepReadonly<Value> = Value extends Date
  ? Value
  : Value extends object
    ? { readonly [Member in keyof Value]: DeepReadonly<Value[Member]> }
    : Value;

export const string = { type: 'string' } as const;
export const boolean = { type: 'boolean' } as const;
export const wholeNumber = { type: 'integer', minimum: 0 } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const dateTime = { type: 'string', format: 'date-time' } as const;

/** Allows null for a missing value. */
export function nullable<const Schema extends JsonSchema>(schema: Schema) {
  return { anyOf: [schema, { type: 'null' }] } as const;
}

/** A string of a closed set. */
export function oneOf<const Value extends string>(values: readonly Value[]) {
  return { type: 'string', enum: values } as const;
}

/** Members that have the same schema. */
export function each<const Name extends string, const Schema extends JsonSchema>(
  names: readonly Name[],
  schema: Schema,
) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Readonly<Record<Name, Schema>>;
}

/** An array of any length. */
export function array<const Schema extends JsonSchema>(items: Schema) {
  return { type: 'array', items } as const;
}

/**
 * An object without further members.
 * @param optional - the members that may be left out
 */
export function object<
  const Properties extends Readonly<Record<string, JsonSchema>>,
  const Optional extends keyof Properties & string = never,
>(properties: Properties, optional: readonly Optional[] = []) {
  type Required = Exclude<keyof Properties & string, Optional>;
  const isRequired = (name: string): name is Required => !optional.some((left) => left === name);
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter(isRequired),
    additionalProperties: false,
  } as const;
}
