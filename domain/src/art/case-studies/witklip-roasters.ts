import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, filled, outline, polygon, polyline, range, rays, rect, segment, stroked } from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const table = 470;
const light: Point = [400, 300];

const steam = (x: number) => curve([x, 392], [x - 12, 366], [x + 10, 340], [x - 6, 312]);
const tissue = range(13).map((index): Point => [252 + index * 24.6, index % 2 === 0 ? 352 : 316 + (index % 4) * 8]);

export const witklipRoasters: Art = {
  ...frame,
  alt: 'A bag of coffee rising out of an opened box while a phone on a tripod films it',
  shapes: [
    backdrop('terracotta'),
    filled('terracottaSoft', circle(light, 236)),
    stroked('terracottaSoft', 4, rays(light, 258, 290, 184, 356, 27)),
    filled('night', rect(0, table, 800, 130)),
    stroked(
      'nightSoft',
      3,
      ...range(4).map((index) => polyline([0, table + 24 + index * 28], [800, table + 24 + index * 28])),
    ),
    filled(
      'dune',
      polygon([252, 366], [206, 300], [330, 300], [330, 366]),
      polygon([548, 366], [594, 300], [470, 300], [470, 366]),
    ),
    // The bag.
    filled(
      'night',
      outline(
        [[316, 120]],
        [[484, 120]],
        [
          [492, 150],
          [500, 260],
          [496, 420],
        ],
        [
          [304, 420],
          [300, 260],
          [308, 150],
        ],
      ),
    ),
    filled('nightSoft', polygon([312, 92], [488, 92], [484, 132], [316, 132])),
    stroked('terracottaSoft', 3, polyline([318, 112], [482, 112])),
    filled('paper', rect(328, 166, 144, 132, 4)),
    filled('terracotta', segment([400, 252], 40, 180, 360)),
    filled('night', polygon([344, 268], [366, 238], [430, 238], [456, 268])),
    stroked('night', 3, polyline([344, 284], [456, 284])),
    // The box.
    filled('paper', `${polyline(...tissue)}L548 400L252 400Z`),
    filled('sandDeep', rect(240, 360, 320, 176)),
    filled('sand', rect(376, 360, 48, 176)),
    filled(
      'dune',
      polygon([240, 360], [394, 360], [388, 416], [214, 416]),
      polygon([560, 360], [406, 360], [412, 416], [586, 416]),
    ),
    stroked('dune', 3, polyline([264, 508], [340, 508]), polyline([264, 492], [316, 492]), circle([516, 496], 16)),
    // The cup.
    filled(
      'paper',
      outline(
        [
          [78, 418],
          [80, 470],
          [108, 500],
        ],
        [
          [152, 500],
          [180, 470],
          [182, 418],
        ],
      ),
    ),
    stroked('paper', 9, curve([182, 432], [212, 434], [208, 466], [174, 474])),
    filled('sandDeep', rect(66, 500, 128, 10, 5)),
    stroked('paper', 4, steam(112), steam(132), steam(152)),
    // The filming phone.
    stroked(
      'sand',
      6,
      polyline([690, 404], [690, 470], [648, 556]),
      polyline([690, 470], [690, 560]),
      polyline([690, 470], [732, 556]),
    ),
    filled('night', rect(630, 196, 120, 212, 18)),
    filled('terracottaSoft', rect(640, 206, 100, 192, 10)),
    filled('night', rect(664, 258, 52, 90, 4)),
    filled('paper', rect(672, 274, 36, 34, 2)),
    filled('terracotta', segment([690, 298], 11, 180, 360)),
    filled('sandDeep', rect(650, 334, 80, 64)),
    filled('terracotta', circle([656, 222], 6)),
  ],
};
