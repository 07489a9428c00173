import type { Ink } from '../brand.ts';

/**
 * One drawn path. `d` is SVG path data (absolute M, L, C and Z) in the art's own coordinates; a shape has a fill, a
 * stroke or both. Strokes have round caps and joins.
 */
export interface Shape {
  readonly d: string;
  readonly fill?: Ink;
  readonly stroke?: Ink;
  readonly strokeWidth?: number;
  readonly opacity?: number;
  readonly dash?: readonly number[];
}

/** A drawing of our own as data, so that the site (SVG) and the PDF (paths) show the same picture. */
export interface Art {
  readonly width: number;
  readonly height: number;
  /** What the picture shows, for readers who do not see it. */
  readonly alt: string;
  /** Painted in order, the first at the back. */
  readonly shapes: readonly Shape[];
}
