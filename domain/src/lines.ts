/**
 * A line break: CR, LF, CRLF, VT, FF, NEL (U+0085), and the separators of lines and paragraphs (Unicode UAX 14). Mail
 * programs, terminals and readers of CSV files start a new line at any of them.
 */
const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Matches a text that has a line break. */
export const anyLineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;

/** Returns the lines of a text, without their breaks. */
export const linesOf = (text: string): string[] => text.split(lineBreak);

/** Returns a text whose lines all end with a line feed. */
export const withLineFeeds = (text: string): string => text.replace(lineBreak, '\n');

/** Returns a text on one line: a space replaces each line break. */
export const onOneLine = (text: string): string => text.replace(lineBreak, ' ');

/** Returns a text on one line of a terminal, without control characters, which could change what it shows. */
export const terminalLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
