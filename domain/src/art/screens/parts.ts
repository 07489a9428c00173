import type { Ink } from '../../brand.ts';
import type { Screen, ScreenText, Shape } from '../art.ts';
import type { Box, Point } from '../shapes.ts';
import {
  circle,
  curve,
  ellipse,
  faint,
  filled,
  outline,
  polygon,
  polyline,
  range,
  rect,
  segment,
  stroked,
} from '../shapes.ts';

/*
 * The parts from which the screens of the case studies are drawn: devices, windows and the pieces of an interface.
 * Coordinates are those of the screen. Parts are listed from back to front.
 */

/** Shapes with the texts on them. */
export interface Part {
  readonly shapes: readonly Shape[];
  readonly texts: readonly ScreenText[];
}

const sizes = { wide: { width: 800, height: 600 }, tall: { width: 400, height: 600 } } as const;

/** Returns a screen on a colored ground, in landscape (4:3) or portrait format (2:3). */
export function screen(format: keyof typeof sizes, ground: Ink, alt: string, ...parts: readonly Part[]): Screen {
  const { width, height } = sizes[format];
  return {
    width,
    height,
    alt,
    shapes: [filled(ground, rect(0, 0, width, height)), ...parts.flatMap(({ shapes }) => shapes)],
    texts: parts.flatMap(({ texts }) => texts),
  };
}

/** Returns shapes as a part. */
export const drawn = (...shapes: readonly Shape[]): Part => ({ shapes, texts: [] });

/** Returns several parts as one. */
export const group = (...parts: readonly Part[]): Part => ({
  shapes: parts.flatMap(({ shapes }) => shapes),
  texts: parts.flatMap(({ texts }) => texts),
});

type Style = Pick<ScreenText, 'face' | 'anchor'>;

/** Returns a line of text. */
export const write = (text: string, [x, y]: Point, size: number, ink: Ink, style: Style = {}): Part => ({
  shapes: [],
  texts: [{ text, x, y, size, ink, ...style }],
});

/** A phone whose page has the given colour. The page is 12 narrower than the phone on each side. */
export const phone = ({ x, y, width, height }: Box, page: Ink, body: Ink = 'night'): Part =>
  drawn(
    filled(body, rect(x, y, width, height, 42)),
    filled(page, rect(x + 12, y + 12, width - 24, height - 24, 32)),
    filled(body, rect(x + width / 2 - 34, y + 22, 68, 14, 7)),
  );

/** A browser's window with its address. The page starts 48 below the top. */
export const browser = (
  { x, y, width, height }: Box,
  address: string,
  page: Ink = 'paper',
  bar: Ink = 'sandDeep',
): Part =>
  group(
    drawn(
      filled(bar, rect(x, y, width, 80, 12)),
      filled(page, rect(x, y + 48, width, height - 48, 12), rect(x, y + 48, width, 24)),
      filled('terracotta', circle([x + 26, y + 24], 7)),
      filled('paper', circle([x + 48, y + 24], 7)),
      filled('teal', circle([x + 70, y + 24], 7)),
      filled(page, rect(x + 104, y + 11, Math.min(360, width - 140), 26, 13)),
    ),
    write(address, [x + 122, y + 30], 16, page === 'nightSoft' ? 'tealSoft' : 'slate'),
  );

/** A plain area with rounded corners. */
export const card = ({ x, y, width, height }: Box, ink: Ink, radius = 10): Part =>
  drawn(filled(ink, rect(x, y, width, height, radius)));

/** A button with its label in the middle. */
export const button = (
  { x, y, width, height }: Box,
  label: string,
  ground: Ink = 'terracotta',
  ink: Ink = 'white',
): Part =>
  group(
    drawn(filled(ground, rect(x, y, width, height, height / 2))),
    write(label, [x + width / 2, y + height / 2 + 7], 20, ink, { face: 'bold', anchor: 'middle' }),
  );

/** A short label on a rounded ground. */
export const chip = ({ x, y, width, height }: Box, label: string, ground: Ink, ink: Ink, size = 16): Part =>
  group(
    drawn(filled(ground, rect(x, y, width, height, height / 2))),
    write(label, [x + width / 2, y + height / 2 + size * 0.35], size, ink, { face: 'bold', anchor: 'middle' }),
  );

/** A figure in the headline font with its label below. */
export const figure = ([x, y]: Point, value: string, label: string, ink: Ink, muted: Ink, size = 44): Part =>
  group(write(value, [x, y], size, ink, { face: 'display' }), write(label, [x, y + 26], 17, muted));

/** A thin horizontal line. */
export const rule = (x: number, right: number, y: number, ink: Ink): Part =>
  drawn(stroked(ink, 1.5, polyline([x, y], [right, y])));

/** Columns of a chart. The values are shares of the box's height; the last columns can have another colour. */
export function columns(
  { x, y, width, height }: Box,
  values: readonly number[],
  ink: Ink,
  last: Ink = ink,
  lastCount = 1,
): Part {
  const step = width / values.length;
  const bar = (value: number, index: number) =>
    rect(
      x + index * step + step * 0.14,
      y + height * (1 - value),
      step * 0.72,
      height * value,
      Math.min(4, height * value * 0.4),
    );
  const bars = values.map(bar);
  const split = values.length - lastCount;
  return drawn(filled(ink, ...bars.slice(0, split)), filled(last, ...bars.slice(split)));
}

/** A smooth line of a chart with a faint area below. The values are shares of the box's height. */
export function trend({ x, y, width, height }: Box, values: readonly number[], ink: Ink): Part {
  const points = values.map((value, index): Point => [
    x + (width * index) / (values.length - 1),
    y + height * (1 - value),
  ]);
  return drawn(
    faint(filled(ink, outline(points, [[x + width, y + height]], [[x, y + height]])), 0.18),
    stroked(ink, 4, curve(...points)),
  );
}

