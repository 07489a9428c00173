/** Control characters that override or embed a text direction; names never need them. */
const directions = /[\u202A-\u202E\u2066-\u2069]/g;

/** Letters of right-to-left scripts: Hebrew, Arabic and related ones. */
const fromRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Isolates user text, so that it does not change the order of the plain text around it. In markup use `<bdi>`.
 * @returns the text without its own direction characters, between U+2068 and U+2069 if it is right to left
 */
export function isolated(text: string): string {
  const plain = text.replaceAll(directions, '');
  return fromRight.test(plain) ? `\u2068${plain}\u2069` : plain;
}
