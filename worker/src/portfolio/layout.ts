import type { Art } from '@dune-tide/domain/art/art';
import type { Ink } from '@dune-tide/domain/brand';
import { fonts } from './fonts.ts';
import type { Box } from './grid.ts';
import type { TextStyle } from './styles.ts';
import type { Typesetter } from './typesetter.ts';

/** The structure type of a text in the tagged PDF. Screen readers skip artifacts. */
export type TextTag = 'H1' | 'H2' | 'P' | 'LBody' | 'Link' | 'Artifact';

/** Lines of text whose first baseline is at `baseline`. */
export interface TextBlock {
  readonly kind: 'text';
  readonly tag: TextTag;
  readonly lines: readonly string[];
  /** The measured width of the longest line. */
  readonly setWidth: number;
  readonly style: TextStyle;
  readonly ink: Ink;
  readonly x: number;
  readonly baseline: number;
  /** The width that the lines may use. */
  readonly width: number;
  /** The lowest point that the text may reach. */
  readonly bottom: number;
  readonly align: 'left' | 'right';
  readonly link?: string;
}

/** A drawing that covers its box and is clipped to it. */
export interface Picture {
  readonly kind: 'picture';
  readonly art: Art;
  readonly box: Box;
}

/** Colour and lines that have no meaning for screen readers. */
export interface Decoration {
  readonly kind: 'decoration';
  /** SVG path data in points of the page. */
  readonly path: string;
  readonly fill?: Ink;
  readonly stroke?: Ink;
  readonly strokeWidth?: number;
}

/** A list, or one of its items. */
export interface Group {
  readonly kind: 'group';
  readonly tag: 'L' | 'LI';
  readonly elements: readonly PageElement[];
}

export type PageElement = TextBlock | Picture | Decoration | Group;

/** A page before it is drawn. Its elements are in the order in which they are drawn and read. */
export interface PageLayout {
  /** The title of its bookmark. */
  readonly title: string;
  readonly elements: readonly PageElement[];
}

/** The position and properties of a text. */
export interface TextPlace {
  readonly x: number;
  readonly baseline: number;
  readonly width: number;
  /** The lowest point that the text may reach; the end of the first line by default. */
  readonly bottom?: number;
  readonly ink: Ink;
  readonly tag?: TextTag;
  readonly align?: TextBlock['align'];
  readonly link?: string;
}

/** Returns the lowest point that the letters of a text reach. */
const reach = (baseline: number, lineCount: number, style: TextStyle): number =>
  baseline + (lineCount - 1) * style.leading + fonts[style.font].fall * style.size;

/**
 * Typesets a text in the first of the given styles in which it fits its place, or in the last one.
 * @param text - a single paragraph
 * @param choices - the styles, from the largest to the smallest
 */
export function setText(
  typesetter: Typesetter,
  text: string,
  choices: readonly TextStyle[],
  place: TextPlace,
): TextBlock {
  const blocks = choices.map((style): TextBlock => {
    const lines = typesetter.lines(text, style, place.width);
    return {
      kind: 'text',
      tag: place.tag ?? 'P',
      lines,
      setWidth: Math.max(...lines.map((line) => typesetter.width(line, style))),
      style,
      ink: place.ink,
      x: place.x,
      baseline: place.baseline,
      width: place.width,
      bottom: place.bottom ?? reach(place.baseline, 1, style),
      align: place.align ?? 'left',
      ...(place.link === undefined ? {} : { link: place.link }),
    };
  });
  const [first] = blocks;
  if (first === undefined) throw new RangeError('A text needs at least one style.');
  return blocks.find(fits) ?? blocks.at(-1) ?? first;
}

const lastBaseline = (block: TextBlock): number => block.baseline + (block.lines.length - 1) * block.style.leading;

/** Returns the next baseline on the grid that is at least `distance` below a text. */
export const below = (block: TextBlock, distance: number, grid: number): number =>
  Math.ceil((lastBaseline(block) + distance) / grid) * grid;

/** Returns the box that the letters of a text occupy. */
export function inkBox(block: TextBlock): Box {
  const y = block.baseline - fonts[block.style.font].rise * block.style.size;
  const x = block.align === 'left' ? block.x : block.x + block.width - block.setWidth;
  return { x, y, width: block.setWidth, height: reach(block.baseline, block.lines.length, block.style) - y };
}

/** Returns whether a text stays inside its place. */
export function fits(block: TextBlock): boolean {
  const box = inkBox(block);
  return block.setWidth <= block.width && box.y + box.height <= block.bottom;
}

/** Returns a filled rectangle. */
export function band(box: Box, fill: Ink): Decoration {
  return { kind: 'decoration', path: `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}Z`, fill };
}

/** Returns a thin horizontal line. */
export function rule(x: number, y: number, width: number, stroke: Ink): Decoration {
  return { kind: 'decoration', path: `M${x} ${y}h${width}`, stroke, strokeWidth: 0.75 };
}
