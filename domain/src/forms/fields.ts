import { maxLength, maxListItems } from '../limits.ts';

/*
 * The patterns are for the `u` flag, which Ajv sets: a surrogate in a class then matches lone surrogates only, not
 * emoji. Ajv matches values of any length, so every pattern must run in linear time.
 */

/** C0 and C1 control characters, line separators and lone surrogates. */
const unfitForLine = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff';

/** Text on one line (docs/PRODUCT.md, "Text rules"). */
const singleLine = `^[^${unfitForLine}]*$`;

/** Text on one line without commas, which separate the entries of a typed list (docs/PRODUCT.md, "Recipe form"). */
const singleItem = `^[^,${unfitForLine}]*$`;

/**
 * Text on any number of lines. Pasted control characters, e.g. page breaks, are valid (docs/PRODUCT.md, "Text rules").
 */
const multiLine = '^[^\\u0000\\ud800-\\udfff]*$';

/**
 * An email address as browsers accept it (WHATWG HTML, "valid e-mail address"). In addition, the domain must contain a
 * dot, its top level must start with a letter, and the length limits of RFC 5321, section 4.5.3.1, apply. Domains in
 * other alphabets are in Punycode (`xn--`) after normalisation.
 */
export const emailPattern =
  "^(?=[^@]{1,64}@)[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+" +
  '@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$';

/** Returns the message for a text that is too long. */
export const tooLong = (label: string, limit: number) =>
  `${label} must be at most ${limit.toLocaleString('en-US')} characters`;
const oneLine = (label: string) => `${label} must be one line of plain text`;
const oneItem = (label: string) => `${oneLine(label)} without commas`;
const plainText = (label: string) => `${label} must be plain text`;

interface LengthRule {
  readonly min: number;
  /** The message if the text is missing or too short. */
  readonly message: string;
  readonly max?: number;
}

/**
 * Text on one line.
 * @param label - the field's name, for the messages
 * @param rule - its lengths and message; `max` defaults to the length of a name
 */
export function line(label: string, rule: LengthRule) {
  const limit = rule.max ?? maxLength.name;
  return {
    type: 'string',
    description: label,
    minLength: rule.min,
    maxLength: limit,
    pattern: singleLine,
    normaliseAs: 'line',
    messages: { default: rule.message, maxLength: tooLong(label, limit), pattern: oneLine(label) },
  } as const;
}

/**
 * Optional text on one line.
 * @param label - the field's name, for the messages
 * @param limit - maximum length
 */
export function optionalLine(label: string, limit: number) {
  return {
    type: 'string',
    description: label,
    maxLength: limit,
    pattern: singleLine,
    normaliseAs: 'line',
    messages: { default: oneLine(label), maxLength: tooLong(label, limit) },
  } as const;
}

/** A phone number: any text on one line, because its format is not checked. */
export function phone(rule: LengthRule) {
  return { ...line('Phone number', { max: maxLength.phone, ...rule }), normaliseAs: 'phone' } as const;
}

/** An optional phone number. */
export function optionalPhone() {
  return { ...optionalLine('Phone number', maxLength.phone), normaliseAs: 'phone' } as const;
}

/**
 * Text on any number of lines.
 * @param label - the field's name, for the messages
 * @param rule - its lengths and message; `max` defaults to the length of a text
 */
export function text(label: string, rule: LengthRule) {
  const limit = rule.max ?? maxLength.text;
  return {
    type: 'string',
    description: label,
    minLength: rule.min,
    maxLength: limit,
    pattern: multiLine,
    messages: { default: rule.message, maxLength: tooLong(label, limit), pattern: plainText(label) },
  } as const;
}

/**
 * Optional text on any number of lines.
 * @param label - the field's name, for the messages
 * @param limit - maximum length
 */
export function optionalText(label: string, limit: number = maxLength.text) {
  return {
    type: 'string',
    description: label,
    maxLength: limit,
    pattern: multiLine,
    messages: { default: plainText(label), maxLength: tooLong(label, limit) },
  } as const;
}

/**
 * An email address.
 * @param message - for every invalid value, including an address that is too long
 */
export function emailAddress(message: string) {
  return {
    type: 'string',
    description: 'Email address',
    maxLength: maxLength.email,
    pattern: emailPattern,
    normaliseAs: 'email',
    messages: { default: message },
  } as const;
}

/**
 * A link that a browser may follow: see `formats`.
 * @param label - the field's name, for the messages
 * @param message - for every value that is not a link
 */
export function webLink(label: string, message: string) {
  return {
    type: 'string',
    description: label,
    maxLength: maxLength.url,
    format: 'uri',
    normaliseAs: 'link',
    messages: { default: message, maxLength: tooLong(label, maxLength.url) },
  } as const;
}

/**
 * A choice from a list that may change. The API accepts any short text, so that a page that was cached before a change
 * does not lose a lead (docs/PRODUCT.md, "Option lists").
 * @param label - the field's name, for the messages
 * @param message - if nothing is chosen
 */
export function selection(label: string, message: string) {
  return line(label, { min: 1, message, max: maxLength.selection });
}

/**
 * A choice from a closed set.
 * @param label - the field's name
 * @param message - for every other value
 * @param values - the set
 */
export function closedSelection<const Value extends string>(label: string, message: string, values: readonly Value[]) {
  return { type: 'string', description: label, enum: values, messages: { default: message } } as const;
}

/**
 * A list of short texts, empty by default.
 * @param label - the field's name
 * @param item - the name of an entry, for the messages
 */
export function textList(label: string, item: string) {
  return {
    type: 'array',
    description: label,
    normaliseAs: 'line',
    items: { type: 'string', maxLength: maxLength.listItem, pattern: singleItem },
    maxItems: maxListItems,
    default: [],
    messages: {
      default: `${label} must be a list of texts`,
      maxItems: `Please enter at most ${maxListItems} ${label.toLowerCase()}`,
      maxLength: tooLong(item, maxLength.listItem),
      pattern: oneItem(item),
    },
  } as const;
}
