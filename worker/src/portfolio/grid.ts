/** The page in points: 16:9, so that it fills a screen, and prints on A4 or Letter without loss. */
export const page = { width: 960, height: 540 } as const;

/** Every baseline stands on a multiple of this. */
export const row = 9;

/** What is read keeps away from the edges by this much; art and colour bleed over them. */
export const margin = { side: 48, top: 27, bottom: 27 } as const;

/** The vertical that all pages share: the narrow side is for reading, the wide side for the picture. */
export const wide = 576;
export const narrow = page.width - wide;

/** Between a text and the vertical. */
export const gutter = 27;

/** A 4:3 drawing on the wide side leaves a strip of this height. */
export const stripHeight = page.height - (wide * 3) / 4;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The whole page. */
export const fullPage: Box = { x: 0, y: 0, ...page };

/**
 * A side of the page inside its margins.
 * @param side - where it lies
 * @param width - `narrow` or `wide`
 * @returns the left edge and the width that a text may take
 */
export function readingColumn(side: 'left' | 'right', width: number): { readonly x: number; readonly width: number } {
  const x = side === 'left' ? margin.side : page.width - width + gutter;
  return { x, width: width - margin.side - gutter };
}
