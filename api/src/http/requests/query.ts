import { emailPattern } from '@dune-tide/domain/forms/fields';
import { maxLength } from '@dune-tide/domain/limits';
import { isUuid } from '@dune-tide/domain/uuid';
import { Ajv } from 'ajv';
import type { Context } from '../context.ts';
import { invalidParameter } from '../errors/problem.ts';

/** The parameters of a query by name. */
export type Query = Readonly<Record<string, QueryParameter>>;

export interface QueryParameter {
  readonly description: string;
  readonly isRequired?: boolean;
  /** An array may repeat. The order of its values and their repetition make no difference. */
  readonly schema: ParameterSchema;
  /** The message for an invalid value, after the name. By default it lists the values or the limits of the schema. */
  readonly message?: string;
  /** The message for a repeated parameter, after the name; by default `message`. */
  readonly repeatedMessage?: string;
}

/** The part of JSON Schema that parameters use. */
interface ParameterSchema {
  readonly type?: 'string' | 'integer' | 'array';
  readonly enum?: readonly string[];
  readonly format?: 'uuid' | 'date' | 'email';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ParameterSchema;
  readonly anyOf?: readonly ParameterSchema[];
  readonly default?: string | number;
}

/** The values of a valid query. */
export type QueryValues<Parameters extends Query> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends
    | { readonly isRequired: true }
    | { readonly schema: { readonly default: unknown } }
    ? ValueOf<Parameters[Name]['schema']>
    : ValueOf<Parameters[Name]['schema']> | undefined;
};

type ValueOf<Schema> = Schema extends { readonly items: infer Items }
  ? readonly ValueOf<Items>[]
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: 'integer' }
      ? number
      : string;

/** The address of a person. */
export const emailParameter = {
  description: 'The email address, in upper or lower case.',
  schema: { type: 'string', format: 'email', maxLength: maxLength.email, pattern: emailPattern },
  message: 'must be an email address',
} as const satisfies QueryParameter;

// The pattern of an address decides.
const ajv = new Ajv({ strict: true, useDefaults: true, formats: { uuid: isUuid, date: isDay, email: true } });

/**
 * Compiles the rules of a query.
 * @returns a function that returns the declared parameters in one spelling, with their defaults; it throws a 422
 *   {@link Problem} for the first invalid one
 */
export function queryReader<Parameters extends Query>(query: Parameters): (ctx: Context) => QueryValues<Parameters> {
  const parameters = Object.entries(query);
  const validate = ajv.compile({
    type: 'object',
    properties: Object.fromEntries(parameters.map(([name, { schema }]) => [name, schema])),
    required: parameters.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  });
  return (ctx) => {
    const values: Record<string, unknown> = {};
    for (const [name, { schema }] of parameters) {
      const sent = ctx.query[name];
      if (sent !== undefined) values[name] = coerced(schema, sent);
    }
    if (validate(values)) {
      return Object.fromEntries(
        parameters.flatMap(([name, { schema }]) => {
          const value = values[name];
          return value === undefined ? [] : [[name, inOneSpelling(schema, value)]];
        }),
      ) as QueryValues<Parameters>;
    }
    const [violation] = validate.errors ?? [];
    const name = String(violation?.params['missingProperty'] ?? violation?.instancePath.split('/')[1]);
    const parameter = query[name];
    if (!parameter) throw new Error(`The query has no rule for ${name}`);
    throw invalidParameter(name, `${name} ${messageOf(parameter, ctx.query[name])}`);
  };
}

/** Returns a valid value as all its spellings are returned, so that queries that mean the same are equal. */
function inOneSpelling(schema: ParameterSchema, value: unknown): unknown {
  const { items, format, anyOf = [] } = schema;
  if (Array.isArray(value)) {
    return [...new Set(value.map((each) => String(inOneSpelling(items ?? {}, each))))].toSorted();
  }
  const isCaseless = [format, ...anyOf.map((each) => each.format)].some((each) => each === 'uuid' || each === 'email');
  return isCaseless && typeof value === 'string' ? value.toLowerCase() : value;
}

/** Ajv's own coercion would accept other spellings of a number, e.g. ` 5`, `05` and `0x10`. */
function coerced({ type }: ParameterSchema, sent: string | string[]): unknown {
  if (type === 'array') return [sent].flat();
  return type === 'integer' && sent === String(Number(sent)) ? Number(sent) : sent;
}

function messageOf({ schema, message, repeatedMessage }: QueryParameter, sent: unknown): string {
  if (repeatedMessage !== undefined && Array.isArray(sent)) return repeatedMessage;
  if (message !== undefined) return message;
  const { minimum, maximum, items, enum: values = items?.enum } = schema;
  return values ? `must be one of ${values.join(', ')}` : `must be a number from ${minimum} to ${maximum}`;
}

function isDay(text: string): boolean {
  const time = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse accepts the 30th of February.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
