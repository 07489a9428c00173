import { maxLength } from '../limits.ts';
import { hostnameOf } from './hostname.ts';
import { invisible } from './invisible.ts';

/*
 * Normalises values, so that none is rejected for characters that a person cannot see or rules that a person cannot be
 * expected to know (docs/PRODUCT.md, "Normalisation"). Lengths are not checked yet, so every pattern must run in linear
 * time.
 */

/** The kinds of one-line fields, which are normalised in different ways. */
export type LineKind = 'line' | 'username' | 'code' | 'phone' | 'email' | 'link';

/** Matches text that only needs to be trimmed. Most text is of this kind. */
const printableAscii = /^[ -~]*$/;

const tabsAndLineBreaks = /[\t-\r\u0085\u2028\u2029]+/g;
const spaces = /\p{Zs}/gu;
/** Control characters except U+0000, which no field accepts (docs/PRODUCT.md, "Text rules"). */
const controls = /[^\P{Cc}\0]/gu;

/**
 * Invisible characters without a meaning in one line: hyphenation and break hints, the byte order mark, and the
 * embeddings and isolates that other programs put around copied text. Joiners and variation selectors are part of words
 * and emoji, and direction marks are typed on purpose.
 */
const meaningless = /[\u00ad\u200b\u202a-\u202e\u2060-\u206f\ufeff]/g;

const isAtTheEnds = /[\s\u061c\u200e\u200f]/;

/** Normalises text on one line: tabs, line breaks and special spaces become spaces; the ends are trimmed. */
export function normaliseLine(text: string): string {
  if (printableAscii.test(text)) return text.trim();
  const line = text.replace(tabsAndLineBreaks, ' ').replace(spaces, ' ').replace(controls, '').replace(meaningless, '');
  // A regular expression for both ends would take quadratic time for long texts.
  let [from, to] = [0, line.length];
  while (from < to && isAtTheEnds.test(line.charAt(from))) from++;
  while (to > from && isAtTheEnds.test(line.charAt(to - 1))) to--;
  return line.slice(from, to);
}

const anyInvisible = new RegExp(`[${invisible}]`, 'gu');
const withoutInvisible = (text: string): string => normaliseLine(text).replace(anyInvisible, '').trim();

/**
 * Normalises a username (Unicode NFKC), so that variants of a letter, e.g. full-width ones, are the same letter, and
 * removes what is invisible. Similar letters of different alphabets stay different.
 */
export function normalUsername(username: string): string {
  // Without a joiner between them, a letter and its accent can become one letter.
  return withoutInvisible(username.normalize('NFKC')).normalize('NFKC');
}

const fullWidth = /[\uff01-\uff5e]/g;
const ideographicStops = /[\u3002\uff61]/g;

/** Replaces full-width characters, which East Asian input methods produce, with ASCII characters. */
const halfWidth = (text: string): string =>
  text
    .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(ideographicStops, '.');

/** The zeros of the decimal digits that are in use besides ASCII. In Unicode, the digits 1 to 9 follow each zero. */
const zeros = Array.from('٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐', (zero) => zero.charCodeAt(0));
const foreignDigit = /[^\P{Nd}0-9]/gu;

function asciiDigit(character: string): string {
  const code = character.charCodeAt(0);
  const zero = zeros.find((first) => code >= first && code <= first + 9);
  return zero === undefined ? character : String(code - zero);
}

/** Replaces the decimal digits of other scripts by those of ASCII. */
export function asciiDigits(text: string): string {
  return text.replace(foreignDigit, asciiDigit);
}

const minusSigns = /[\u2212\ufe63]/g;

/** Normalises a phone number to digits that can be dialled. Its separators and words stay. */
export function normalisePhone(text: string): string {
  return asciiDigits(halfWidth(withoutInvisible(text))).replace(minusSigns, '-');
}

/** Normalises a code of the second factor: Base32 or decimal digits, as any keyboard has them. */
const normaliseCode = (text: string): string => asciiDigits(halfWidth(withoutInvisible(text))).replace(minusSigns, '-');

const opening = new Set('<("\'“”„‘«[');
const closing = new Set('>)"\'“”’»].,;:،؛、');

/** Removes the punctuation that surrounds an address in a sentence or in a list of addresses. */
function withoutPunctuation(text: string, ends: ReadonlySet<string> = closing): string {
  // A regular expression for both ends would take quadratic time for long texts.
  let [from, to] = [0, text.length];
  while (to > from && (ends.has(text.charAt(to - 1)) || text.charAt(to - 1) === ' ')) to--;
  while (from < to && (opening.has(text.charAt(from)) || text.charAt(from) === ' ')) from++;
  return text.slice(from, to);
}

