import { maxLength, maxListItems } from '../limits.ts';
import { invisible } from './invisible.ts';

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

/** 0 to 255. */
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';

const ipv4 = `${octet}(?:\\.${octet}){3}`;

const group = '[0-9A-Fa-f]{1,4}';
const lastGroups = `(?:${group}:${group}|${ipv4})`;

/** In the order of RFC 3986 §3.2.2: `::` stands for one group of noughts or more, with so many groups behind it. */
const ipv6 = [
  `(?:${group}:){6}${lastGroups}`,
  `::(?:${group}:){5}${lastGroups}`,
  ...[4, 3, 2, 1, 0].map((behind) => `${upTo(5 - behind)}::(?:${group}:){${behind}}${lastGroups}`),
  `${upTo(6)}::${group}`,
  `${upTo(7)}::`,
].join('|');

/** None to so many groups. */
function upTo(groups: number): string {
  return `(?:${group}(?::${group}){0,${groups - 1}})?`;
}

/** Browsers read a host whose last label is a number as IPv4. */
const endsInNumber = '(?:[^:/?#]*\\.)?[0-9]+\\.?(?:[:/?#]|$)';

/** Invisible characters that a host may hold: browsers drop them, or a script needs them. */
const allowedInvisible = '\\u00ad\\u034f\\u200b-\\u200d\\u2060\\ufe00-\\ufe0f';

/** In any alphabet, with something to see in it; without the code points that browsers refuse in a host. */
const hostName =
  `(?!\\.)(?!${endsInNumber})(?![${allowedInvisible}]+(?:[:/?#]|$))` +
  `(?:[^\\s\\p{Cc}\\p{Cs}${invisible}"#%/:<>?@\\[\\\\\\]^|]|[${allowedInvisible}])+`;

/** A name, IPv4 or IPv6. */
const host = `(?:${ipv4}|${hostName}|\\[(?:${ipv6})\\])`;

/** 0 to 65535. */
const port = '(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4})';

/** http(s) only, no user name in front of the host (decisions, "portfolio/resume"). */
const webAddress = `^[Hh][Tt][Tt][Pp][Ss]?://${host}(?::${port})?(?:[/?#][^\\s\\p{Cc}\\p{Cs}"<>\\\\]*)?$`;

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
 * A link that a browser may follow.
 * @param label - the field's name, for the messages
 * @param message - said of everything that is none
 */
export function webLink(label: string, message: string) {
  return {
    type: 'string',
    description: label,
    maxLength: maxLength.url,
    pattern: webAddress,
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
