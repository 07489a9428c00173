import type { Art } from './art.ts';
import type { Point } from './shapes.ts';
import {
  circle,
  curve,
  filled,
  ground,
  outline,
  polygon,
  polyline,
  rect,
  ripples,
  segment,
  stroked,
} from './shapes.ts';

const size = { width: 480, height: 480 } as const;

/** How far the desert continues on each side. */
const bleed = 480;

const far: readonly Point[] = [
  [-bleed, 300],
  [-220, 262],
  [-40, 300],
  [120, 276],
  [300, 214],
  [430, 262],
  [640, 300],
  [960, 262],
];
const near: readonly Point[] = [
  [-bleed, 380],
  [-200, 346],
  [30, 392],
  [180, 372],
  [330, 318],
  [480, 352],
  [700, 396],
  [960, 360],
];
const below: readonly Point[] = near.map(([x], index): Point => [x, 560 + (index % 2) * 60]);

/** Draws the steps of a foot, from the lower left to the place where the wind has covered them. */
const steps = (aside: number): string =>
  curve([-20, 520 + aside], [70, 462 + aside], [146, 436 + aside], [196, 416 + aside]);

/** The drawing of the page for unknown addresses. */
export const notFoundArt: Art = {
  ...size,
  bleed,
  alt: 'A signpost that a dune has half buried, and footprints that the wind has covered',
  shapes: [
    filled('sandDeep', rect(-bleed, -bleed, size.width + 2 * bleed, size.height + 2 * bleed)),
    filled('terracotta', segment([132, 286], 74, 180, 360)),
    filled('terracottaSoft', ground(far, size.height)),
    stroked(
      'paper',
      3,
      ...[96, 128, 160].map((y, index) =>
        curve([250 - index * 40, y], [300 - index * 40, y - 14], [350 - index * 40, y + 10], [420 - index * 30, y - 4]),
      ),
    ),
    // The post leans with the wind, and its board names no place.
    stroked('night', 14, polyline([318, 136], [340, 360])),
    filled('teal', polygon([236, 166], [396, 150], [430, 176], [402, 206], [242, 222])),
    stroked('paper', 6, polyline([268, 186], [380, 175]), polyline([270, 202], [330, 196])),
    filled('paper', circle([320, 156], 5)),
    filled('dune', outline(near, [[960, size.height + bleed]], [[-bleed, size.height + bleed]])),
    stroked('sandDeep', 3, ripples(near, below, 6, 0.04, 0.9)),
    { ...stroked('night', 9, steps(-12), steps(12)), dash: [1, 32] },
  ],
};
