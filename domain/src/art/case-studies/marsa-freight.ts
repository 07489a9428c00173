import type { Ink } from '../../brand.ts';
import type { Art, Shape } from '../art.ts';
import type { Point } from '../shapes.ts';
import {
  circle,
  curve,
  filled,
  mapped,
  origin,
  outline,
  polar,
  polygon,
  polyline,
  range,
  rays,
  rect,
  ripples,
  stroked,
  turned,
} from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const west: readonly Point[] = [
  [0, 262],
  [90, 280],
  [190, 352],
  [262, 410],
  [300, 480],
  [310, 600],
];
const east: readonly Point[] = [
  [800, 222],
  [700, 278],
  [600, 352],
  [540, 410],
  [500, 480],
  [490, 600],
];
const westDeep: readonly Point[] = [
  [0, 100],
  [130, 164],
  [250, 260],
  [322, 340],
  [346, 430],
  [346, 600],
];
const eastDeep: readonly Point[] = [
  [800, 70],
  [670, 164],
  [550, 260],
  [478, 340],
  [454, 430],
  [454, 600],
];

const hull = outline(
  [
    [-14, 44],
    [-16, 10],
    [-14, -22],
    [0, -50],
  ],
  [
    [0, -50],
    [14, -22],
    [16, 10],
    [14, 44],
  ],
);
const bridge = rect(-10, 26, 20, 10);
const cargo = rect(-9, -20, 8, 12) + rect(1, -20, 8, 12) + rect(-9, 8, 8, 12) + rect(1, -6, 8, 12);
const warmCargo = rect(-9, -6, 8, 12) + rect(1, 8, 8, 12);

/** Draws a container ship from above. */
function ship(at: Point, heading: number, ink: Ink = 'paper', scale = 1): Shape[] {
  const set = (path: string) =>
    mapped(turned(path, heading, origin), ([x, y]) => [at[0] + x * scale, at[1] + y * scale]);
  return [
    filled(ink, set(hull)),
    filled('night', set(bridge)),
    filled('dune', set(cargo)),
    filled(ink === 'paper' ? 'terracotta' : 'paper', set(warmCargo)),
  ];
}

/** Returns a block of containers on the quay. */
const yard = (x: number, y: number) => rect(x, y, 84, 45);
/** Returns the lines between the containers of a block. */
const gaps = (x: number, y: number) =>
  [28, 56].map((dx) => polyline([x + dx, y], [x + dx, y + 45])).join('') +
  [15, 30].map((dy) => polyline([x, y + dy], [x + 84, y + dy])).join('');

const compass: Point = [662, 474];
const star = (centre: Point, long: number, short: number) =>
  polygon(...range(8).map((index) => polar(centre, index % 2 === 0 ? long : short, index * 45)));

export const marsaFreight: Art = {
  ...frame,
  alt: 'A harbour chart: ships waiting outside a wide entrance, a marked channel, one ship at the quay',
  shapes: [
    backdrop('teal'),
    stroked('tealSoft', 2, ripples(west, westDeep, 5, 0.06, 1), ripples(east, eastDeep, 5, 0.06, 1)),
    filled('sand', outline(west, [[0, 600]]), outline(east, [[800, 600]])),
    stroked('paper', 6, curve(...west), curve(...east)),
    { ...stroked('terracottaSoft', 4, polyline([400, 150], [400, 440])), dash: [1, 14] },
    ...ship([86, 66], 118),
    ...ship([214, 128], 138),
    ...ship([318, 66], 160),
    ...ship([478, 70], 200),
    ...ship([600, 118], 222),
    ...ship([716, 62], 240),
    ...ship([400, 214], 180),
    ...ship([400, 350], 180),
    filled('night', rect(300, 448, 58, 152), rect(442, 448, 58, 152)),
    stroked(
      'slate',
      3,
      polyline([316, 462], [316, 588]),
      polyline([326, 462], [326, 588]),
      polyline([474, 462], [474, 588]),
      polyline([484, 462], [484, 588]),
    ),
    ...ship([400, 520], 180, 'terracotta', 1.25),
    filled('terracotta', circle([356, 290], 7), circle([362, 404], 7)),
    filled('paper', circle([444, 290], 7), circle([438, 404], 7)),
    filled('dune', yard(72, 476), yard(72, 534)),
    filled('terracottaSoft', yard(172, 476)),
    filled('night', yard(172, 534)),
    stroked('sand', 3, gaps(72, 476), gaps(72, 534), gaps(172, 476), gaps(172, 534)),
    filled('terracotta', circle(compass, 46)),
    stroked('terracotta', 4, rays(compass, 58, 70, 0, 345, 24)),
    filled('paper', star(compass, 40, 9)),
    filled('night', polygon([compass[0], compass[1] - 40], polar(compass, 9, -45), compass, polar(compass, 9, -135))),
  ],
};
