import { linesOf, onOneLine, withLineFeeds } from '@dune-tide/domain/lines';

/** Leaves room for quoting within the 78 characters of RFC 5322 §2.1.1. */
const lineLength = 72;

/**
 * Wraps a paragraph at its spaces. A word that is longer than a line, such as a link, gets its own line.
 * @param paragraph - a space replaces each of its line breaks
 * @param indent - prefix of every line except the first
 */
export function wrap(paragraph: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of onOneLine(paragraph).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > lineLength && line !== '') {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join('\n');
}

/** Joins paragraphs with empty lines between them. */
export const paragraphs = (...texts: readonly string[]): string => `${texts.join('\n\n')}\n`;

/** Splits a text into its paragraphs, which empty lines separate. */
export function textParagraphs(text: string): readonly string[] {
  return withLineFeeds(text)
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
}

/** Returns whether the first letter of a text is of a script that is written from right to left (Unicode UAX 9, P2). */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}

/** A part of a line; with `url`, it is a link. */
interface LinePart {
  readonly text: string;
  readonly url?: string;
}

/** Splits a line at its web addresses. Punctuation at the end of an address is not a part of it. */
export function linkedParts(line: string): readonly LinePart[] {
  const parts: LinePart[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(/\bhttps?:\/\/[^\s<>"\u2066-\u2069\u200e\u200f]+/giu)) {
    const url = withoutPunctuation(found);
    if (!URL.canParse(url)) continue;
    parts.push({ text: line.slice(end, index) }, { text: url, url });
    end = index + url.length;
  }
  return [...parts, { text: line.slice(end) }].filter(({ text }) => text !== '');
}

/** A closing bracket is a part of an address only if its opening bracket is. */
function withoutPunctuation(address: string): string {
  let loose = count(address, ')') - count(address, '(');
  let end = address.length;
  for (;;) {
    const last = address.charAt(end - 1);
    if (last === ')' && loose > 0) loose -= 1;
    else if (!/[.,;:!?'*_~\]}،؛؟…]/u.test(last)) return address.slice(0, end);
    end -= 1;
  }
}

const count = (text: string, character: string): number => text.split(character).length - 1;

/** Shortens a text at a word, and marks that with an ellipsis. Its lines end with a line feed. */
export function shortened(text: string, limits: { readonly characters: number; readonly lines: number }): string {
  const whole = text.trim();
  const lines = linesOf(whole).slice(0, limits.lines).join('\n');
  const characters = Array.from(lines);
  if (characters.length <= limits.characters) return lines === withLineFeeds(whole) ? lines : `${lines.trimEnd()} …`;
  const cut = characters.slice(0, limits.characters).join('');
  const lastWord = cut.search(/\s\S*$/u);
  return `${(lastWord > 0 ? cut.slice(0, lastWord) : cut).trimEnd()} …`;
}
