import type { Art } from './art.ts';
import type { Point } from './shapes.ts';
import { arc, filled, ground, polygon, polyline, rect, ripples, segment, stroked } from './shapes.ts';

const frame = { width: 1600, height: 620 } as const;
const horizon = 430;
const sun: Point = [1180, horizon];

const near: readonly Point[] = [
  [0, 520],
  [260, 552],
  [560, 500],
  [860, 540],
  [1160, 506],
  [1400, 556],
  [1600, 520],
];
const middle: readonly Point[] = [
  [0, 470],
  [240, 452],
  [540, 486],
  [860, 456],
  [1140, 480],
  [1380, 452],
  [1600, 474],
];

/**
 * The folded boat: hull and sail, each with a lit and a shaded side. The shapes overlap, because the background would
 * show as a hairline between edges that only touch.
 */
const boat = {
  hullLeft: polygon([1010, 402], [1166, 436], [1176, 436], [1160, 508], [1062, 500]),
  hullRight: polygon([1326, 392], [1166, 436], [1150, 508], [1266, 500]),
  sailLeft: polygon([1166, 236], [1078, 416], [1078, 422], [1176, 442], [1176, 262]),
  sailRight: polygon([1166, 236], [1256, 412], [1256, 416], [1166, 440]),
};

/** The drawing of /project-inquiry. Its sky is the background of the hero. */
export const projectInquiryArt: Art = {
  ...frame,
  alt: 'A boat folded from a written sheet of paper sets out on the tide under a low sun',
  shapes: [
    stroked('sandDeep', 2, ...[196, 240, 292, 352, 420].map((radius) => arc(sun, radius, 180, 360))),
    filled('terracotta', segment(sun, 156, 180, 360)),
    filled(
      'dune',
      ground(
        [
          [0, 392],
          [150, 360],
          [330, 398],
          [520, horizon],
        ],
        horizon,
      ),
    ),
    filled(
      'sandDeep',
      ground(
        [
          [0, 418],
          [260, 396],
          [480, 414],
          [720, horizon],
        ],
        horizon,
      ),
    ),
    filled('tealSoft', rect(0, horizon, frame.width, frame.height - horizon)),
    filled('teal', ground(middle, frame.height)),
    filled('white', boat.sailLeft),
    filled('sandDeep', boat.sailRight),
    filled('paper', boat.hullLeft),
    filled('dune', boat.hullRight),
    stroked(
      'terracotta',
      3,
      polyline([1134, 340], [1152, 344]),
      polyline([1122, 364], [1152, 371]),
      polyline([1110, 388], [1152, 398]),
      polyline([1046, 430], [1132, 450]),
      polyline([1062, 452], [1124, 466]),
    ),
    filled('night', ground(near, frame.height)),
    stroked(
      'teal',
      3,
      ripples(
        near.map(([x, y]): Point => [x, y + 14]),
        near.map(([x], index): Point => [x, 596 + (index % 2) * 12]),
        3,
      ),
    ),
  ],
};
