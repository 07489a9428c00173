import type { Ink } from '../../brand.ts';
import type { Art, Shape } from '../art.ts';
import type { Point } from '../shapes.ts';
import { arc, circle, filled, ground, outline, polyline, rect, ripples, stroked } from '../shapes.ts';

const alt = 'Three phones on stands film a dune, a bottle of perfume and a wave';

/** How far the dunes continue on each side. */
const bleed = 420;

/** A phone on a stand that records a scene. */
interface Phone {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly sky: Ink;
  /** Draws the content of the screen between its edges. */
  readonly scene: (screen: Screen) => readonly Shape[];
}

interface Screen {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Maps a position on the screen, with both coordinates from 0 to 1, to a point. */
  readonly at: (across: number, down: number) => Point;
}

const line = (at: Screen['at'], ...points: readonly Point[]): Point[] =>
  points.map(([across, down]) => at(across, down));

const dune = ({ at, left, right, bottom }: Screen): Shape[] => {
  const skyline = line(at, [0.5, 0.46], [0.66, 0.6], [0.84, 0.66], [1, 0.67]);
  const ridge = line(at, [0.5, 0.46], [0.6, 0.62], [0.42, 0.78], [0.54, 1]);
  const slope = line(at, [0, 0.72], [0.28, 0.64], [0.5, 0.46]);
  return [
    filled('terracotta', circle(at(0.72, 0.3), 30)),
    filled('sandDeep', outline(skyline, [[right, bottom]], [...ridge].reverse())),
    filled('terracottaSoft', outline(slope, ridge, [[left, bottom]])),
    stroked('dune', 2, ripples(ridge, skyline, 6, 0.06, 0.9)),
  ];
};

const bottle = ({ at, left, right, top, bottom }: Screen): Shape[] => {
  const [x, y] = at(0.5, 0.84);
  const floor = at(0, 0.84)[1];
  return [
    filled('sandDeep', rect(left, floor, right - left, bottom - floor)),
    stroked('dune', 2, ...[16, 32, 48].map((drop) => polyline([left + 14, floor + drop], [right - 14, floor + drop]))),
    stroked('sandDeep', 3, ...[62, 80, 98].map((radius) => arc([x, top + 158], radius, 180, 360))),
    filled('terracottaSoft', circle([x, top + 158], 48)),
    filled('night', rect(x - 18, y - 192, 36, 34, 4)),
    filled('dune', rect(x - 10, y - 160, 20, 16)),
    filled('teal', rect(x - 58, y - 146, 116, 146, 16)),
    filled('tealSoft', rect(x - 44, y - 130, 12, 112, 6)),
    filled('paper', rect(x - 18, y - 92, 58, 48, 4)),
    stroked('terracotta', 3, polyline([x - 6, y - 76], [x + 28, y - 76]), polyline([x - 6, y - 62], [x + 16, y - 62])),
  ];
};

const wave = ({ at, left, right, bottom }: Screen): Shape[] => {
  const crest = line(at, [0, 0.88], [0.3, 0.74], [0.52, 0.5], [0.66, 0.34]);
  const face = line(at, [0.66, 0.34], [0.62, 0.52], [0.78, 0.7], [1, 0.76]);
  return [
    filled('paper', circle(at(0.24, 0.24), 22)),
    filled('tealSoft', rect(left, at(0, 0.62)[1], right - left, bottom - at(0, 0.62)[1])),
    filled('teal', outline(crest, face, [[right, bottom]], [[left, bottom]])),
    stroked(
      'tealSoft',
      2,
      ripples(
        line(at, [0.12, 0.96], [0.4, 0.84], [0.58, 0.6], [0.66, 0.34]),
        line(at, [0.9, 0.96], [0.76, 0.84], [0.64, 0.6], [0.66, 0.34]),
        5,
        0.08,
        0.86,
      ),
    ),
  ];
};

