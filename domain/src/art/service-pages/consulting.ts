import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, filled, outline, polar, polygon, rays, rect, ripples, stroked } from '../shapes.ts';

const alt = 'A compass on a map with contour lines, and a route of five stations that leads to it';

interface Scene {
  readonly width: number;
  readonly height: number;
  readonly centre: Point;
  /** The radius of the compass. */
  readonly radius: number;
  /** The route across the map. Its five stations are the steps of an engagement. */
  readonly stations: readonly Point[];
  /** The end of the route, from the last station to the compass. */
  readonly arrival: readonly Point[];
  /** The edge of an inlet that reaches the map from the right. */
  readonly inlet: readonly Point[];
}

/** How far the map continues on each side. */
const bleed = 420;

/** Two lines of the map, from the left to the right edge with its bleed, at a height. */
const contours = (right: number, top: number, bottom: number): readonly [readonly Point[], readonly Point[]] => {
  const line = (y: number, ...swings: readonly number[]): Point[] =>
    swings.map((swing, index): Point => [-bleed + ((right + 2 * bleed) * index) / (swings.length - 1), y + swing]);
  return [line(top, 20, -24, 44, -34, 30, -40, 8), line(bottom, -14, 34, -40, 30, -44, 12, -30)];
};

function scene({ width, height, centre, radius, stations, arrival, inlet }: Scene): Art {
  const middle = height / 2;
  const needle = (angle: number) =>
    polygon(
      polar(centre, radius * 0.78, angle),
      polar(centre, radius * 0.15, angle + 90),
      polar(centre, radius * 0.15, angle - 90),
    );
  const water = outline([[width + bleed, inlet[0]?.[1] ?? 0], ...inlet, [width + bleed, inlet.at(-1)?.[1] ?? 0]]);
  const depth = (share: number): Point[] => inlet.map(([x, y]) => [x + (width + 60 - x) * share, y]);
  return {
    width,
    height,
    bleed,
    alt,
    shapes: [
      filled('sandDeep', rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)),
      stroked('dune', 2, ripples(...contours(width, 60 - bleed, middle - 8), 17)),
      stroked('dune', 2, ripples(...contours(width, middle + 14, height + bleed - 60), 17)),
      filled('teal', water),
      stroked('tealSoft', 3, ...[0.18, 0.36, 0.54].map((share) => curve(...depth(share)))),
      { ...stroked('terracotta', 5, curve(...stations, ...arrival)), dash: [2, 13] },
      filled('paper', ...stations.map((at) => circle(at, 17))),
      filled('terracotta', ...stations.map((at) => circle(at, 9))),
      filled('night', circle(centre, radius * 1.09)),
      filled('paper', circle(centre, radius)),
      stroked('dune', 3, circle(centre, radius * 0.66)),
      stroked('night', 5, rays(centre, radius * 0.82, radius * 0.93, 0, 330, 12)),
      filled('terracotta', needle(-52)),
      filled('night', needle(128)),
      filled('paper', circle(centre, 13)),
    ],
  };
}

/** The drawing of /services/consulting beside the form. */
export const consultingArtTall = scene({
  width: 640,
  height: 600,
  centre: [420, 300],
  radius: 156,
  stations: [
    [66, 552],
    [168, 474],
    [82, 366],
    [160, 258],
    [112, 132],
  ],
  arrival: [
    [206, 78],
    [318, 132],
  ],
  inlet: [
    [650, 492],
    [560, 504],
    [496, 548],
    [540, 584],
    [650, 590],
  ],
});

/** The drawing of /services/consulting above the form. */
export const consultingArt = scene({
  width: 960,
  height: 560,
  centre: [660, 266],
  radius: 170,
  stations: [
    [90, 470],
    [196, 372],
    [148, 252],
    [262, 146],
    [404, 110],
  ],
  arrival: [[500, 150]],
  inlet: [
    [970, 430],
    [890, 446],
    [830, 492],
    [880, 528],
    [970, 536],
  ],
});
