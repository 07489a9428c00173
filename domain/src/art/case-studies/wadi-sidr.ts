import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { arc, circle, curve, filled, polygon, polyline, range, rect, segment, stroked } from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const street = 452;

/** Draws a bar of the chart as a house. Its windows are the open requests. */
const house = (x: number, top: number, width: number) => rect(x, top, width, street - top);
const windows = (x: number, top: number, columns: number, rows: number) =>
  range(columns * rows)
    .map((index) => rect(x + (index % columns) * 16, top + Math.floor(index / columns) * 20, 7, 10))
    .join('');

const trend: readonly Point[] = [
  [237, 212],
  [317, 244],
  [391, 272],
  [474, 312],
  [557, 340],
  [654, 356],
];

export const wadiSidr: Art = {
  ...frame,
  alt: 'A municipal dashboard whose bar chart is the skyline of the town',
  shapes: [
    backdrop('sand'),
    filled('sandDeep', rect(68, 68, 688, 488, 16)),
    filled('paper', rect(52, 48, 688, 488, 16)),
    // The side navigation.
    filled('night', rect(52, 48, 116, 488, 16)),
    filled('night', rect(120, 48, 48, 488)),
    filled('terracotta', segment([110, 112], 26, 180, 360)),
    stroked('paper', 3, polyline([78, 112], [142, 112])),
    stroked('slate', 7, ...[170, 204, 272, 306].map((y) => polyline([80, y], [y % 4 === 0 ? 136 : 124, y]))),
    stroked('paper', 7, polyline([80, 238], [140, 238])),
    // The figures.
    ...(
      [
        [196, 44],
        [376, 64],
        [556, 28],
      ] as const
    ).flatMap(([x, length]) => [
      filled('sand', rect(x, 76, 160, 76, 10)),
      stroked('night', 10, polyline([x + 20, 102], [x + 20 + length, 102])),
      stroked('dune', 5, polyline([x + 20, 128], [x + 72, 128])),
    ]),
    stroked('teal', 7, arc([322, 112], 17, -90, 130)),
    stroked('terracotta', 5, polyline([474, 124], [488, 108], [500, 116], [518, 96])),
    filled('teal', ...range(4).map((index) => rect(658 + index * 12, 122 - index * 9, 7, 8 + index * 9))),
    // The town.
    stroked('sandDeep', 2, ...range(5).map((index) => polyline([196, 202 + index * 50], [716, 202 + index * 50]))),
    filled('dune', house(204, 240, 66), house(436, 338, 76)),
    filled('night', house(286, 274, 62), house(526, 366, 62)),
    filled('teal', house(362, 336, 58), circle([391, 336], 29)),
    filled('terracotta', house(602, 410, 104), circle([654, 410], 29)),
    stroked('teal', 5, polyline([391, 308], [391, 294])),
    filled('sand', windows(216, 258, 3, 9), windows(446, 356, 4, 4)),
    filled('terracottaSoft', windows(298, 292, 3, 7), windows(538, 384, 3, 3)),
    filled('tealSoft', polygon([378, 452], [378, 386], [391, 370], [404, 386], [404, 452])),
    stroked('night', 5, polyline([196, street], [716, street])),
    stroked('night', 4, curve(...trend)),
    filled('paper', ...trend.map((point) => circle(point, 7))),
    stroked('night', 4, ...trend.map((point) => circle(point, 7))),
    stroked('dune', 5, ...[220, 300, 374, 456, 540, 636].map((x) => polyline([x, 478], [x + 34, 478]))),
    stroked('tealSoft', 3, polyline([196, 504], [420, 504]), polyline([452, 504], [716, 504])),
  ],
};
