import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, faint, filled, outline, polyline, rect, ripples, stroked } from '../shapes.ts';
import { backdrop, frame } from './frame.ts';

const tip: Point = [330, 196];
const sun: Point = [180, 190];
/** The outer edge of the wave, from the tip over the top to the lower right. */
const back: readonly Point[] = [tip, [410, 130], [520, 112], [640, 160], [730, 250], [800, 300]];
/** The inner edge of the wave, from the tip to the lower left. */
const hollow: readonly Point[] = [tip, [440, 210], [500, 290], [470, 400], [330, 480], [0, 520]];
const face: readonly Point[] = [tip, [480, 176], [610, 270], [610, 430], [470, 540], [200, 598]];
const shoulder: readonly Point[] = [tip, [410, 136], [520, 120], [664, 190], [740, 350], [784, 590]];

/** Draws a corner of the viewfinder. */
const mark = (x: number, y: number, inwards: number, down: number) =>
  polyline([x + inwards * 40, y], [x, y], [x, y + down * 40]);

export const umoyaSurf: Art = {
  ...frame,
  alt: 'A breaking wave, a surfer on its face inside the marks of a viewfinder',
  shapes: [
    backdrop('paper'),
    stroked('sandDeep', 3, circle(sun, 106), circle(sun, 132)),
    filled('terracotta', circle(sun, 80)),
    filled('tealSoft', rect(0, 330, 800, 270)),
    stroked(
      'paper',
      4,
      polyline([40, 362], [150, 362]),
      polyline([190, 362], [300, 362]),
      polyline([110, 396], [240, 396]),
      polyline([20, 430], [120, 430]),
    ),
    filled('teal', outline(back, [[800, 600]], [[0, 600]], [...hollow].reverse())),
    stroked('tealSoft', 3, ripples(hollow, face, 8, 0.06, 1)),
    faint(stroked('tealSoft', 3, ripples(face, shoulder, 5, 0.1, 0.98)), 0.45),
    filled('teal', circle([306, 226], 7), circle([290, 196], 5), circle([318, 252], 4)),
    // The surfer.
    stroked('paper', 12, curve([392, 500], [440, 490], [484, 462])),
    stroked(
      'night',
      12,
      polyline([424, 482], [436, 456], [420, 438]),
      polyline([462, 466], [452, 442], [422, 436]),
      polyline([421, 436], [438, 398]),
    ),
    stroked('night', 8, polyline([438, 402], [404, 412], [382, 404]), polyline([438, 402], [470, 410], [490, 396])),
    filled('night', circle([448, 378], 14)),
    // The viewfinder.
    stroked('night', 7, mark(340, 330, 1, 1), mark(540, 330, -1, 1), mark(340, 540, 1, -1), mark(540, 540, -1, -1)),
    filled('terracotta', circle([364, 354], 8)),
  ],
};
