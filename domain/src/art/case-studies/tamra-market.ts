import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { arc, circle, cut, filled, outline, polyline, range, rect, segment, stroked, turnedPoint } from '../shapes.ts';
import { backdrop, frame, frameBox } from './frame.ts';

const tilt = -16;
const middle: Point = [300, 300];

/** Returns a point of the street grid, which is skewed. */
const street = (column: number, row: number): Point => turnedPoint([column * 118 - 190, row * 92 - 130], tilt, middle);

/** Draws a block of houses between four streets. */
const block = (column: number, row: number) => {
  const corner = (right: number, down: number): Point => street(column + right, row + down);
  return cut([corner(0.08, 0.1), corner(0.92, 0.1), corner(0.92, 0.9), corner(0.08, 0.9)], frameBox);
};
/** Draws the roofs of a block as strokes along its street. */
const roofs = (column: number, row: number) =>
  [0.32, 0.5, 0.68]
    .map((down) => polyline(street(column + 0.22, row + down), street(column + 0.78, row + down)))
    .join('');

const blocks = range(9).flatMap((column) => range(9).map((row) => block(column, row)));
const parks = [block(2, 4), block(3, 4)];
const quarters = [roofs(2, 6), roofs(4, 5), roofs(3, 3), roofs(3, 7), roofs(4, 7), roofs(2, 2)];

const shop = street(2, 6);
const rider = street(4, 4);
const gate = street(5, 3);
const route = polyline(shop, street(3, 6), street(3, 5), street(4, 5), rider);
const ahead = polyline(rider, street(4, 3), gate);

/** Draws a map pin with its tip on a point. */
const pin = ([x, y]: Point) =>
  outline([
    [x, y],
    [x - 24, y - 34],
    [x - 22, y - 62],
    [x, y - 74],
    [x + 22, y - 62],
    [x + 24, y - 34],
    [x, y],
  ]);

const dial: Point = [622, 226];

export const tamraMarket: Art = {
  ...frame,
  alt: 'A street map at night with a delivery on its way, and a phone that counts down the minutes',
  shapes: [
    backdrop('night'),
    filled('nightSoft', ...blocks),
    filled('teal', ...parks),
    stroked('slate', 4, ...quarters),
    stroked('terracotta', 9, route),
    { ...stroked('terracottaSoft', 5, ahead), dash: [1, 13] },
    filled('paper', circle(shop, 20)),
    filled('night', circle(shop, 8)),
    filled('paper', circle(rider, 17)),
    filled('terracotta', circle(rider, 11)),
    filled('paper', pin(gate)),
    filled('terracotta', circle([gate[0], gate[1] - 46], 12)),
    // The phone.
    filled('night', rect(480, 36, 284, 528, 40)),
    filled('paper', rect(492, 48, 260, 504, 30)),
    filled('sandDeep', rect(590, 62, 64, 8, 4)),
    stroked('sandDeep', 12, circle(dial, 92)),
    stroked('terracotta', 12, arc(dial, 92, -90, 150)),
    filled('terracotta', segment([622, 246], 44, 180, 360)),
    stroked('night', 4, polyline([558, 246], [686, 246])),
    stroked('terracottaSoft', 4, polyline([578, 260], [666, 260]), polyline([596, 274], [648, 274])),
    ...[362, 424].flatMap((y, index) => [
      filled('sand', rect(512, y, 220, 50, 12)),
      filled(index === 0 ? 'teal' : 'dune', circle([538, y + 25], 14)),
      stroked('night', 6, polyline([566, y + 18], [index === 0 ? 660 : 640, y + 18])),
      stroked('dune', 5, polyline([566, y + 34], [index === 0 ? 624 : 650, y + 34])),
      stroked('night', 5, polyline([700, y + 25], [716, y + 25])),
    ]),
    filled('terracotta', rect(512, 488, 220, 46, 23)),
    stroked('paper', 6, polyline([590, 511], [654, 511])),
  ],
};
