import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, filled, ground, polyline, range, rect, stroked } from '../shapes.ts';

const frame = { width: 960, height: 620 } as const;
const cell = 40;

/** The line of the chart, from the sidebar of the window to its right edge. */
const figures: readonly Point[] = [
  [330, 430],
  [400, 408],
  [470, 420],
  [550, 360],
  [630, 372],
  [710, 306],
];

/** The large drawing of /services/mvp-development. */
export const mvpDevelopmentArt: Art = {
  ...frame,
  alt: 'A sketch on squared paper turns into a working dashboard and an app on a phone',
  shapes: [
    filled('night', rect(0, 0, frame.width, frame.height)),
    stroked(
      'nightSoft',
      2,
      ...range(23).map((index) => polyline([(index + 1) * cell, 2], [(index + 1) * cell, frame.height - 2])),
      ...range(15).map((index) => polyline([2, (index + 1) * cell], [frame.width - 2, (index + 1) * cell])),
    ),
    // The sketch.
    {
      ...stroked(
        'dune',
        3,
        rect(80, 80, 560, 360, 12),
        polyline([80, 128], [640, 128]),
        polyline([200, 128], [200, 440]),
        rect(232, 160, 168, 96, 6),
        rect(432, 160, 168, 96, 6),
      ),
      dash: [3, 10],
    },
    stroked(
      'terracottaSoft',
      3,
      curve([96, 60], [180, 34], [300, 32], [392, 48]),
      polyline([376, 34], [394, 48], [374, 58]),
    ),
    // The dashboard.
    filled('paper', rect(200, 200, 560, 340, 12)),
    filled('terracotta', rect(200, 200, 96, 340, 12), rect(260, 200, 36, 340)),
    stroked('paper', 5, ...[248, 280, 312].map((y) => polyline([222, y], [270, y]))),
    filled('terracottaSoft', rect(214, 340, 68, 28, 6)),
    stroked('terracotta', 5, polyline([226, 354], [262, 354])),
    filled('sandDeep', rect(328, 228, 124, 64, 6), rect(468, 228, 124, 64, 6), rect(608, 228, 124, 64, 6)),
    stroked(
      'night',
      6,
      polyline([344, 252], [392, 252]),
      polyline([484, 252], [548, 252]),
      polyline([624, 252], [664, 252]),
    ),
    stroked('dune', 4, ...[344, 484, 624].map((x) => polyline([x, 272], [x + 84, 272]))),
    filled('tealSoft', ground(figures, 512)),
    stroked('teal', 6, curve(...figures)),
    filled('teal', circle([710, 306], 11)),
    filled('paper', circle([710, 306], 5)),
    stroked('night', 3, polyline([330, 512], [732, 512])),
    // The phone.
    filled('nightSoft', rect(680, 330, 176, 290, 24)),
    filled('sand', rect(692, 344, 152, 276, 12)),
    filled('teal', rect(706, 360, 124, 92, 8)),
    stroked('tealSoft', 4, curve([720, 430], [748, 404], [772, 418], [816, 382])),
    stroked('night', 5, polyline([708, 480], [780, 480])),
    stroked('dune', 4, polyline([708, 502], [826, 502]), polyline([708, 520], [800, 520])),
    filled('terracotta', rect(706, 548, 124, 40, 20)),
    stroked('paper', 5, polyline([746, 568], [790, 568])),
  ],
};
