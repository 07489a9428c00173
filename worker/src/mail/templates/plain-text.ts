/** Leaves room for quoting within the 78 characters of RFC 5322 §2.1.1. */
const lineLength = 72;

/**
 * Wraps a paragraph at its spaces. A word that is longer than a line, such as a link, gets its own line.
 * @param paragraph - without line breaks
 * @param indent - prefix of every line except the first
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

/** Joins paragraphs with empty lines between them. */
export const paragraphs = (...texts: readonly string[]): string => `${texts.join('\n\n')}\n`;
