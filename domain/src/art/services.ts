import type { Service } from '../content/service.ts';
import type { Art, Shape } from './art.ts';
import type { Point } from './shapes.ts';
import {
  arc,
  circle,
  filled,
  outline,
  polar,
  polygon,
  polyline,
  range,
  rays,
  rect,
  ripples,
  stroked,
} from './shapes.ts';

const square = (alt: string, ...shapes: readonly Shape[]): Art => ({ width: 240, height: 240, alt, shapes });

const lit: readonly Point[] = [
  [120, 116],
  [140, 146],
  [162, 160],
  [164, 164],
];
const ridge: readonly Point[] = [
  [120, 116],
  [130, 138],
  [108, 160],
  [124, 196],
];

const bank: readonly Point[] = [
  [0, 70],
  [52, 82],
  [88, 120],
  [94, 166],
  [94, 240],
];
const shallow: readonly Point[] = [
  [0, 18],
  [80, 52],
  [104, 110],
  [108, 166],
  [108, 240],
];
const mirrored = (points: readonly Point[]) => points.map(([x, y]): Point => [240 - x, y]);

const centre: Point = [120, 120];
const needle = (angle: number) =>
  polygon(polar(centre, 68, angle), polar(centre, 14, angle + 90), polar(centre, 14, angle - 90));

/** The drawing of each service. */
export const serviceArt: Record<Service['slug'], Art> = {
  'ugc-creatives': square(
    'A dune in a vertical video frame',
    filled('terracotta', rect(0, 0, 240, 240)),
    filled('night', rect(66, 22, 108, 196, 18)),
    filled('sand', rect(74, 34, 92, 172, 6)),
    filled('terracotta', circle([140, 82], 16)),
    filled('sandDeep', outline(lit, [[166, 164]], [[166, 206]], [[124, 206]], [...ridge].reverse())),
    filled(
      'terracottaSoft',
      outline(
        [
          [74, 172],
          [98, 156],
          [120, 116],
        ],
        ridge,
        [[124, 206]],
        [[74, 206]],
      ),
    ),
    stroked(
      'dune',
      2,
      ripples(
        ridge,
        [
          [120, 116],
          [140, 148],
          [158, 166],
          [164, 196],
        ],
        4,
      ),
    ),
    filled('terracotta', circle([88, 50], 5)),
    stroked('night', 3, polyline([100, 50], [118, 50])),
    stroked(
      'terracottaSoft',
      4,
      arc([174, 120], 26, -50, 50),
      arc([174, 120], 44, -50, 50),
      arc([66, 120], 26, 130, 230),
      arc([66, 120], 44, 130, 230),
    ),
  ),
  'mvp-development': square(
    'An application taking shape from its sketch',
    filled('night', rect(0, 0, 240, 240)),
    stroked(
      'nightSoft',
      2,
      ...range(9).flatMap((index) => [
        polyline([24 + index * 24, 2], [24 + index * 24, 238]),
        polyline([2, 24 + index * 24], [238, 24 + index * 24]),
      ]),
    ),
    { ...stroked('dune', 3, rect(72, 48, 144, 120, 8)), dash: [2, 7] },
    filled('paper', rect(24, 72, 144, 120, 8)),
    filled('terracotta', rect(24, 72, 36, 120, 8), rect(48, 72, 12, 120)),
    filled('sandDeep', rect(72, 84, 84, 24, 4)),
    filled('teal', rect(72, 152, 14, 28), rect(95, 136, 14, 44), rect(118, 144, 14, 36), rect(141, 120, 14, 60)),
    stroked('paper', 3, ...[92, 108, 124].map((y) => polyline([33, y], [49, y]))),
  ),
  'lead-generation': square(
    'A wide bay that narrows to a harbour',
    filled('teal', rect(0, 0, 240, 240)),
    stroked('tealSoft', 2, ripples(bank, shallow, 3, 0, 1), ripples(mirrored(bank), mirrored(shallow), 3, 0, 1)),
    filled('sand', outline(bank, [[0, 240]]), outline(mirrored(bank), [[240, 240]])),
    filled(
      'paper',
      ...(
        [
          [40, 26],
          [94, 40],
          [120, 18],
          [146, 40],
          [200, 26],
          [120, 78],
          [120, 126],
        ] as const
      ).map((at) => circle(at, 7)),
    ),
    filled('terracotta', circle([120, 196], 16)),
    {
      ...stroked('terracottaSoft', 3, polyline([120, 94], [120, 110]), polyline([120, 144], [120, 168])),
      dash: [1, 8],
    },
  ),
  consulting: square(
    'A compass over contour lines',
    filled('sandDeep', rect(0, 0, 240, 240)),
    stroked(
      'dune',
      2,
      ripples(
        [
          [0, 20],
          [80, 44],
          [160, 10],
          [240, 40],
        ],
        [
          [0, 220],
          [80, 236],
          [160, 200],
          [240, 230],
        ],
        12,
      ),
    ),
    filled('paper', circle(centre, 88)),
    stroked('night', 6, circle(centre, 88)),
    stroked('night', 3, rays(centre, 70, 78, 0, 330, 12)),
    filled('terracotta', needle(-52)),
    filled('night', needle(128)),
    filled('paper', circle(centre, 7)),
  ),
};
