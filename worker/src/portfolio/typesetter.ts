import { onOneLine } from '@dune-tide/domain/lines';
import { fontNames, type LoadedFonts } from './fonts.ts';
import type { TextStyle } from './styles.ts';

/** The part of a PDF document that measures text in its embedded fonts. */
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

/** The cost of one more line. It exceeds any cost of uneven lines, so that even lines never need an additional one. */
const lineCost = 1e9;

/**
 * Creates a typesetter.
 * @param document - the document to draw on, so that text has the measured width on its pages
 */
export function createTypesetter(document: FontMetrics, fonts: LoadedFonts): Typesetter {
  for (const name of fontNames) document.registerFont(name, fonts[name]);

  function width(text: string, style: TextStyle): number {
    document.font(style.font);
    document.fontSize(style.size);
    return document.widthOfString(text, { characterSpacing: style.tracking ?? 0 });
  }

  /**
   * Breaks a text into as few lines as possible, and makes these as even as possible. A word that is wider than the line
   * gets its own line, which `fits` (layout.ts) reports.
   */
  function lines(text: string, style: TextStyle, lineWidth: number): string[] {
    const words = onOneLine(text)
      .split(' ')
      .filter((word) => word !== '');
    const space = width(' ', style) + (style.tracking ?? 0) * 2;
    // The end of each word if all words were on one line. The width of any line is then a difference of two ends.
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
