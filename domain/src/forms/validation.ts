import type { FieldError } from '../responses/problem.ts';
import { appearanceOf } from './appearance.ts';
import type { FieldSchema, FormSchema } from './form-schema.ts';
import { invisible } from './invisible.ts';
import { saysNone, normalise } from './normalise.ts';

/** The part of an Ajv error that selects a message. Ajv and its standalone code both report it. */
export interface RuleViolation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Prepares a submission for validation and storage: keeps the fields of the form and normalises their texts
 * (docs/PRODUCT.md, "Normalisation"). A text without visible characters counts as empty: an empty field gets its
 * default or is left out, and so are an empty entry of a list and one that looks like an earlier entry. An optional link
 * or email address that says "none" counts as empty. A null is kept if the field allows it.
 * @param body - parsed JSON, or the values of a form
 * @returns a new object; a value that is not an object is returned unchanged, and the schema rejects it
 */
export function prepare(schema: FormSchema, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const prepared: Record<string, unknown> = {};
  for (const [field, rules] of Object.entries(schema.properties)) {
    // Own keys only: inherited members, including those set through `__proto__`, were not submitted.
    const sent: unknown = Object.hasOwn(body, field) ? (body as Record<string, unknown>)[field] : undefined;
    const value = normalised(rules, sent, schema.required.includes(field));
    if (!isBlank(value) || (value === null && Array.isArray(rules.type))) prepared[field] = value;
    else if (rules.default !== undefined) prepared[field] = defaultOf(rules);
  }
  return prepared;
}

/**
 * Returns the message of the first broken rule of each field, in the order of the form.
 * @param violations - all errors of Ajv
 */
export function fieldErrors(schema: FormSchema, violations: readonly RuleViolation[]): FieldError[] {
  const messages = new Map<string, string>();
  for (const { instancePath, keyword, params } of violations) {
    const field = keyword === 'required' ? String(params['missingProperty']) : (instancePath.split('/')[1] ?? '');
    if (messages.has(field)) continue;
    const own: Readonly<Record<string, string | undefined>> = { ...schema.properties[field]?.messages };
    messages.set(field, own[keyword] ?? own['default'] ?? 'Please fill in the form');
  }
  const order = ['', ...Object.keys(schema.properties)];
  return [...messages]
    .map(([field, message]) => ({ field, message }))
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field));
}

function normalised(rules: FieldSchema, value: unknown, isRequired: boolean): unknown {
  if (rules.writeOnly === true) return value;
  if (rules.type !== 'array' || !Array.isArray(value)) {
    const text = normalisedText(rules, value);
    return !isRequired && isChecked(rules) && typeof text === 'string' && saysNone(text) ? '' : text;
  }
  const items = value.map((item) => normalisedText(rules, item)).filter((item) => item !== '');
  return rules.normaliseAs === undefined ? items : withoutRepetitions(items);
}

/** Keeps the first of the texts that look the same. */
function withoutRepetitions(items: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const key = typeof item === 'string' ? appearanceOf(item) : item;
    return !seen.has(key) && seen.add(key);
  });
}

/** U+0085 is white space that `\s` does not match in JavaScript. */
const nothingToSee = new RegExp(`^[\\s\\u0085${invisible}]*$`, 'u');

function normalisedText({ normaliseAs }: FieldSchema, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = normalise(normaliseAs, value);
  return nothingToSee.test(text) ? '' : text;
}

/** Returns whether a field's rules would refuse a word such as "none". */
const isChecked = ({ normaliseAs }: FieldSchema): boolean => normaliseAs === 'link' || normaliseAs === 'email';

function isBlank(value: unknown): boolean {
  return value === '' || value === null || value === undefined;
}

/** Copies lists, so that callers cannot change the default in the schema. */
function defaultOf(rules: FieldSchema): unknown {
  return Array.isArray(rules.default) ? [...rules.default] : rules.default;
}
