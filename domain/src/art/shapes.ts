import type { Ink } from '../brand.ts';
import type { Shape } from './art.ts';

/*
 * Functions that return path data for drawings. They use absolute M, L, C and Z only, so that browsers and the PDF
 * render them alike and `mapped` can move every pair of numbers. Coordinates are rounded to one decimal.
 */

export type Point = readonly [x: number, y: number];

/** The top left corner of every drawing. */
export const origin: Point = [0, 0];

/** A rectangle to clip to. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The length of the handles of a cubic curve that draws a quarter circle of radius 1. */
const quarter = 0.5523;

const round = (value: number) => Math.round(value * 10) / 10;
const pair = ([x, y]: Point) => `${round(x)} ${round(y)}`;

/** Returns the numbers from 0 to `count` - 1. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Returns the point between `a` and `b` at `t`, from 0 to 1. */
export const between = (a: Point, b: Point, t: number): Point => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];

/** Returns the point at a distance and an angle from a centre, in degrees clockwise from three o'clock. */
export function polar([x, y]: Point, radius: number, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
}

/** Returns a filled shape of one or more paths. */
export const filled = (ink: Ink, ...paths: readonly string[]): Shape => ({ d: paths.join(''), fill: ink });

/** Returns a stroked shape of one or more paths. */
export const stroked = (ink: Ink, strokeWidth: number, ...paths: readonly string[]): Shape => ({
  d: paths.join(''),
  stroke: ink,
  strokeWidth,
});

/** Returns a shape with an opacity. */
export const faint = (shape: Shape, opacity: number): Shape => ({ ...shape, opacity });

/** Returns an open path of straight lines through points. */
export const polyline = (...points: readonly Point[]): string => `M${points.map(pair).join('L')}`;

/** Returns a closed path of straight lines through points. */
export const polygon = (...points: readonly Point[]): string => `${polyline(...points)}Z`;

/** Continues a path smoothly from the current point through the other points (Catmull-Rom). */
function onwards(points: readonly Point[]): string {
  return points
    .slice(1)
    .map((end, index) => {
      const start = points[index] ?? end;
      const before = points[index - 1] ?? start;
      const after = points[index + 2] ?? end;
      const leave: Point = [start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6];
      const arrive: Point = [end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6];
      return `C${[leave, arrive, end].map(pair).join(' ')}`;
    })
    .join('');
}

/** Returns an open smooth path through points. */
export const curve = (...points: readonly Point[]): string => `M${pair(points[0] ?? origin)}${onwards(points)}`;

/** Returns a closed path of smooth pieces that meet in corners. A piece of one point is a corner. */
export function outline(...pieces: readonly (readonly Point[])[]): string {
  return `M${pieces.map((points) => `${pair(points[0] ?? origin)}${onwards(points)}`).join('L')}Z`;
}

/** Returns a rectangle with rounded corners. */
export function rect(x: number, y: number, width: number, height: number, radius = 0): string {
  const right = x + width;
  const bottom = y + height;
  if (radius === 0) return polygon([x, y], [right, y], [right, bottom], [x, bottom]);
  const near = radius * (1 - quarter);
  const corner = (...points: readonly Point[]) => `C${points.map(pair).join(' ')}`;
  return [
    polyline([x + radius, y], [right - radius, y]),
    corner([right - near, y], [right, y + near], [right, y + radius]),
    `L${pair([right, bottom - radius])}`,
    corner([right, bottom - near], [right - near, bottom], [right - radius, bottom]),
    `L${pair([x + radius, bottom])}`,
    corner([x + near, bottom], [x, bottom - near], [x, bottom - radius]),
    `L${pair([x, y + radius])}`,
    corner([x, y + near], [x + near, y], [x + radius, y]),
    'Z',
  ].join('');
}

export function ellipse([x, y]: Point, horizontal: number, vertical: number): string {
  const [dx, dy] = [horizontal * quarter, vertical * quarter];
  const right: Point = [x + horizontal, y];
  const quarters: readonly (readonly Point[])[] = [
    [
      [x + horizontal, y + dy],
      [x + dx, y + vertical],
      [x, y + vertical],
    ],
    [
      [x - dx, y + vertical],
      [x - horizontal, y + dy],
      [x - horizontal, y],
    ],
    [
      [x - horizontal, y - dy],
      [x - dx, y - vertical],
      [x, y - vertical],
    ],
    [[x + dx, y - vertical], [x + horizontal, y - dy], right],
  ];
  return `M${pair(right)}${quarters.map((points) => `C${points.map(pair).join(' ')}`).join('')}Z`;
}

