import type { Art, Shape } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, filled, ground, polyline, range, rect, stroked } from '../shapes.ts';

const alt = 'A sketch on squared paper turns into a working dashboard and an app on a phone';
const cell = 40;

/** How far the squared paper continues on each side. */
const bleed = 400;

/** The width of a column of the dashboard, with its gap. */
const columnWidth = 140;
const sidebar = 96;

/** Returns the dashed sketch of the dashboard, and the arrow to it. */
const sketch = ([x, y]: Point, columns: number): Shape[] => {
  const width = columnWidth * columns + columnWidth;
  return [
    {
      ...stroked(
        'dune',
        3,
        rect(x, y, width, 340, 12),
        polyline([x, y + 46], [x + width, y + 46]),
        polyline([x + 116, y + 46], [x + 116, y + 340]),
        ...range(2).map((index) => {
          const card = (width - 116 - 84) / 2;
          return rect(x + 144 + index * (card + 28), y + 76, card, 90, 6);
        }),
      ),
      dash: [3, 10],
    },
    stroked(
      'terracottaSoft',
      3,
      curve([x + 16, y - 18], [x + 100, y - 40], [x + 200, y - 44], [x + 286, y - 30]),
      polyline([x + 268, y - 44], [x + 288, y - 30], [x + 266, y - 20]),
    ),
  ];
};

/** Returns the dashboard with its sidebar, two or three cards and a chart. */
const dashboard = ([x, y]: Point, columns: number): Shape[] => {
  const width = columnWidth * columns + columnWidth;
  const cards = range(columns).map((index) => x + 128 + index * columnWidth);
  const span = columnWidth * columns - 40;
  const figures = [
    [0, 230],
    [0.18, 208],
    [0.37, 220],
    [0.58, 160],
    [0.79, 172],
    [1, 106],
  ].map(([across = 0, down = 0]): Point => [x + 130 + across * span, y + down]);
  const [end] = figures.slice(-1);
  return [
    filled('paper', rect(x, y, width, 340, 12)),
    filled('terracotta', rect(x, y, sidebar, 340, 12), rect(x + 60, y, sidebar - 60, 340)),
    stroked('paper', 5, ...[48, 80, 112].map((down) => polyline([x + 22, y + down], [x + 70, y + down]))),
    filled('terracottaSoft', rect(x + 14, y + 140, 68, 28, 6)),
    stroked('terracotta', 5, polyline([x + 26, y + 154], [x + 62, y + 154])),
    filled('sandDeep', ...cards.map((left) => rect(left, y + 28, 124, 64, 6))),
    stroked(
      'night',
      6,
      ...cards.map((left, index) => polyline([left + 16, y + 52], [left + 64 + (index % 2) * 16, y + 52])),
    ),
    stroked('dune', 4, ...cards.map((left) => polyline([left + 16, y + 72], [left + 100, y + 72]))),
    filled('tealSoft', ground(figures, y + 312)),
    stroked('teal', 6, curve(...figures)),
    ...(end ? [filled('teal', circle(end, 11)), filled('paper', circle(end, 5))] : []),
    stroked('night', 3, polyline([x + 130, y + 312], [x + width - 28, y + 312])),
  ];
};

const phone = ([x, y]: Point): Shape[] => [
  filled('nightSoft', rect(x, y, 176, 286, 24)),
  filled('paper', rect(x + 12, y + 14, 152, 258, 12)),
  filled('teal', rect(x + 26, y + 30, 124, 92, 8)),
  stroked('tealSoft', 4, curve([x + 40, y + 100], [x + 68, y + 74], [x + 92, y + 88], [x + 136, y + 52])),
  stroked('night', 5, polyline([x + 28, y + 150], [x + 100, y + 150])),
  stroked('dune', 4, polyline([x + 28, y + 172], [x + 146, y + 172]), polyline([x + 28, y + 190], [x + 120, y + 190])),
  filled('terracotta', rect(x + 26, y + 214, 124, 40, 20)),
  stroked('paper', 5, polyline([x + 66, y + 234], [x + 110, y + 234])),
];

function squaredPaper(width: number, height: number): Shape {
  const [right, bottom] = [width + bleed, height + bleed];
  return stroked(
    'nightSoft',
    2,
    ...range(Math.floor((right + bleed) / cell)).map((index) => {
      const x = index * cell - bleed + cell / 2;
      return polyline([x, -bleed], [x, bottom]);
    }),
    ...range(Math.floor((bottom + bleed) / cell)).map((index) => {
      const y = index * cell - bleed + cell / 2;
      return polyline([-bleed, y], [right, y]);
    }),
  );
}

const scene = (width: number, height: number, ...parts: readonly (readonly Shape[])[]): Art => ({
  width,
  height,
  bleed,
  alt,
  shapes: [
    filled('night', rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)),
    squaredPaper(width, height),
    ...parts.flat(),
  ],
});

/** The drawing of /services/mvp-development beside the form. */
export const mvpDevelopmentArtTall = scene(640, 600, sketch([36, 76], 2), dashboard([110, 164], 2), phone([428, 278]));

/** The drawing of /services/mvp-development above the form. */
export const mvpDevelopmentArt = scene(960, 620, sketch([80, 80], 3), dashboard([200, 200], 3), phone([690, 310]));
