/** What turns or embeds the direction of all that follows; no name needs it. */
const directions = /[\u202A-\u202E\u2066-\u2069]/g;

/** Letters that read from the right: Hebrew, Arabic and their neighbours. */
const fromRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * A text that somebody typed, for a place beside other plain text whose order it must not change. Markup has `<bdi>`.
 * @returns the text without directions of its own, between U+2068 and U+2069 where it reads from the right
 */
export function isolated(text: string): string {
  const plain = text.replaceAll(directions, '');
  return fromRight.test(plain) ? `\u2068${plain}\u2069` : plain;
}
