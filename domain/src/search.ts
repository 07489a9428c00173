import { asciiDigits } from './forms/normalise.ts';
import { invisible } from './forms/invisible.ts';

/*
 * Normalises leads and the words of a search (docs/PRODUCT.md, "Search"). Texts have any length here, so every
 * pattern must run in linear time.
 */

/** The values that a search finds a lead by. The digits of a phone number count as one word. */
export interface SearchedFields {
  readonly texts: readonly string[];
  readonly phones: readonly string[];
}

/**
 * The version of the search texts and of their indexed form. Increase it if `searchText`, `indexedForm` or the fields
 * change: the workers then write the texts of all leads again.
 */
export const searchVersion = 1;

/**
 * A piece of text that a search text contains. If it starts with a space, it is the beginning of a word. It has no
 * characters with a meaning in patterns of LIKE.
 */
export type Fragment = string;

/** The requirement of a word of a search: all fragments of at least one alternative. */
export type SearchTerm = readonly (readonly Fragment[])[];

/** The length from which a word is also found inside other words, in characters. */
const anywhereFrom = 3;

/** A character of a script that has no spaces between words, so that it is found anywhere. Hangul is there as its letters. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
const isUnspaced = (text: string): boolean => unspaced.test(text);

/** The number of digits from which a part of a text counts as a phone number. */
const minPhoneDigits = 7;
/** The number of digits from which a part of a search can be one. */
const minSearchedDigits = 4;

const apostrophes = /['’‘`´]/g;
/**
 * The characters that a search ignores: marks, apostrophes that are letters, tatweel and hamza. A mark without a letter
 * decomposes to a space and a mark, so that space is ignored as well.
 */
const notSearched = new RegExp(` (?=\\p{M})|[\\p{M}ʼʻʹ\\u0640\\u0621${invisible}]`, 'gu');

/** Letters that Unicode does not decompose, and letters of Arabic and Persian that people interchange. */
const sameLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ک: 'ك',
};
const anyOfSameLetters = new RegExp(`[${Object.keys(sameLetters).join('')}]`, 'g');

/**
 * Folds a text: lower case, without accents, diacritics, tatweel, hamza, apostrophes and invisible characters, with one
 * form of each letter and ASCII digits.
 */
function fold(text: string): string {
  // Some letters have one upper case and different lower cases.
  const letters = text.replace(apostrophes, '').normalize('NFKD').toUpperCase().toLowerCase();
  return asciiDigits(
    letters.replace(notSearched, '').replace(anyOfSameLetters, (letter) => sameLetters[letter] ?? letter),
  );
}

const words = /[\p{L}\p{N}]+/gu;
const pictures = /\p{RI}\p{RI}|\p{Extended_Pictographic}/gu;

/** The words between two spaces, e.g. `al` and `harbi` of `al-harbi`. */
const wordsOf = (chunk: string): string[] => chunk.match(words) ?? [];
const picturesOf = (chunk: string): string[] => chunk.match(pictures) ?? [];
const chunksOf = (folded: string): string[] => folded.split(/\s+/);

const phoneParts = /[\d\s()+./\-‐-―−]+/g;

/** Returns the digits of a phone number, without the prefix of international calls and without a "(0)" inside. */
const phoneDigits = (part: string): string => part.replace('(0)', '').replace(/\D/g, '').replace(/^00/, '');

