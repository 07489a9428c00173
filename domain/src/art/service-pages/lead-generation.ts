import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, filled, outline, polygon, polyline, rays, rect, ripples, stroked, turned } from '../shapes.ts';

const frame = { width: 960, height: 560 } as const;

/** The end of every course. */
const harbour: Point = [706, 286];

/** The coast, seen from above. It is open to the left and encloses the harbour. */
const north: readonly Point[] = [
  [250, 0],
  [380, 76],
  [520, 104],
  [640, 178],
  [742, 200],
  [792, 258],
];
const south: readonly Point[] = [
  [792, 314],
  [752, 366],
  [780, 414],
  [862, 440],
  [960, 466],
];
const southShallow: readonly Point[] = [
  [690, 340],
  [646, 408],
  [694, 490],
  [812, 524],
  [960, 548],
];

/** Moves a line, and limits its points to the frame. */
const moved = (points: readonly Point[], x: number, y: number): Point[] => {
  const within = (value: number, limit: number): number => Math.min(limit, Math.max(0, value));
  return points.map(([across, down]) => [within(across + x, frame.width), within(down + y, frame.height)]);
};

interface Boat {
  readonly at: Point;
  /** Degrees clockwise from east. */
  readonly heading: number;
  readonly course: readonly Point[];
}

const boats: readonly Boat[] = [
  {
    at: [120, 96],
    heading: 24,
    course: [
      [156, 114],
      [330, 196],
      [520, 252],
      [664, 280],
    ],
  },
  {
    at: [72, 300],
    heading: 2,
    course: [
      [112, 302],
      [300, 312],
      [500, 296],
      [660, 290],
    ],
  },
  {
    at: [210, 470],
    heading: -30,
    course: [
      [244, 448],
      [380, 378],
      [540, 318],
      [664, 296],
    ],
  },
  {
    at: [420, 236],
    heading: 10,
    course: [],
  },
  {
    at: [492, 430],
    heading: -34,
    course: [
      [522, 406],
      [580, 360],
      [640, 318],
      [672, 302],
    ],
  },
];

/** Draws a hull from above, with its bow toward the heading. */
const hull = ({ at: [x, y], heading }: Boat): string =>
  turned(
    outline(
      [
        [x - 24, y - 10],
        [x + 4, y - 11],
        [x + 28, y],
      ],
      [
        [x + 28, y],
        [x + 4, y + 11],
        [x - 24, y + 10],
      ],
    ),
    heading,
    [x, y],
  );

const deck = ({ at: [x, y], heading }: Boat): string => turned(rect(x - 14, y - 4, 16, 8, 2), heading, [x, y]);

/** The large drawing of /services/lead-generation. */
export const leadGenerationArt: Art = {
  ...frame,
  alt: 'Boats on a wide bay, all on course to one harbour light',
  shapes: [
    filled('teal', rect(0, 0, frame.width, frame.height)),
    stroked('tealSoft', 2, ripples(north, moved(north, -110, 64), 4, 0.1, 1), ripples(south, southShallow, 3, 0.15, 1)),
    filled('sand', outline(north, [[960, 258]], [[960, 0]])),
    filled('sand', outline(south, [[960, 314]])),
    filled('sand', rect(780, 240, 180, 92)),
    stroked(
      'sandDeep',
      2,
      ripples(moved(north, 60, -24), moved(north, 190, -46), 4),
      ripples(moved(south, 42, 0), moved(south, 120, -24), 2),
    ),
    // The moles and the quay.
    stroked('sandDeep', 14, polyline([800, 222], [716, 218], [690, 244]), polyline([800, 350], [716, 354], [690, 328])),
    filled(
      'night',
      polygon([824, 232], [884, 232], [884, 256], [824, 256]),
      polygon([824, 268], [908, 268], [908, 300], [824, 300]),
      polygon([824, 312], [868, 312], [868, 340], [824, 340]),
    ),
    filled('terracottaSoft', polygon([824, 268], [866, 268], [866, 300], [824, 300])),
    ...boats
      .filter(({ course }) => course.length > 0)
      .map(({ course }) => ({ ...stroked('sandDeep', 3, curve(...course)), dash: [1, 11] })),
    filled('paper', ...boats.map(hull)),
    filled('terracotta', ...boats.map(deck)),
    // The light.
    stroked('terracottaSoft', 4, rays(harbour, 42, 60, 0, 330, 12)),
    filled('paper', circle(harbour, 32)),
    filled('terracotta', circle(harbour, 20)),
  ],
};
