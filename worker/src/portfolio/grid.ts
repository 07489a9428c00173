/** The size of a page in points. 16:9 fills a screen and prints completely on A4 or Letter. */
export const page = { width: 960, height: 540 } as const;

/** The height of a row of the baseline grid. */
export const row = 9;

/** The margins of text. Art and colour reach the edges of the page. */
export const margin = { side: 48, top: 27, bottom: 27 } as const;

/** A vertical line divides all pages: text is on the narrow side, the picture on the wide side. */
export const wide = 576;
export const narrow = page.width - wide;

/** The distance between text and the vertical line. */
export const gutter = 27;

/** The height of the strip that a 4:3 drawing on the wide side leaves free. */
export const stripHeight = page.height - (wide * 3) / 4;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const fullPage: Box = { x: 0, y: 0, ...page };

/**
 * Returns the part of a side of the page that text may use.
 * @param width - the width of the side: `narrow` or `wide`
 */
export function readingColumn(side: 'left' | 'right', width: number): { readonly x: number; readonly width: number } {
  const x = side === 'left' ? margin.side : page.width - width + gutter;
  return { x, width: width - margin.side - gutter };
}
