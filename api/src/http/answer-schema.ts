import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** A JSON Schema that a type can be made of. An answer's stands beside the code that makes the answer. */
export type JsonSchema = Exclude<JSONSchema, boolean>;

/** What is answered by a schema; a time is a Date until it is written as JSON. */
export type Answered<Schema extends JsonSchema> = FromSchema<
  Schema,
  { deserialize: [{ pattern: typeof dateTime; output: Date }] }
>;

/** An answer as the API's description has it. */
export interface AnswerDescription {
  readonly description: string;
  /** Without it there is no body. */
  readonly schema?: JsonSchema;
  /** JSON, unless it says otherwise. */
  readonly mediaType?: string;
  readonly headers?: AnswerHeaders;
}

/** The headers of an answer by their name. */
export type AnswerHeaders = Readonly<Record<string, HeaderDescription>>;

export interface HeaderDescription {
  readonly description: string;
  readonly isOptional?: boolean;
  readonly schema: JsonSchema;
}

export const string = { type: 'string' } as const;
export const wholeNumber = { type: 'integer', minimum: 0 } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const dateTime = { type: 'string', format: 'date-time' } as const;

/** A value that may be missing, and then is null. */
export function orNull<const Schema extends JsonSchema>(schema: Schema) {
  return { anyOf: [schema, { type: 'null' }] } as const;
}

/** One of a closed set. */
export function enumOf<const Value extends string>(values: readonly Value[]) {
  return { type: 'string', enum: values } as const;
}

/**
 * An object with these members and no others.
 * @param optional - the members that may be left out
 */
export function record<
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

/** A list of any length. */
export function listOf<const Schema extends JsonSchema>(items: Schema) {
  return { type: 'array', items } as const;
}