const mailScheme = /^mailto: */i;

/** Returns the address of an entry such as `Noura <noura@example.com>` or `mailto:noura@example.com?subject=Hello`. */
function bareAddress(text: string): string {
  const entry = withoutPunctuation(text);
  const inside = withoutPunctuation(entry.slice(entry.lastIndexOf('<') + 1));
  // With a second address it is unclear which one is meant.
  const address = inside.includes('@') && entry.indexOf('@') === entry.lastIndexOf('@') ? inside : entry;
  const [recipient = '', ...rest] = mailScheme.test(address) ? address.replace(mailScheme, '').split('?') : [address];
  const [mailbox = '', domain, another] = (rest.length === 0 ? recipient : withoutPunctuation(recipient)).split('@');
  return domain === undefined || another !== undefined ? recipient : `${mailbox.trimEnd()}@${domain.trimStart()}`;
}

/** Matches a host without characters that would end it in a URL or that browsers remove from its end. */
const onlyAHost = /^[^\s\p{Cc}/?#@:\\%[\]]+$/u;

/**
 * Normalises an email address. A domain in another alphabet becomes Punycode, which every mail server accepts. Other
 * alphabets before the `@` stay as they are: they are a different mailbox, and few mail servers support them.
 */
function normaliseEmail(text: string): string {
  const address = bareAddress(halfWidth(withoutInvisible(text)));
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at === -1 || printableAscii.test(domain) || domain.length > maxLength.email || !onlyAHost.test(domain))
    return address;
  return address.slice(0, at + 1) + (hostnameOf(`http://${domain}`) ?? domain);
}

const marks = /[\u061c\u200e\u200f]/g;
/** Browsers remove these from URLs. They come from links that were wrapped when they were copied. */
const wraps = /[\t\n\r]/g;
const start = /^[^/?#／？＃]*(?:[/／]{2}[^/?#／？＃]*)?/u;
/** A host as people write it: with a dot, without a scheme or a user name, and with a name as its top level. */
const bareHost =
  /^(?:[\p{L}\p{M}\p{N}\p{Join_Control}_-]+\.)+\p{L}[\p{L}\p{M}\p{N}\p{Join_Control}-]+(?::\d{1,5})?(?:[/?#]|$)/u;

/** `http://` or `https://`, also mistyped: without a letter, the colon or a slash, or with one too many. */
const scheme = /^(?:h{0,2}t{1,3}p{1,2}(s{0,2})(?:[:;.]? ?[/\\]{1,3}|[:;])|[/\\]{2}) ?/i;
const endsOfLinks = new Set('>"”»,;،؛');

/** Normalises a link: mends its scheme, or adds one to its host. A host in another alphabet stays readable. */
function normaliseLink(text: string): string {
  const line = normaliseLine(text.replace(wraps, '')).replace(marks, '');
  const [beginning = ''] = start.exec(line) ?? [];
  const typed = beginning === halfWidth(beginning) ? line : halfWidth(line);
  const address = withoutPunctuation(typed, endsOfLinks);
  let rest = address;
  let prefix = 'https://';
  // A scheme may have been pasted behind another one.
  for (let found = scheme.exec(rest); found; found = scheme.exec(rest)) {
    rest = rest.slice(found[0].length);
    prefix = found[1] === '' ? 'http://' : 'https://';
  }
  return bareHost.test(rest) ? prefix + rest : address;
}

const normalisers: Readonly<Record<LineKind, (text: string) => string>> = {
  line: normaliseLine,
  username: normalUsername,
  code: normaliseCode,
  phone: normalisePhone,
  email: normaliseEmail,
  link: normaliseLink,
};

/** Words for "none" that people enter into an optional field, without spaces and punctuation. */
const noneWords = new Set(
  `na no none nil nothing null notapplicable notavailable notyet tbd x
  لا لايوجد لاشيء لاينطبق بدون ندارم ندارد なし 無し 无 無 없음
  nenhum nenhuma não ninguno ninguna aucun keine nein yok нет geen`.split(/\s+/),
);
const separators = /(?:(?!@)[\s\p{P}])+/gu;

/** Returns whether a text only says "none", e.g. "N/A" or "-". */
export function saysNone(text: string): boolean {
  if (text.length > 40) return false;
  const word = text.normalize('NFC').toLowerCase().replace(separators, '');
  return word === '' || noneWords.has(word);
}

/**
 * Normalises what was entered into a field.
 * @param kind - the kind of a one-line field; undefined for a text on any number of lines, which is only trimmed
 */
export function normalise(kind: LineKind | undefined, text: string): string {
  return kind === undefined ? text.trim() : normalisers[kind](text);
}
