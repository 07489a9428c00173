import { inflateRawSync } from 'node:zlib';
import { brand } from '@dune-tide/domain/brand';
import { invisible } from '@dune-tide/domain/forms/invisible';
import { minLength } from '@dune-tide/domain/limits';
import { commonPasswords } from './common-passwords.ts';

let known: ReadonlySet<string> | undefined;

/** Decompressed at the first use, because most processes never set a password. */
function isCommon(password: string): boolean {
  known ??= new Set(inflateRawSync(Buffer.from(commonPasswords, 'base64')).toString().split('\n'));
  return known.has(password.trim()) || new Set(password).size === 1;
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
export function passwordWeakness(password: string, username: string): string | undefined {
  if (isCommon(folded(password))) return 'This password is used too often. Please choose another one';
  if (dependsOn(password, username)) return 'Password must not be based on the username';
  if (studioNames.some((name) => dependsOn(password, name)))
    return 'Password must not be based on the name of the studio';
  return undefined;
}

/** Returns whether too little of a password is left without a word. Short words occur in many good passwords. */
function dependsOn(password: string, word: string): boolean {
  const typed = lettersAndDigits(password);
  const avoided = lettersAndDigits(word);
  if (avoided.length < 3) return typed === avoided;
  return typed.includes(avoided) && typed.replaceAll(avoided, '').length < minLength.password;
}