/** A bar that is filled up to a share of its width. */
export const meter = ({ x, y, width, height }: Box, share: number, ink: Ink, track: Ink): Part =>
  drawn(
    filled(track, rect(x, y, width, height, height / 2)),
    filled(ink, rect(x, y, width * share, height, height / 2)),
  );

/** The tip of a pin on a map is on the point. */
export const pin = ([x, y]: Point, ink: Ink, hole: Ink): Part =>
  drawn(
    filled(
      ink,
      outline([
        [x, y],
        [x - 17, y - 26],
        [x - 15, y - 46],
        [x, y - 54],
        [x + 15, y - 46],
        [x + 17, y - 26],
        [x, y],
      ]),
    ),
    filled(hole, circle([x, y - 34], 8)),
  );

/** A tick in a filled circle. */
export const tick = ([x, y]: Point, radius: number, ground: Ink, ink: Ink): Part =>
  drawn(
    filled(ground, circle([x, y], radius)),
    stroked(
      ink,
      radius * 0.24,
      polyline(
        [x - radius * 0.42, y + radius * 0.04],
        [x - radius * 0.1, y + radius * 0.36],
        [x + radius * 0.46, y - radius * 0.32],
      ),
    ),
  );

/** The triangle on a film. */
export const play = ([x, y]: Point, radius: number, ground: Ink, ink: Ink): Part =>
  drawn(
    faint(filled(ground, circle([x, y], radius)), 0.85),
    filled(
      ink,
      polygon([x - radius * 0.3, y - radius * 0.45], [x + radius * 0.5, y], [x - radius * 0.3, y + radius * 0.45]),
    ),
  );

interface Person {
  readonly ground: Ink;
  readonly skin: Ink;
  readonly hair: Ink;
  readonly clothes: Ink;
  /** Whether a scarf covers the hair. */
  readonly hasScarf?: boolean;
  readonly hasLongHair?: boolean;
}

/** A person from the chest up, in a box. */
export function portrait(
  { x, y, width, height }: Box,
  { ground, skin, hair, clothes, hasScarf = false, hasLongHair = false }: Person,
): Part {
  const middle = x + width / 2;
  const bottom = y + height;
  const unit = Math.min(width, height);
  const head: Point = [middle, bottom - unit * 0.55];
  const shoulders = outline([
    [middle - unit * 0.42, bottom],
    [middle - unit * 0.34, bottom - unit * 0.17],
    [middle - unit * 0.12, bottom - unit * 0.27],
    [middle + unit * 0.12, bottom - unit * 0.27],
    [middle + unit * 0.34, bottom - unit * 0.17],
    [middle + unit * 0.42, bottom],
  ]);
  const scarf = outline([
    [middle - unit * 0.3, bottom - unit * 0.06],
    [middle - unit * 0.25, head[1] - unit * 0.04],
    [middle, head[1] - unit * 0.29],
    [middle + unit * 0.25, head[1] - unit * 0.04],
    [middle + unit * 0.3, bottom - unit * 0.06],
    [middle, bottom - unit * 0.02],
    [middle - unit * 0.3, bottom - unit * 0.06],
  ]);
  const covering = hasScarf ? [filled(hair, scarf)] : [];
  const longHair = hasLongHair
    ? [filled(hair, rect(middle - unit * 0.21, head[1] - unit * 0.22, unit * 0.42, unit * 0.5, unit * 0.19))]
    : [];
  const fringe = hasScarf ? [] : [filled(hair, segment([head[0], head[1] - unit * 0.03], unit * 0.19, 180, 360))];
  return drawn(
    filled(ground, rect(x, y, width, height)),
    ...longHair,
    filled(clothes, shoulders),
    ...covering,
    filled(skin, rect(middle - unit * 0.07, head[1] + unit * 0.08, unit * 0.14, unit * 0.22, unit * 0.06)),
    filled(skin, ellipse(head, unit * 0.16, unit * 0.2)),
    ...fringe,
  );
}

/** Streets of a map from edge to edge of its box. */
export function streets({ x, y, width, height }: Box, ground: Ink, ink: Ink, strokeWidth = 5): Part {
  const across = range(6).map((index) => {
    const at = y + (height * (index + 0.6)) / 6.2;
    return polyline([x + 3, at], [x + width - 3, Math.max(y + 3, at - height * 0.07)]);
  });
  const down = range(8).map((index) => {
    const at = x + (width * (index + 0.6)) / 8.4;
    return polyline([at, y + 3], [Math.min(x + width - 3, at + width * 0.035), y + height - 3]);
  });
  return drawn(filled(ground, rect(x, y, width, height)), stroked(ink, strokeWidth, ...across, ...down));
}

/** The marks of a film on a phone: a heart, a comment and an arrow, below each other. */
export const reactions = ([x, y]: Point, ink: Ink): Part =>
  drawn(
    filled(
      ink,
      outline(
        [
          [x, y + 16],
          [x - 16, y],
          [x - 13, y - 12],
          [x, y - 8],
        ],
        [
          [x, y - 8],
          [x + 13, y - 12],
          [x + 16, y],
          [x, y + 16],
        ],
      ),
    ),
    stroked(ink, 4, ellipse([x, y + 54], 15, 13), polyline([x - 8, y + 65], [x - 12, y + 75])),
    stroked(
      ink,
      4,
      curve([x - 14, y + 118], [x - 4, y + 106], [x + 12, y + 104]),
      polyline([x + 4, y + 96], [x + 13, y + 104], [x + 5, y + 113]),
    ),
  );
