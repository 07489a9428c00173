import { linesOf } from './lines.ts';

const maxBlankLines = 2;

/**
 * Returns the lines of a text as a page shows them: with at most two blank lines in a row. A text of blank lines would
 * otherwise be as high as a hundred screens.
 */
export function shownLines(text: string): readonly string[] {
  let blank = 0;
  return linesOf(text).filter((line) => {
    blank = line.trim() === '' ? blank + 1 : 0;
    return blank <= maxBlankLines;
  });
}

/** The number of lines of a long text that a page shows at first. */
const firstLines = 40;

/** Returns the first lines of a text, and the rest if it is worth folding. */
export function foldedLines(text: string): { readonly first: string; readonly rest: string; readonly count: number } {
  const lines = shownLines(text);
  const shown = lines.length > firstLines + 5 ? firstLines : lines.length;
  return { first: lines.slice(0, shown).join('\n'), rest: lines.slice(shown).join('\n'), count: lines.length };
}
