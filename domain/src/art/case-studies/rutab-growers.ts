import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import {
  arc,
  circle,
  curve,
  ellipse,
  faint,
  filled,
  ground,
  outline,
  polar,
  polyline,
  range,
  rect,
  ripples,
  stroked,
} from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const soil = 336;
const probe: Point = [300, 300];

/** Draws a leaf that bends under its own weight. */
function frond(top: Point, reach: number, angle: number): string {
  const tip = polar(top, reach, angle);
  const [middle, droop] = [polar(top, reach * 0.55, angle), reach * 0.3];
  const end: Point = [tip[0], tip[1] + droop];
  return outline([top, [middle[0], middle[1] - 15], end], [end, [middle[0], middle[1] + 5], top]);
}
const palm = (top: Point, reach: number) =>
  [200, 230, 262, 285, 312, 340, 168, 12].map((angle) => frond(top, reach, angle)).join('');
const dates = ([x, y]: Point) => ellipse([x - 14, y + 18], 8, 13) + ellipse([x + 14, y + 18], 8, 13);
const roots = (x: number) =>
  [-78, -44, -12, 24, 56, 84]
    .map((spread, index) => curve([x, soil], [x + spread * 0.3, soil + 40], [x + spread, soil + 84 + (index % 3) * 20]))
    .join('');

/** The grain of the soil: short strokes, with every second row indented. */
const grain = (index: number, row: number): Point => [24 + index * 100 + (row % 2) * 50, soil + 28 + row * 30];

const tops: readonly Point[] = [
  [116, 164],
  [418, 126],
];
const trunks = [curve([140, soil], [136, 256], [116, 164]), curve([430, soil], [436, 226], [418, 126])];
const water: readonly Point[] = [
  [0, 520],
  [160, 506],
  [330, 524],
  [520, 508],
  [680, 522],
  [800, 510],
];
const moisture: readonly Point[] = [
  [566, 184],
  [598, 194],
  [626, 214],
  [654, 236],
  [672, 192],
  [692, 160],
  [722, 168],
];

export const rutabGrowers: Art = {
  ...frame,
  alt: 'Date palms and their roots in the soil, a probe between them, and a card with the soil moisture',
  shapes: [
    backdrop('sandDeep'),
    filled('terracotta', circle([266, 118], 42)),
    filled('night', rect(0, soil, 800, 264)),
    stroked(
      'nightSoft',
      4,
      ...range(5).map((row) =>
        range(row % 2 === 0 ? 8 : 7)
          .map((index) => polyline(grain(index, row), grain(index + 0.3, row)))
          .join(''),
      ),
    ),
    // The water.
    filled('teal', ellipse([430, 422], 176, 74)),
    faint(stroked('tealSoft', 3, ellipse([430, 422], 146, 58), ellipse([430, 422], 112, 42)), 0.7),
    filled('teal', ground(water, 600)),
    stroked(
      'tealSoft',
      3,
      ripples(
        water,
        water.map(([x]) => [x, 600]),
        4,
      ),
    ),
    stroked('dune', 5, roots(140), roots(430)),
    // The palms.
    stroked('night', 16, ...trunks),
    filled('teal', ...tops.map((top) => palm(top, 106))),
    filled('terracotta', ...tops.map(dates)),
    stroked('dune', 6, polyline([0, soil], [800, soil])),
    // The probe.
    stroked('terracotta', 12, polyline(probe, [300, 430])),
    filled('paper', circle(probe, 17)),
    filled('terracotta', circle(probe, 9)),
    stroked('terracotta', 4, ...[34, 52].map((radius) => arc(probe, radius, 215, 325))),
    // The reading.
    filled('paper', rect(540, 62, 220, 230, 16)),
    stroked('night', 9, polyline([566, 96], [640, 96])),
    { ...stroked('teal', 3, polyline([566, 220], [734, 220])), dash: [2, 9] },
    stroked('terracotta', 6, curve(...moisture)),
    filled('terracotta', circle([722, 168], 10)),
    stroked('sandDeep', 3, polyline([566, 256], [734, 256])),
    stroked('dune', 5, ...range(3).map((index) => polyline([566 + index * 68, 272], [588 + index * 68, 272]))),
  ],
};
