import type { Ink } from '../brand.ts';

/**
 * A path of a drawing. `d` is SVG path data (absolute M, L, C and Z) in the coordinates of the drawing. A shape has a
 * fill, a stroke or both. Strokes have round caps and joins.
 */
export interface Shape {
  readonly d: string;
  readonly fill?: Ink;
  readonly stroke?: Ink;
  readonly strokeWidth?: number;
  readonly opacity?: number;
  readonly dash?: readonly number[];
}

/** A drawing as data, so that the site (SVG) and the PDF (paths) render the same picture. */
export interface Art {
  readonly width: number;
  readonly height: number;
  /** How far the background continues on each side of the frame, if the drawing can fill boxes of another shape. */
  readonly bleed?: number;
  /** The text alternative. */
  readonly alt: string;
  /** The shapes from back to front. */
  readonly shapes: readonly Shape[];
}

/** A text of a screen. `x` and `y` are the start of its baseline, or its middle or end if it has an anchor. */
export interface ScreenText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly ink: Ink;
  /** The headline font, or the text font in one of two weights; regular by default. */
  readonly face?: 'display' | 'bold';
  readonly anchor?: 'middle' | 'end';
}

/** A drawing of a product's screen with the texts on it, for the pages of the case studies. */
export interface Screen extends Art {
  readonly texts: readonly ScreenText[];
}
