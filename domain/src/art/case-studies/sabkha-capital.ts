import type { Ink } from '../../brand.ts';
import type { Art, Shape } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, filled, polyline, range, rect, segment, stroked, turned } from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const pivot: Point = [300, 760];
const lens: Point = [512, 286];

/** Draws a document of the data room with lines of text, some of them marked. */
function sheet(degrees: number, ink: Ink, marked: readonly number[]): Shape[] {
  const turn = (path: string) => turned(path, degrees, pivot);
  const line = (index: number) => polyline([218, 178 + index * 26], [index % 4 === 1 ? 374 : 402, 178 + index * 26]);
  return [
    filled(ink, turn(rect(180, 92, 260, 414, 6))),
    filled('night', turn(rect(218, 128, 96, 14))),
    stroked(
      'dune',
      5,
      ...range(12)
        .filter((index) => !marked.includes(index))
        .map((index) => turn(line(index))),
    ),
    stroked('terracotta', 9, ...marked.map((index) => turn(line(index)))),
  ];
}

export const sabkhaCapital: Art = {
  ...frame,
  alt: 'Sheets of a data room fanned out at night, a lens over the marked clauses',
  shapes: [
    backdrop('night'),
    stroked('nightSoft', 3, ...range(17).map((index) => polyline([0, 36 + index * 33], [800, 36 + index * 33]))),
    ...sheet(-13, 'sandDeep', [2]),
    ...sheet(-2, 'sand', [1, 6]),
    ...sheet(9, 'paper', [4, 5]),
    // The lens.
    stroked('terracotta', 28, polyline([614, 392], [716, 494])),
    stroked('tealSoft', 20, polyline([598, 376], [618, 396])),
    filled('paper', circle(lens, 128)),
    filled('teal', segment([512, 228], 32, 180, 360)),
    stroked('night', 5, polyline([454, 228], [570, 228])),
    stroked('terracotta', 20, polyline([420, 272], [604, 272]), polyline([420, 310], [540, 310])),
    stroked('dune', 10, polyline([430, 348], [594, 348]), polyline([460, 378], [540, 378])),
    stroked('tealSoft', 14, circle(lens, 128)),
  ],
};
