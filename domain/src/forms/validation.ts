import type { FieldError } from '../responses/problem.ts';
import { emailPattern } from './fields.ts';
import type { FieldSchema, FormSchema } from './form-schema.ts';
import { invisible } from './invisible.ts';

/** The part of an ajv error that picks a message; both ajv at run time and its standalone code report it. */
export interface RuleViolation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * What is checked and stored of what was sent: the form's own fields, text trimmed (decisions, "Text", "Unknown keys").
 * A field in which there is nothing to see counts as not filled in: it takes its default or is left out. Such entries of
 * a list are left out. What cannot be seen around an email address is dropped: nobody could find it there.
 * @param schema - the form
 * @param body - parsed JSON, or a form's values
 * @returns a new object; other values than objects are handed back for the schema to refuse
 */
export function prepare(schema: FormSchema, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const prepared: Record<string, unknown> = {};
  for (const [field, rules] of Object.entries(schema.properties)) {
    // Own keys only: what a body inherits, or plants under `__proto__`, was not filled in.
    const sent: unknown = Object.hasOwn(body, field) ? (body as Record<string, unknown>)[field] : undefined;
    const value = trimmed(rules, sent);
    if (!isBlank(value)) prepared[field] = value;
    else if (rules.default !== undefined) prepared[field] = defaultOf(rules);
  }
  return prepared;
}

/**
 * The first broken rule of each field in the words of specification §5, in the order of the form's fields.
 * @param schema - the form that was checked
 * @param violations - ajv's errors, all of them
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

function trimmed(rules: FieldSchema, value: unknown): unknown {
  if (rules.writeOnly === true) return value;
  if (rules.type === 'array' && Array.isArray(value)) return value.map(trimmedText).filter((item) => item !== '');
  const text = trimmedText(value);
  return rules.pattern === emailPattern && typeof text === 'string' ? visiblePart(text) : text;
}

/** U+0085 is a blank that JavaScript's `\s` does not match. */
const nothingToSee = new RegExp(`^[\\s\\u0085${invisible}]*$`, 'u');

function trimmedText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return nothingToSee.test(value) ? '' : value.trim();
}

const unseen = new RegExp(`[\\s${invisible}]`, 'u');

/** Not by one pattern, which would take time in proportion to the square of a long text's length. */
function visiblePart(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && unseen.test(text.charAt(from))) from++;
  while (to > from && unseen.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(value: unknown): boolean {
  return value === '' || value === null || value === undefined;
}

/** A list is copied, so that no one changes the schema's own. */
function defaultOf(rules: FieldSchema): unknown {
  return Array.isArray(rules.default) ? [...rules.default] : rules.default;
}