function picture({ x, y, width, height, sky, scene }: Phone): Shape[] {
  const edges = { left: x + 11, right: x + width - 11, top: y + 14, bottom: y + height - 14 };
  const at = (across: number, down: number): Point => [
    edges.left + across * (edges.right - edges.left),
    edges.top + down * (edges.bottom - edges.top),
  ];
  const middle = x + width / 2;
  const foot = y + height;
  return [
    stroked(
      'night',
      7,
      polyline([middle, foot - 10], [middle, foot + 60]),
      polyline([middle, foot + 30], [middle - 44, foot + 130]),
      polyline([middle, foot + 30], [middle + 44, foot + 130]),
    ),
    filled('night', rect(x, y, width, height, 24)),
    filled(sky, rect(edges.left, edges.top, edges.right - edges.left, edges.bottom - edges.top, 8)),
    ...scene({ ...edges, at }),
    filled('terracotta', circle([edges.left + 22, edges.top + 22], 6)),
    stroked('dune', 3, polyline([edges.left + 38, edges.top + 22], [edges.left + 62, edges.top + 22])),
  ];
}

interface Scene {
  readonly width: number;
  readonly height: number;
  readonly phones: readonly [left: Phone, middle: Phone, right: Phone];
  /** The crests of the dunes behind and in front of the stands. */
  readonly crests: readonly [back: readonly Point[], front: readonly Point[]];
}

function composition({ width, height, phones, crests: [back, front] }: Scene): Art {
  const { x, y, width: across } = phones[1];
  /** Rings that spread from one screen to the next, for word of mouth. */
  const ring = (from: number, to: number, edge: number): string[] =>
    [34, 58].map((radius) => arc([edge, y + 168], radius, from, to));
  return {
    width,
    height,
    bleed,
    alt,
    shapes: [
      filled('terracotta', rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed)),
      stroked(
        'terracottaSoft',
        2,
        ...[300, 350, 410, 480].map((radius) => arc([width / 2, height - 100], radius, 180, 360)),
      ),
      filled('terracottaSoft', ground(back, height)),
      stroked('terracottaSoft', 4, ...ring(-48, 48, x + across), ...ring(132, 228, x)),
      ...phones.flatMap(picture),
      // The colour of the page's background, so that the drawing has no visible lower edge.
      filled('terracotta', ground(front, height + bleed)),
    ],
  };
}

/** The drawing of /services/ugc-creatives beside the form. */
export const ugcCreativesArtTall = composition({
  width: 640,
  height: 740,
  phones: [
    { x: 18, y: 222, width: 170, height: 302, sky: 'sand', scene: dune },
    { x: 206, y: 44, width: 228, height: 404, sky: 'sand', scene: bottle },
    { x: 452, y: 262, width: 170, height: 302, sky: 'sandDeep', scene: wave },
  ],
  crests: [
    [
      [-bleed, 600],
      [-170, 556],
      [60, 596],
      [300, 548],
      [470, 590],
      [640, 610],
      [860, 560],
      [1060, 590],
    ],
    [
      [-bleed, 660],
      [-120, 628],
      [100, 640],
      [330, 656],
      [540, 676],
      [780, 640],
      [1060, 672],
    ],
  ],
});

/** The drawing of /services/ugc-creatives above the form. */
export const ugcCreativesArt = composition({
  width: 960,
  height: 660,
  phones: [
    { x: 108, y: 176, width: 186, height: 330, sky: 'sand', scene: dune },
    { x: 366, y: 82, width: 228, height: 404, sky: 'sand', scene: bottle },
    { x: 666, y: 196, width: 186, height: 330, sky: 'sandDeep', scene: wave },
  ],
  crests: [
    [
      [-bleed, 500],
      [-180, 540],
      [0, 520],
      [150, 470],
      [330, 520],
      [520, 566],
      [760, 508],
      [960, 540],
      [1380, 500],
    ],
    [
      [-bleed, 610],
      [0, 600],
      [180, 588],
      [400, 612],
      [640, 590],
      [820, 616],
      [960, 596],
      [1380, 610],
    ],
  ],
});
