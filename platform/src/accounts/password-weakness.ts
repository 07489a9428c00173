import { inflateRawSync } from 'node:zlib';
import { brand } from '@dune-tide/domain/brand';
import { invisible } from '@dune-tide/domain/forms/invisible';
import { minLength } from '@dune-tide/domain/limits';
import type { MatchExtended, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { commonPasswords } from './common-passwords.ts';

/** The part of a password that is estimated, in UTF-16 units. The time grows with its square. */
const estimatedLength = 32;

let known: ReadonlySet<string> | undefined;

/** Decompressed at the first use, because most processes never set a password. */
function isCommon(password: string): boolean {
  known ??= new Set(inflateRawSync(Buffer.from(commonPasswords, 'base64')).toString().split('\n'));
  return known.has(password.trim());
}

let opened: Promise<ZxcvbnFactory> | undefined;

/** Loaded at the first use, because the dictionaries take 45 MB. */
function estimator(): Promise<ZxcvbnFactory> {
  opened ??= (async () => {
    const [{ ZxcvbnFactory: Estimator }, common, english] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
      import('@zxcvbn-ts/language-en'),
    ]);
    const { 'lastnames-en': _rare, ...words } = english.dictionary;
    return new Estimator({
      dictionary: { ...common.dictionary, ...words },
      graphs: common.adjacencyGraphs,
      // The default of 100 takes 400 ms for 32 characters.
      l33tMaxSubstitutions: 2,
    });
  })();
  return opened;
}

const invisibleCharacters = new RegExp(`[${invisible}]`, 'gu');

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(invisibleCharacters, '');
const lettersAndDigits = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]/gu, '');

const studioNames = [brand.name, brand.name.replace('&', 'and')];

/**
 * Returns why a new password is too easy to guess (docs/PRODUCT.md, "Passwords"; NIST SP 800-63B, 5.1.1.2).
 * @param username - of the account that gets the password
 * @returns a message for the form; undefined if the password can be used
 */
export async function passwordWeakness(password: string, username: string): Promise<string | undefined> {
  if (isCommon(folded(password))) return 'This password is used too often. Please choose another one';
  if (dependsOn(password, username)) return 'Password must not be based on the username';
  if (studioNames.some((name) => dependsOn(password, name)))
    return 'Password must not be based on the name of the studio';
  if (await isGuessable(password, username))
    return 'This password is easy to guess. Please use several unrelated words or a password manager';
  return undefined;
}

/** Returns whether too little of a password is left without a word. Short words occur in many good passwords. */
function dependsOn(password: string, word: string): boolean {
  const typed = lettersAndDigits(password);
  const avoided = lettersAndDigits(word);
  if (avoided.length < 3) return typed === avoided;
  return typed.includes(avoided) && typed.replaceAll(avoided, '').length < minLength.password;
}

/**
 * Returns whether the estimate for a password is below 10^8 guesses (repeated words, rows of keys, dates, common words),
 * or below 10^10 if it is one word with digits or signs around it.
 */
async function isGuessable(password: string, username: string): Promise<boolean> {
  const typed = folded(password).slice(0, estimatedLength);
  const { score, sequence } = (await estimator()).check(typed, [username, ...studioNames]);
  return score < 3 || (score < 4 && isOneWord(sequence));
}

function isOneWord(sequence: readonly MatchExtended[]): boolean {
  const [first, ...others] = sequence.filter(({ token }) => /\p{L}/u.test(token));
  return first?.pattern === 'dictionary' && others.length === 0;
}
