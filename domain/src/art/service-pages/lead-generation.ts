import type { Art } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, filled, outline, polyline, rays, rect, ripples, stroked, turned } from '../shapes.ts';

const alt = 'Boats on a wide bay, all on course to one harbour light';

/** The coast relative to the harbour light, seen from above. It reaches the right edge of the drawing. */
const reach = 254;
const north: readonly Point[] = [
  [reach, -222],
  [190, -206],
  [142, -152],
  [62, -128],
  [50, -82],
  [86, -28],
];
const south: readonly Point[] = [
  [86, 28],
  [46, 84],
  [82, 140],
  [168, 170],
  [reach, 216],
];
const northDeep: readonly Point[] = [
  [reach, -268],
  [132, -262],
  [44, -218],
  [-66, -176],
  [-84, -104],
  [-44, -54],
];
const southDeep: readonly Point[] = [
  [-44, 54],
  [-76, 108],
  [-34, 188],
  [96, 232],
  [reach, 262],
];
const northInland: readonly Point[] = [
  [reach, -120],
  [236, -116],
  [214, -96],
  [170, -84],
  [148, -74],
  [140, -62],
];
const southInland: readonly Point[] = [
  [140, 62],
  [138, 84],
  [166, 104],
  [214, 118],
  [reach, 126],
];

interface Boat {
  readonly at: Point;
  /** Degrees clockwise from east. */
  readonly heading: number;
  readonly course: readonly Point[];
}

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

function scene(width: number, height: number, boats: readonly Boat[]): Art {
  const harbour: Point = [width - reach, height / 2];
  const placed = ([x, y]: Point): Point => [harbour[0] + x, harbour[1] + y];
  const line = (...points: readonly Point[]): Point[] => points.map(placed);
  const shed = (x: number, y: number, length: number, depth: number): string => {
    const [left, top] = placed([x, y]);
    return rect(left, top, length, depth);
  };
  return {
    width,
    height,
    alt,
    shapes: [
      filled('teal', rect(0, 0, width, height)),
      stroked(
        'tealSoft',
        2,
        ripples(line(...north), line(...northDeep), 4, 0.1, 1),
        ripples(line(...south), line(...southDeep), 4, 0.1, 1),
      ),
      filled('sand', outline(line(...north), line(...south))),
      stroked(
        'sandDeep',
        2,
        ripples(line(...north), line(...northInland), 3, 0.2, 1),
        ripples(line(...south), line(...southInland), 3, 0.2, 1),
      ),
      // The moles and the quay.
      stroked(
        'dune',
        14,
        polyline(...line([94, -64], [10, -68], [-16, -42])),
        polyline(...line([94, 64], [10, 68], [-16, 42])),
      ),
      filled('night', shed(118, -54, 60, 24), shed(118, -18, 84, 32), shed(118, 26, 44, 28)),
      filled('terracottaSoft', shed(118, -18, 42, 32)),
      ...boats
        .filter(({ course }) => course.length > 0)
        .map(({ course }) => ({ ...stroked('paper', 3, curve(...course)), dash: [1, 11] })),
      filled('paper', ...boats.map(hull)),
      filled('terracotta', ...boats.map(deck)),
      // The light.
      stroked('terracottaSoft', 4, rays(harbour, 42, 60, 0, 330, 12)),
      filled('paper', circle(harbour, 32)),
      filled('terracotta', circle(harbour, 20)),
    ],
  };
}

/** The drawing of /services/lead-generation beside the form. */
export const leadGenerationArtTall = scene(640, 600, [
  {
    at: [62, 76],
    heading: 36,
    course: [
      [92, 98],
      [190, 172],
      [276, 236],
      [342, 280],
    ],
  },
  { at: [226, 198], heading: 37, course: [] },
  {
    at: [46, 290],
    heading: 2,
    course: [
      [84, 292],
      [170, 304],
      [260, 302],
      [338, 300],
    ],
  },
  {
    at: [92, 520],
    heading: -40,
    course: [
      [120, 496],
      [200, 422],
      [276, 362],
      [344, 318],
    ],
  },
  {
    at: [262, 530],
    heading: -62,
    course: [
      [278, 502],
      [314, 430],
      [342, 370],
      [364, 336],
    ],
  },
  {
    at: [238, 58],
    heading: 62,
    course: [
      [254, 86],
      [296, 160],
      [336, 222],
      [362, 262],
    ],
  },
]);

/** The drawing of /services/lead-generation above the form. */
export const leadGenerationArt = scene(960, 560, [
  {
    at: [120, 96],
    heading: 24,
    course: [
      [156, 114],
      [330, 190],
      [520, 246],
      [660, 274],
    ],
  },
  { at: [420, 219], heading: 20, course: [] },
  {
    at: [72, 294],
    heading: 2,
    course: [
      [112, 296],
      [300, 306],
      [500, 290],
      [656, 282],
    ],
  },
  {
    at: [210, 464],
    heading: -30,
    course: [
      [244, 442],
      [380, 372],
      [540, 312],
      [660, 290],
    ],
  },
  {
    at: [492, 440],
    heading: -36,
    course: [
      [522, 414],
      [580, 362],
      [636, 318],
      [668, 300],
    ],
  },
]);