export const circle = (centre: Point, radius: number): string => ellipse(centre, radius, radius);

/** Returns an open arc of a circle. Angles are in degrees. */
export function arc(centre: Point, radius: number, from: number, to: number): string {
  const steps = Math.ceil(Math.abs(to - from) / 90);
  const step = (to - from) / steps;
  const reach = (4 / 3) * Math.tan((step * Math.PI) / 720) * radius;
  const pieces = range(steps).map((index) => {
    const [start, end] = [from + step * index, from + step * (index + 1)];
    const leave = polar(polar(centre, radius, start), reach, start + 90);
    const arrive = polar(polar(centre, radius, end), reach, end - 90);
    return `C${[leave, arrive, polar(centre, radius, end)].map(pair).join(' ')}`;
  });
  return `M${pair(polar(centre, radius, from))}${pieces.join('')}`;
}

/** Returns the part of a disc between an arc and its chord, e.g. a sun on the horizon. */
export const segment = (centre: Point, radius: number, from: number, to: number): string =>
  `${arc(centre, radius, from, to)}Z`;

/** Returns radial strokes around a centre. Angles are in degrees. */
export const rays = (centre: Point, inner: number, outer: number, from: number, to: number, count: number): string =>
  range(count)
    .map((index) => from + ((to - from) * index) / (count - 1))
    .map((angle) => polyline(polar(centre, inner, angle), polar(centre, outer, angle)))
    .join('');

/** Returns the area between a smooth line and `bottom`. */
export function ground(crest: readonly Point[], bottom: number): string {
  const [first, last] = [crest[0] ?? origin, crest.at(-1) ?? origin];
  return outline(crest, [[last[0], bottom]], [[first[0], bottom]]);
}

/** Returns intermediate lines between two smooth lines, which must have the same number of points. */
export const ripples = (a: readonly Point[], b: readonly Point[], count: number, from = 0, to = 1): string =>
  range(count)
    .map((index) => from + ((to - from) * (index + 0.5)) / count)
    .map((t) => curve(...a.map((point, index) => between(point, b[index] ?? point, t))))
    .join('');

/** Returns a row of equal waves from `x` to `right` at `y`. */
export const waves = (x: number, right: number, y: number, length: number, height: number): string =>
  curve(
    ...range(Math.round((right - x) / (length / 2)) + 1).map((index): Point => [
      x + (index * length) / 2,
      y + (index % 2 === 0 ? height : -height),
    ]),
  );

/** Moves every point of a path. */
export const mapped = (path: string, move: (point: Point) => Point): string =>
  path.replace(/(-?[\d.]+) (-?[\d.]+)/g, (_, x: string, y: string) => pair(move([Number(x), Number(y)])));

/** Rotates a point clockwise around a centre. */
export function turnedPoint([x, y]: Point, degrees: number, centre: Point): Point {
  const angle = (degrees * Math.PI) / 180;
  const [dx, dy] = [x - centre[0], y - centre[1]];
  return [
    centre[0] + dx * Math.cos(angle) - dy * Math.sin(angle),
    centre[1] + dx * Math.sin(angle) + dy * Math.cos(angle),
  ];
}

/** Rotates a path clockwise around a centre. */
export const turned = (path: string, degrees: number, centre: Point): string =>
  mapped(path, (point) => turnedPoint(point, degrees, centre));

/**
 * Clips a convex polygon to a box (Sutherland-Hodgman).
 * @returns a path, or an empty string if the polygon is outside the box
 */
export function cut(points: readonly Point[], { x, y, width, height }: Box): string {
  const edges: readonly ((point: Point) => number)[] = [
    (point) => point[0] - x,
    (point) => x + width - point[0],
    (point) => point[1] - y,
    (point) => y + height - point[1],
  ];
  const inside = edges.reduce(
    (shape, depth) =>
      shape.flatMap((end, index) => {
        const start = shape.at(index - 1) ?? end;
        const [before, after] = [depth(start), depth(end)];
        const crossing = before < 0 !== after < 0 ? [between(start, end, before / (before - after))] : [];
        return after < 0 ? crossing : [...crossing, end];
      }),
    points,
  );
  return inside.length < 3 ? '' : polygon(...inside);
}
