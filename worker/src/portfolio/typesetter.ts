import { fontNames, type LoadedFonts } from './fonts.ts';
import type { TextStyle } from './styles.ts';

/** What the typesetter needs of a PDF document: the widths of its embedded fonts. */
export interface FontMetrics {
  registerFont(name: string, source: Buffer): unknown;
  font(name: string): unknown;
  fontSize(size: number): unknown;
  widthOfString(text: string, options: { characterSpacing: number }): number;
}

/** Measures text and breaks it into lines. */
export interface Typesetter {
  width(text: string, style: TextStyle): number;
  lines(text: string, style: TextStyle, width: number): string[];
}

/** A further line costs more than any raggedness, so that no text gets longer for the sake of its shape. */
const lineCost = 1e9;

/**
 * @param document - measures with its own fonts, so that what fits here fits on the page
 */
export function createTypesetter(document: FontMetrics, fonts: LoadedFonts): Typesetter {
  for (const name of fontNames) document.registerFont(name, fonts[name]);

  function width(text: string, style: TextStyle): number {
    document.font(style.font);
    document.fontSize(style.size);
    return document.widthOfString(text, { characterSpacing: style.tracking ?? 0 });
  }

  /**
   * The fewest lines, of these the most even ones. A word that is wider than the line stands alone on it and is
   * seen by the layout's check.
   */
  function lines(text: string, style: TextStyle, lineWidth: number): string[] {
    const words = text.split(' ').filter((word) => word !== '');
    const space = width(' ', style) + (style.tracking ?? 0) * 2;
    // Where each word would end if all stood on one line: the width of any line is then a difference.
    const ends = [-space];
    for (const word of words) ends.push((ends.at(-1) ?? 0) + space + width(word, style));
    const best: { readonly cost: number; readonly lines: string[] }[] = [{ cost: 0, lines: [] }];
    for (let end = 1; end <= words.length; end += 1) {
      let choice = { cost: Infinity, lines: [] as string[] };
      for (let start = end - 1; start >= 0; start -= 1) {
        const slack = lineWidth - ((ends[end] ?? 0) - (ends[start] ?? 0) - space);
        if (slack < 0 && end - start > 1) break;
        const before = best[start] ?? { cost: Infinity, lines: [] };
        const cost = before.cost + lineCost + Math.max(slack, 0) ** 2;
        if (cost < choice.cost) choice = { cost, lines: [...before.lines, words.slice(start, end).join(' ')] };
      }
      best.push(choice);
    }
    return best.at(-1)?.lines ?? [];
  }

  return { width, lines };
}
