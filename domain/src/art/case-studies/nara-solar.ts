import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { arc, curve, filled, ground, outline, polygon, polyline, range, rect, segment, stroked } from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const horizon = 300;
const sun: Point = [360, horizon];

/** Returns a point of the field at height `y`, `across` from the line below the sun. All rows run toward the sun. */
const field = (across: number, y: number): Point => [sun[0] + (across * (y - horizon)) / 100, y];

/** The far and near edge of each row, its tables left and right of the sun, and the lines on a table. */
const rows = [
  { far: 320, near: 334, left: -7, right: 8, lines: 0 },
  { far: 346, near: 370, left: -6, right: 7, lines: 1 },
  { far: 388, near: 430, left: -3, right: 4, lines: 3 },
  { far: 456, near: 526, left: -2, right: 2, lines: 3 },
];
const tables = rows.flatMap(({ left, right, ...row }) =>
  range(right - left).map((index) => ({ ...row, left: (left + index) * 68 + 4, right: (left + index + 1) * 68 - 4 })),
);
const panels = tables.map(({ left, right, far, near }) =>
  polygon(field(left, far), field(right, far), field(right, near), field(left, near)),
);
const cells = tables.flatMap(({ left, right, far, near, lines }) => [
  ...range(lines).map((index) => {
    const across = left + ((right - left) * (index + 1)) / (lines + 1);
    return polyline(field(across, far), field(across, near));
  }),
  ...(lines > 1 ? [polyline(field(left, (far + near) / 2), field(right, (far + near) / 2))] : []),
]);
const surveyed = new Set([4, 11, 18, 22, 30, 36]);

export const naraSolar: Art = {
  ...frame,
  alt: 'Rows of solar panels running toward a low sun, a camel thorn tree beside them',
  shapes: [
    backdrop('dune'),
    stroked('sandDeep', 3, ...[166, 192, 222, 256].map((radius) => arc(sun, radius, 180, 360))),
    filled('terracotta', segment(sun, 140, 180, 360)),
    filled(
      'sandDeep',
      ground(
        [
          [0, horizon - 30],
          [70, horizon - 40],
          [140, horizon - 8],
          [190, horizon],
        ],
        310,
      ),
    ),
    filled('terracottaSoft', rect(0, horizon, 800, 300)),
    filled('night', ...panels.filter((_, index) => !surveyed.has(index))),
    filled('teal', ...panels.filter((_, index) => surveyed.has(index))),
    stroked('tealSoft', 2, ...cells),
    stroked(
      'terracotta',
      3,
      ...[552, 570, 586].map((y, index) => polyline([40 + index * 60, y], [760 - index * 40, y])),
    ),
    // The camel thorn tree.
    stroked('night', 9, curve([698, 334], [694, 282], [706, 226])),
    stroked('night', 7, curve([697, 276], [668, 240], [650, 216]), curve([698, 262], [732, 232], [750, 204])),
    filled(
      'night',
      outline([
        [584, 212],
        [608, 176],
        [664, 164],
        [704, 148],
        [752, 162],
        [788, 202],
        [740, 212],
        [684, 204],
        [626, 220],
        [584, 212],
      ]),
    ),
    stroked('night', 4, polyline([670, 335], [734, 335])),
  ],
};
