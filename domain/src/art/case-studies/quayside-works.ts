import type { Art } from '../art.ts';
import { circle, filled, polyline, range, rect, stroked, waves } from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const quay = 470;
const floors = 9;
const bays = 10;

/** Draws a window by its floor from the ground and its bay from the left. */
const pane = (floor: number, bay: number) => rect(290 + bay * 44, 422 - floor * 40, 28, 26);
/** The number of lit windows on each floor, from the right. Their edge forms a chart of the lettings. */
const lettings = [10, 9, 8, 7, 6, 5, 4, 3, 1];
const windows = range(floors * bays).map((index) => {
  const [floor, bay] = [Math.floor(index / bays), index % bays];
  return { path: pane(floor, bay), isLit: bays - bay <= (lettings[floor] ?? 0) };
});
const reflections = range(bays).map((bay) => {
  const height = lettings.filter((lit) => bays - bay <= lit).length;
  return range(Math.ceil(height / 2))
    .map((index) =>
      polyline(
        [292 + bay * 44 + (index % 2) * 6, 502 + index * 20],
        [312 + bay * 44 + (index % 2) * 6, 502 + index * 20],
      ),
    )
    .join('');
});

export const quaysideWorks: Art = {
  ...frame,
  alt: 'An office building on a quay, its lit windows rising like a chart, beside a harbour crane',
  shapes: [
    backdrop('sand'),
    filled('terracotta', circle([132, 186], 84)),
    // The building.
    filled('night', rect(272, 76, 464, quay - 76)),
    filled('night', rect(256, 60, 496, 18)),
    filled('nightSoft', ...windows.filter(({ isLit }) => !isLit).map(({ path }) => path)),
    filled('terracottaSoft', ...windows.filter(({ isLit }) => isLit).map(({ path }) => path)),
    // The crane.
    stroked(
      'night',
      9,
      polyline([84, quay], [84, 262]),
      polyline([168, quay], [168, 262]),
      polyline([24, 262], [236, 262]),
    ),
    stroked(
      'night',
      5,
      polyline([84, 352], [168, 352], [84, 262]),
      polyline([168, 262], [150, 150], [102, 262]),
      polyline([150, 150], [28, 258]),
      polyline([150, 150], [232, 258]),
    ),
    filled('night', rect(150, 238, 56, 24)),
    stroked('night', 3, polyline([44, 262], [44, 356]), polyline([60, 262], [60, 356])),
    filled('teal', rect(24, 356, 56, 28)),
    // The water.
    filled('teal', rect(0, quay, 800, 130)),
    filled('dune', rect(0, quay, 800, 12)),
    stroked('terracottaSoft', 4, ...reflections),
    stroked('tealSoft', 3, waves(24, 200, 516, 44, 4), waves(60, 236, 546, 44, 4), waves(24, 156, 576, 44, 4)),
  ],
};
