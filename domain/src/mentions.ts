import { normalUsername } from './forms/normalise.ts';

/** A mention in a text, from `@` to the end of the username. */
export interface Mention {
  readonly from: number;
  readonly to: number;
  /** The spelling of the account. */
  readonly username: string;
}

/** An `@` that does not belong to an email address or another word. */
const sign = /(?<![A-Za-z0-9._%+@/=-])[@＠]/gu;
/** The longest text that can be a username; a normal form is shorter than the text if it has invisible characters. */
const candidate = /^[^\s@＠]{1,150}/u;
const inWord = /^[\p{L}\p{M}\p{N}_]/u;
/** Scripts without spaces between words, and hangul, whose particles follow a name without a space. */
const inJoinedWord =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns what two spellings of a username have in common. */
export const foldedUsername = (username: string): string => normalUsername(username).toLowerCase();

/**
 * Finds the usernames that a text mentions as `@username`, in any script and in upper or lower case (docs/PRODUCT.md,
 * "Notifications"). Of usernames that start alike, the longest counts.
 * @param usernames - those of the team
 */
export function mentionsIn(text: string, usernames: readonly string[]): readonly Mention[] {
  const known = new Map(usernames.map((username) => [foldedUsername(username), username]));
  const longest = Math.max(0, ...[...known.keys()].map((username) => username.length));
  const mentions: Mention[] = [];
  for (const { index } of text.matchAll(sign)) {
    const [typed = ''] = candidate.exec(text.slice(index + 1, index + 152)) ?? [];
    // Invisible characters make a spelling longer than its normal form.
    const characters = Array.from(typed).slice(0, longest + 10);
    for (; characters.length > 0; characters.pop()) {
      const spelling = characters.join('');
      const to = index + 1 + spelling.length;
      const username = isWordEnd(text.slice(to, to + 2)) ? known.get(foldedUsername(spelling)) : undefined;
      if (username === undefined) continue;
      mentions.push({ from: index, to, username });
      break;
    }
  }
  return mentions;
}

const isWordEnd = (rest: string): boolean => !inWord.test(rest) || inJoinedWord.test(rest);

/** The username that is being typed at the caret, for the completion. */
export interface TypedMention {
  /** The place of the `@`. */
  readonly from: number;
  /** The text between it and the caret. */
  readonly typed: string;
}

/** Returns the mention that is being typed; undefined if the caret is not behind an `@` and the start of a username. */
export function typedMention(text: string, caret: number): TypedMention | undefined {
  const before = text.slice(Math.max(0, caret - 152), caret);
  const last = [...before.matchAll(sign)].at(-1);
  if (!last) return undefined;
  const typed = before.slice(last.index + 1);
  return /[\s@＠]/u.test(typed) ? undefined : { from: caret - typed.length - 1, typed };
}
