import type { Art, Shape } from '../art.ts';
import type { Point } from '../shapes.ts';
import {
  arc,
  circle,
  curve,
  filled,
  ground,
  outline,
  polygon,
  polyline,
  range,
  rect,
  segment,
  stroked,
} from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const string = curve(...range(9).map((index): Point => [24 + 94 * index, 78 + 150 * Math.sin((Math.PI * index) / 8)]));

/** Draws the progress bar of a clip. */
const progress = (x: number, y: number, played: number): Shape[] => [
  stroked('slate', 4, polyline([x, y], [x + 160, y])),
  stroked('paper', 4, polyline([x, y], [x + 160 * played, y])),
  filled('paper', circle([x + 160 * played, y], 6)),
];
const swatch = (y: number) => curve([596, y], [640, y - 22], [664, y + 12], [708, y - 14]);

export const lulwaSkincare: Art = {
  ...frame,
  alt: 'Three vertical video frames: a bottle of serum, a creator putting it on, the next clip; pearls behind them',
  shapes: [
    backdrop('terracottaSoft'),
    stroked('terracotta', 3, string),
    { ...stroked('paper', 24, string), dash: [0.1, 34] },
    stroked(
      'terracotta',
      4,
      polyline([44, 560], [252, 560]),
      polyline([286, 560], [514, 560]),
      polyline([548, 560], [756, 560]),
    ),
    // The serum.
    filled('teal', rect(44, 150, 208, 376, 18)),
    filled('terracottaSoft', circle([148, 284], 78)),
    filled(
      'night',
      ground(
        [
          [44, 442],
          [110, 424],
          [180, 446],
          [252, 430],
        ],
        480,
      ),
      rect(44, 460, 208, 66, 18),
    ),
    filled('sand', rect(110, 308, 76, 132, 12)),
    filled('paper', rect(110, 352, 76, 54)),
    filled('terracotta', segment([148, 391], 18, 180, 360)),
    filled('night', rect(130, 276, 36, 36, 4)),
    filled(
      'night',
      outline([
        [136, 276],
        [133, 252],
        [148, 230],
        [163, 252],
        [160, 276],
      ]),
    ),
    ...progress(68, 498, 0.35),
    // The creator.
    filled('sand', rect(286, 84, 228, 442, 18)),
    filled('terracotta', circle([460, 148], 26)),
    filled(
      'night',
      ground(
        [
          [286, 500],
          [304, 440],
          [322, 300],
          [338, 214],
          [400, 166],
          [462, 214],
          [478, 300],
          [496, 440],
          [514, 500],
        ],
        508,
      ),
      rect(286, 490, 228, 36, 18),
    ),
    filled(
      'dune',
      outline([
        [350, 278],
        [362, 228],
        [400, 206],
        [438, 228],
        [450, 278],
        [436, 334],
        [400, 360],
        [364, 334],
        [350, 278],
      ]),
    ),
    stroked(
      'night',
      4,
      arc([377, 274], 12, 20, 160),
      arc([423, 274], 12, 20, 160),
      curve([402, 280], [394, 306], [404, 310]),
    ),
    stroked('terracotta', 6, arc([401, 322], 14, 30, 150)),
    stroked('paper', 9, polyline([466, 252], [446, 282])),
    stroked('terracotta', 18, polyline([484, 225], [474, 240])),
    filled('paper', circle([430, 306], 8), circle([414, 300], 4)),
    ...progress(320, 498, 0.7),
    // The next clip.
    filled('night', rect(548, 150, 208, 376, 18)),
    stroked('tealSoft', 30, swatch(240)),
    stroked('terracottaSoft', 30, swatch(324)),
    stroked('sandDeep', 30, swatch(408)),
    filled('paper', circle([652, 320], 44)),
    filled('terracotta', polygon([639, 298], [676, 320], [639, 342])),
    ...progress(572, 498, 0),
  ],
};
