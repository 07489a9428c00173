import { maxLength, maxListItems } from '../limits.ts';

/*
 * The patterns are read with the `u` flag, as ajv does: a surrogate in a class then stands for a lone one, and emoji
 * pass. Every value is matched, however long, so each pattern takes time in proportion to the length at most.
 */

/** C0 and C1 control characters, line separators and lone surrogates. */
const unfitForLine = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff';

/** Text on one line (decisions, "Text"). */
const singleLine = `^[^${unfitForLine}]*$`;

/** As on one line, without commas: where a list is typed, they separate the items (specification §5, "Recipe form"). */
const singleItem = `^[^,${unfitForLine}]*$`;

/** Text with whatever is pasted along, such as a page break of a document (decisions, "Text"). */
const multiLine = '^[^\\u0000\\ud800-\\udfff]*$';

/**
 * One mailbox as browsers accept it (WHATWG HTML, "valid e-mail address"; other alphabets in the domain come as
 * `xn--`), with a dot in the domain, a top-level domain that is no number, and the lengths of RFC 5321 §4.5.3.1.
 */
export const emailPattern =
  "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*" +
  '@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$';

/** The message for a text over its limit. */
export const tooLong = (label: string, limit: number) =>
  `${label} must be at most ${limit.toLocaleString('en-US')} characters`;
const oneLine = (label: string) => `${label} must be one line of plain text`;
const oneItem = (label: string) => `${oneLine(label)} without commas`;
const plainText = (label: string) => `${label} must be plain text`;

interface LengthRule {
  readonly min: number;
  /** Said when the text is missing or shorter. */
  readonly message: string;
  readonly max?: number;
}

/**
 * Text on one line.
 * @param label - the field's name, for the messages
 * @param rule - its smallest length and what is said when it is missed; its largest, unless it is a name's
 */
export function line(label: string, rule: LengthRule) {
  const limit = rule.max ?? maxLength.name;
  return {
    type: 'string',
    description: label,
    minLength: rule.min,
    maxLength: limit,
    pattern: singleLine,
    messages: { default: rule.message, maxLength: tooLong(label, limit), pattern: oneLine(label) },
  } as const;
}

/**
 * Text on one line that may be left out.
 * @param label - the field's name, for the messages
 * @param limit - its largest length
 */
export function optionalLine(label: string, limit: number) {
  return {
    type: 'string',
    description: label,
    maxLength: limit,
    pattern: singleLine,
    messages: { default: oneLine(label), maxLength: tooLong(label, limit) },
  } as const;
}

/**
 * Text of any number of lines.
 * @param label - the field's name, for the messages
 * @param rule - its smallest length and what is said when it is missed; its largest, unless it is an ordinary text's
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
 * Text of any number of lines that may be left out.
 * @param label - the field's name, for the messages
 * @param limit - its largest length
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
 * One email address.
 * @param message - said of everything that is none, a too long one included
 */
export function emailAddress(message: string) {
  return {
    type: 'string',
    description: 'Email address',
    maxLength: maxLength.email,
    pattern: emailPattern,
    messages: { default: message },
  } as const;
}

/**
 * A link that a browser may follow: see `formats`.
 * @param label - the field's name, for the messages
 * @param message - said of everything that is none
 */
export function webLink(label: string, message: string) {
  return {
    type: 'string',
    description: label,
    maxLength: maxLength.url,
    format: 'uri',
    messages: { default: message, maxLength: tooLong(label, maxLength.url) },
  } as const;
}

/**
 * A choice from a marketing list. The list is not closed on the server: a page cached before it changed must not
 * lose a lead (decisions, "Selections on the server").
 * @param label - the field's name, for the messages
 * @param message - said when nothing is chosen
 */
export function selection(label: string, message: string) {
  return line(label, { min: 1, message, max: maxLength.selection });
}

/**
 * A choice from a closed set of the specification.
 * @param label - the field's name
 * @param message - said of everything else
 * @param values - the set
 */
export function closedSelection<const Value extends string>(label: string, message: string, values: readonly Value[]) {
  return { type: 'string', description: label, enum: values, messages: { default: message } } as const;
}

/**
 * A list of short texts, empty where nothing was filled in.
 * @param label - the field's name
 * @param item - what one entry is called, for the messages
 */
export function textList(label: string, item: string) {
  return {
    type: 'array',
    description: label,
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
