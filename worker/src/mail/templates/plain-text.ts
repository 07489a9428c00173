/** Lines of a text part stay below the 78 characters of RFC 5322 §2.1.1 when they are quoted once. */
const lineLength = 72;

/**
 * Breaks a paragraph at its spaces. A longer word, such as a link, stands on a line of its own.
 * @param paragraph - without line breaks
 * @param indent - put in front of every line but the first
 */
export function wrap(paragraph: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
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

/** Paragraphs as a text part, an empty line between them. */
export const paragraphs = (...texts: readonly string[]): string => `${texts.join('\n\n')}\n`;
