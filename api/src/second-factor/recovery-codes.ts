import { randomInt } from 'node:crypto';
import { recoveryCodeCount } from '@dune-tide/domain/limits';

/** Letters and digits that do not look like each other. */
const codeLetters = 'abcdefghjkmnpqrstuvwxyz23456789';
const codeLength = 26;

/** Generates the recovery codes of an account, 128 random bits each. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: recoveryCodeCount }, () => grouped(randomLetters(codeLength)));
}

/** Returns a code as it is compared: without the spaces and hyphens of its groups, in lower case. */
export const comparableCode = (typed: string): string => typed.replaceAll(/[\s\p{Pd}]/gu, '').toLowerCase();

/** Separates groups of five; the last one has six. */
const grouped = (code: string): string => code.replaceAll(/.{5}(?=.{6})/g, '$&-');

function randomLetters(length: number): string {
  return Array.from({ length }, () => codeLetters.charAt(randomInt(codeLetters.length))).join('');
}
