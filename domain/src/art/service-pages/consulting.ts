import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, filled, outline, polar, polygon, rays, rect, ripples, stroked } from '../shapes.ts';

const frame = { width: 960, height: 600 } as const;

const centre: Point = [668, 286];
const needle = (angle: number) =>
  polygon(polar(centre, 132, angle), polar(centre, 26, angle + 90), polar(centre, 26, angle - 90));

/** The route across the map. Its five stations are the steps of an engagement. */
const stations: readonly Point[] = [
  [90, 500],
  [196, 392],
  [148, 262],
  [262, 156],
  [404, 120],
];

/** The large drawing of /services/consulting. */
export const consultingArt: Art = {
  ...frame,
  alt: 'A compass on a map with contour lines, and a route of five stations that leads to it',
  shapes: [
    filled('sandDeep', rect(0, 0, frame.width, frame.height)),
    stroked(
      'dune',
      2,
      ripples(
        [
          [0, 20],
          [220, 96],
          [460, 18],
          [700, 60],
          [960, 24],
        ],
        [
          [0, 300],
          [220, 336],
          [460, 208],
          [700, 260],
          [960, 196],
        ],
        9,
      ),
      ripples(
        [
          [0, 330],
          [220, 356],
          [460, 236],
          [700, 290],
          [960, 230],
        ],
        [
          [0, 590],
          [220, 540],
          [460, 590],
          [700, 520],
          [960, 560],
        ],
        9,
      ),
    ),
    filled(
      'teal',
      outline(
        [
          [960, 420],
          [862, 446],
          [800, 520],
          [660, 548],
          [600, 600],
        ],
        [[960, 600]],
      ),
    ),
    stroked(
      'tealSoft',
      3,
      ripples(
        [
          [960, 446],
          [884, 470],
          [828, 540],
          [700, 568],
          [660, 600],
        ],
        [
          [960, 560],
          [940, 570],
          [924, 586],
          [900, 592],
          [890, 600],
        ],
        4,
      ),
    ),
    { ...stroked('terracotta', 5, curve(...stations, [480, 160])), dash: [2, 13] },
    filled('paper', ...stations.map((at) => circle(at, 17))),
    filled('terracotta', ...stations.map((at) => circle(at, 9))),
    filled('night', circle(centre, 186)),
    filled('paper', circle(centre, 170)),
    stroked('dune', 3, circle(centre, 112)),
    stroked('night', 5, rays(centre, 140, 158, 0, 330, 12)),
    filled('terracotta', needle(-52)),
    filled('night', needle(128)),
    filled('paper', circle(centre, 13)),
  ],
};
