import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { between, circle, curve, filled, polygon, polyline, range, rect, stroked, origin } from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

/** The skyline of the sandstone towers. */
const towers: readonly Point[] = [
  [0, 300],
  [36, 292],
  [50, 176],
  [66, 160],
  [136, 154],
  [150, 172],
  [166, 318],
  [214, 344],
  [246, 330],
  [262, 232],
  [282, 196],
  [296, 120],
  [316, 104],
  [372, 110],
  [384, 128],
  [394, 262],
  [420, 318],
  [452, 326],
  [470, 262],
  [488, 230],
  [566, 224],
  [580, 240],
  [596, 330],
  [640, 344],
  [660, 196],
  [676, 160],
  [690, 132],
  [766, 126],
  [780, 140],
  [800, 268],
];
const slope: readonly Point[] = [
  [0, 400],
  [150, 410],
  [300, 452],
  [420, 470],
  [540, 446],
  [680, 404],
  [800, 396],
];

/** Returns the y coordinate of a skyline at `x`. */
function heightAt(line: readonly Point[], x: number): number {
  const index = Math.max(
    1,
    line.findIndex((point) => point[0] >= x),
  );
  const [start, end] = [line[index - 1] ?? origin, line[index] ?? origin];
  return between(start, end, (x - start[0]) / (end[0] - start[0]))[1];
}

/** Draws the land under a skyline from `left` to `right`. */
const land = (line: readonly Point[], left: number, right: number, bottom: number) =>
  polygon(
    [left, bottom],
    [left, heightAt(line, left)],
    ...line.filter(([x]) => x > left && x < right),
    [right, heightAt(line, right)],
    [right, bottom],
  );

/** Draws the layers of the stone as horizontal strokes inside the towers. */
const strata = (left: number, right: number) =>
  range(9)
    .map((index) => 178 + index * 26)
    .flatMap((y) => {
      const xs = range((right - left) / 8 + 1).map((index) => left + index * 8);
      const inside = xs.filter((x) => heightAt(towers, x) < y - 6);
      return inside
        .filter((x) => !inside.includes(x - 8))
        .map((start) => [start, inside.find((x) => x >= start && !inside.includes(x + 8)) ?? start] as const)
        .filter(([start, end]) => end - start > 24)
        .map(([start, end]) => polyline([start + 6, y], [end - 6, y]));
    })
    .join('');

const view = { left: 284, right: 524, top: 64, bottom: 536 } as const;

export const jabalTrail: Art = {
  ...frame,
  alt: 'A phone held up to sandstone towers, a runner on the slope in its picture',
  shapes: [
    backdrop('terracotta'),
    filled('terracottaSoft', land(towers, 0, 800, 600)),
    stroked('terracotta', 3, strata(0, 800)),
    filled('night', land(slope, 0, 800, 600)),
    stroked('slate', 4, curve([40, 600], [120, 540], [260, 520]), curve([800, 440], [660, 470], [540, 500])),
    // The phone and its view.
    filled('night', rect(264, 28, 280, 544, 34)),
    filled('sand', rect(view.left, view.top, view.right - view.left, view.bottom - view.top)),
    filled('terracotta', circle([456, 158], 40)),
    filled('tealSoft', land(towers, view.left, view.right, view.bottom)),
    stroked('teal', 3, strata(view.left + 4, view.right - 4)),
    filled('dune', land(slope, view.left, view.right, view.bottom)),
    stroked('paper', 6, curve([view.left + 4, 520], [360, 500], [440, 508], [view.right - 4, 484])),
    // The runner.
    filled('night', circle([412, 364], 13)),
    stroked(
      'night',
      12,
      polyline([405, 390], [396, 432]),
      polyline([396, 432], [424, 448], [418, 482]),
      polyline([396, 432], [380, 458], [350, 456]),
    ),
    stroked('night', 8, polyline([405, 392], [426, 410], [444, 398]), polyline([404, 392], [380, 402], [374, 424])),
    // The recording.
    filled('terracotta', circle([312, 92], 9)),
    stroked('night', 4, polyline([332, 92], [364, 92])),
    filled('paper', circle([404, 554], 10)),
  ],
};
