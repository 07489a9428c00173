import { asciiDigits } from '@dune-tide/domain/forms/normalise';

/** The addresses and phone numbers that identify a person in a text, as the person or staff typed them. */
export interface Identifiers {
  readonly addresses: readonly string[];
  readonly phones: readonly string[];
}

/** The number of digits from which a text is a phone number, and the largest number of digits of a country code. */
const [minPhoneDigits, maxCountryCode] = [7, 3];

/** The largest number of groups in which digits of a number are written. */
const maxGroups = 15;

/** Matches the text between two groups of digits of a number. */
const betweenDigits = /^[\s()+./\u2010-\u2015\u2212-]{1,3}$/u;

/**
 * Returns a function that removes whole addresses and phone numbers from a text, and the quotes or brackets around them. Parts of them,
 * and longer addresses and numbers that contain them, stay. A text without them is returned unchanged.
 */
export function identifierRemoval({ addresses, phones }: Identifiers): (text: string) => string {
  const patterns = addresses.filter((address) => address !== '').map(wholeAddress);
  const numbers = phones.flatMap(numbersIn);
  return (text) => {
    const withoutAddresses = patterns.reduce((rest, pattern) => rest.replaceAll(pattern, ' '), text);
    const rest = numbers.length === 0 ? withoutAddresses : withoutNumbers(withoutAddresses, numbers);
    return rest === text ? text : tidied(rest);
  };
}

/** Matches an address that is not a part of a longer one. */
function wholeAddress(address: string): RegExp {
  const escaped = address.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
  // Quotes, "=" and "/" may stand before an address, although a local part can contain them.
  const before = String.raw`(?<![\p{L}\p{M}\p{N}.!#$%&*+?^_\x60{|}~-]|[\p{L}\p{M}\p{N}]')`;
  const after = String.raw`(?![\p{L}\p{M}\p{N}_@-]|\.[\p{L}\p{N}])`;
  return new RegExp(before + escaped + after, 'giu');
}

/** Returns the digits of the numbers in an answer, which may have words and several numbers. */
function numbersIn(answer: string): string[] {
  const runs = answer.match(/[\p{Nd}\s()+./\u2010-\u2015\u2212-]+/gu) ?? [];
  const numbers = [...runs, ...runs.flatMap((run) => run.split('/'))].flatMap((run) => [
    significant(run),
    significant(run.replaceAll(trunkPrefix, '')),
  ]);
  return [...new Set(numbers)].filter((digits) => digits.length >= minPhoneDigits);
}

/** The zero of national calls in an international number. */
const trunkPrefix = /\(\s*[0\u0660\u06f0]\s*\)/gu;

/** Returns the digits of a text without its leading zeros. */
const significant = (text: string): string => asciiDigits(text).replaceAll(/\D/g, '').replace(/^0+/, '');

/** Removes the longest sequences of whole groups of digits that are one of the numbers. */
function withoutNumbers(text: string, numbers: readonly string[]): string {
  const groups = [...text.matchAll(/\p{Nd}+/gu)].map(({ 0: { length }, index }) => [index, index + length] as const);
  let rest = '';
  let copied = 0;
  for (let first = 0; first < groups.length; first++) {
    const start = groups[first]?.[0] ?? 0;
    let found: number | undefined;
    for (let last = first; last < Math.min(groups.length, first + maxGroups); last++) {
      const end = groups[last]?.[1] ?? 0;
      if (last > first && !betweenDigits.test(text.slice(groups[last - 1]?.[1], groups[last]?.[0]))) break;
      const part = text.slice(start, end);
      const written = [significant(part), significant(part.replaceAll(trunkPrefix, ''))];
      const isNumber = numbers.some((number) => written.some((digits) => isSame(digits, number)));
      if (isNumber) found = last;
    }
    if (found === undefined) continue;
    rest += `${text.slice(copied, start).replace(/[(+\s]+$/u, '')} `;
    copied = groups[found]?.[1] ?? text.length;
    first = found;
  }
  return rest + text.slice(copied);
}

/** Returns whether one number is the other with or without a country code. */
function isSame(one: string, other: string): boolean {
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return short.length >= minPhoneDigits && long.length - short.length <= maxCountryCode && long.endsWith(short);
}

/** Removes what was around an identifier. @returns an empty text if nothing is left to read */
function tidied(text: string): string {
  const rest = text
    .replaceAll(/["'“”„«<([]\s+["'”“»>)\]]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(rest) ? rest : '';
}