/** A country calling code (ITU-T E.164, "List of assigned country codes"). */
const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** Returns the digits that every way to write a phone number has, whether with a country code or without. */
function nationalDigits(part: string): string {
  const digits = phoneDigits(part);
  const isInternational = /^\s*\(?\s*(?:\+|00)/.test(part) || digits.length > 10;
  const national = isInternational ? digits.replace(countryCode, '') : digits.replace(/^0+/, '');
  return national.length >= minSearchedDigits ? national : digits;
}

/**
 * Returns the search text of a lead: each of its words once, after a space. A text such as an email address or a double
 * name is there as one word, without the characters between its parts, and as those parts that the word does not start
 * with.
 */
export function searchText({ texts, phones }: SearchedFields): string {
  const folded = fold(texts.join('\n'));
  const found = new Set<string>();
  for (const chunk of chunksOf(folded)) {
    const parts = wordsOf(chunk);
    for (const word of [parts.join(''), ...parts.slice(1), ...picturesOf(chunk)]) found.add(word);
  }
  for (const [part] of folded.matchAll(phoneParts)) {
    const digits = phoneDigits(part);
    if (digits.length >= minPhoneDigits) found.add(digits);
  }
  for (const phone of phones) found.add(phoneDigits(fold(phone)));
  found.delete('');
  return ` ${[...found].join(' ')}`;
}

/**
 * Returns what a lead's search text must have for a search: every term. A word without letters, digits and emoji is
 * ignored.
 */
export function searchTerms(search: string): SearchTerm[] {
  const folded = fold(search);
  const terms = new Map<string, SearchTerm>();
  const add = (term: SearchTerm): void => void terms.set(JSON.stringify(term), term);
  let from = 0;
  for (const { 0: part, index } of folded.matchAll(phoneParts)) {
    const digits = phoneDigits(part);
    // Digits inside a word, such as those of an email address, are not a phone number.
    const isApart =
      isBreak(folded[index - 1] ?? ' ', part[0]) && isBreak(part.at(-1), folded[index + part.length] ?? ' ');
    if (digits.length < minSearchedDigits || !isApart) continue;
    wordTerms(folded.slice(from, index)).forEach(add);
    from = index + part.length;
    const asWords = wordTerms(part);
    const wordByWord = asWords.flatMap((term) => term.at(-1) ?? []);
    add(differing([[nationalDigits(part)], [phoneDigits(part)], wordByWord]));
  }
  wordTerms(folded.slice(from)).forEach(add);
  return [...terms.values()];
}

const isBreak = (...characters: readonly (string | undefined)[]): boolean =>
  characters.some((character) => character !== undefined && /\s/.test(character));

function wordTerms(folded: string): SearchTerm[] {
  return chunksOf(folded).flatMap((chunk) => {
    const parts = wordsOf(chunk);
    const pictureTerms = picturesOf(chunk).map((picture): SearchTerm => [[fragmentOf(picture)]]);
    if (parts.length === 0) return pictureTerms;
    return [differing([[fragmentOf(parts.join(''))], parts.map(fragmentOf)]), ...pictureTerms];
  });
}

function differing(alternatives: SearchTerm): SearchTerm {
  return [...new Map(alternatives.map((alternative) => [alternative.join(), alternative])).values()];
}

const fragmentOf = (word: string): Fragment => (isShort(word) && !isUnspaced(word) ? ` ${word}` : word);
const isShort = (word: string): boolean => Array.from(word).length < anywhereFrom;

const symbols = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Replaces each character outside ASCII by a letter or a digit of ASCII. An index that only knows the letters of ASCII
 * serves other alphabets with it (ADR 0018). A text that contains another one still does so after the replacement.
 */
export function asciiForm(text: string): string {
  return text.replace(/[^ -~]/gu, (character) => symbols.charAt((character.codePointAt(0) ?? 0) % symbols.length));
}

/** Precedes the code of a character in an indexed text. No other text has it. */
export const codeMark = '~';

/** Returns the code of each character of a script without spaces, once, e.g. `~k84`. */
function codesOf(text: string): string[] {
  const characters = new Set(Array.from(text).filter(isUnspaced));
  return Array.from(characters, (character) => {
    return codeMark + (character.codePointAt(0) ?? 0).toString(symbols.length).padStart(anywhereFrom, '0');
  });
}

/**
 * Returns the form in which a search text is indexed: in ASCII, with the codes of its characters that have no spaces
 * between words. An index of three letters finds one or two of these characters by their codes.
 */
export const indexedForm = (text: string): string => [asciiForm(text), ...codesOf(text)].join(' ');

/** Returns the parts that the indexed form of each text with a fragment has. */
export const indexedParts = (fragment: Fragment): readonly string[] =>
  isShort(fragment.trim()) && isUnspaced(fragment) ? codesOf(fragment) : [asciiForm(fragment)];

/** A part of a text, as offsets for `slice`. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the parts of a text that a search has found, in their order, without overlaps. */
export function foundIn(text: string, terms: readonly SearchTerm[]): TextRange[] {
  const fragments = new Set(terms.flat(2));
  if (fragments.size === 0) return [];
  const letters = lettersOf(text);
  const digits = letters.filter(({ letter }) => /\d/.test(letter));
  const found = [...fragments].flatMap((fragment) =>
    /^\d+$/.test(fragment) ? placesOf(fragment, digits) : placesOf(fragment, letters),
  );
  const ranges: TextRange[] = [];
  for (const { from, to } of found.sort((a, b) => a.from - b.from)) {
    const last = ranges.at(-1);
    if (last && from <= last.to) ranges[ranges.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else ranges.push({ from, to });
  }
  return ranges;
}

interface FoldedLetter extends TextRange {
  readonly letter: string;
  readonly isFirst: boolean;
}

/** Folds a text letter by letter, without the characters that a search ignores. */
function lettersOf(text: string): FoldedLetter[] {
  const letters: FoldedLetter[] = [];
  let isFirst = true;
  let from = 0;
  for (const character of text) {
    const to = from + character.length;
    const folded = fold(character);
    const last = letters.at(-1);
    // A mark belongs to the letter before it.
    if (folded === '' && last?.to === from) letters[letters.length - 1] = { ...last, to };
    const isSearched = wordsOf(folded).length > 0 || picturesOf(folded).length > 0;
    if (isSearched) for (const letter of folded) letters.push({ letter, from, to, isFirst });
    if (folded !== '') isFirst = !isSearched;
    from = to;
  }
  return letters;
}

function placesOf(fragment: Fragment, letters: readonly FoldedLetter[]): TextRange[] {
  const wanted = Array.from(fragment.trim());
  return letters.flatMap((first, index) => {
    if (isBeginning(fragment) && !first.isFirst) return [];
    const last = letters[index + wanted.length - 1];
    const isHere = last && wanted.every((letter, offset) => letters[index + offset]?.letter === letter);
    return isHere ? [{ from: first.from, to: last.to }] : [];
  });
}

const isBeginning = (fragment: Fragment): boolean => fragment.startsWith(' ');
