import type { Ink } from '../brand.ts';
import type { KingroseNiche, KingroseService } from '../content/kingrose.ts';
import type { Art, Shape } from './art.ts';
import type { Point } from './shapes.ts';
import {
  arc,
  between,
  circle,
  curve,
  cut,
  filled,
  outline,
  polar,
  polygon,
  polyline,
  range,
  rays,
  rect,
  stroked,
  turnedPoint,
} from './shapes.ts';

/** Returns a sector of a disc. Angles are in degrees. */
const sector = (centre: Point, radius: number, from: number, to: number): string =>
  `${arc(centre, radius, from, to)}L${centre.join(' ')}Z`;

/** Returns a depth contour around a centre: an uneven circle. */
function contour(centre: Point, radius: number): string {
  const count = 24;
  const points = range(count + 1).map((index) => {
    const turn = ((index % count) / count) * Math.PI * 2;
    const wear = 0.055 * Math.sin(turn * 3 + radius / 190) + 0.035 * Math.sin(turn * 5 - radius / 120);
    return polar(centre, radius * (1 + wear), (turn * 180) / Math.PI);
  });
  return outline(points);
}

/** Draws a point of a compass rose as two halves in different colours. */
function rosePoint(centre: Point, length: number, waist: number, angle: number, inks: readonly [Ink, Ink]): Shape[] {
  const tip = polar(centre, length, angle);
  return [
    filled(inks[0], polygon(centre, tip, polar(centre, waist, angle - 45))),
    filled(inks[1], polygon(centre, tip, polar(centre, waist, angle + 45))),
  ];
}

const middle: Point = [600, 600];
const bars = range(72).map((index) => ({
  angle: index * 5,
  length: 26 + 44 * (0.5 + 0.5 * Math.sin(index * 0.52)) * (0.6 + 0.4 * Math.sin(index * 1.7)),
}));
const bar = ({ angle, length }: { readonly angle: number; readonly length: number }): string =>
  polyline(polar(middle, 486, angle), polar(middle, 486 + length, angle));
/** The direction of the needle, in degrees clockwise from three o'clock. */
const bearing = -60;
const isNearBearing = ({ angle }: { readonly angle: number }): boolean => Math.abs(angle - 360 - bearing) <= 12;

/** The drawing of /kingrose without its needle. It has no background, because the page places it on a dark band. */
export const kingroseArt: Art = {
  width: 1200,
  height: 1200,
  alt: 'A compass rose over the depth lines of a chart, its needle on a bearing',
  shapes: [
    stroked('teal', 2, ...[210, 262, 314, 366, 418].map((radius) => contour(middle, radius))),
    stroked('nightSoft', 2, rays(middle, 60, 590, 0, 348.75, 32)),
    stroked('teal', 3, circle(middle, 472)),
    stroked('tealSoft', 2, rays(middle, 448, 464, 0, 357.5, 144)),
    stroked('tealSoft', 4, rays(middle, 440, 464, 0, 345, 24)),
    stroked('teal', 7, ...bars.filter((each) => !isNearBearing(each)).map(bar)),
    stroked('terracottaSoft', 7, ...bars.filter(isNearBearing).map(bar)),
    ...[45, 135, 225, 315].flatMap((angle) => rosePoint(middle, 250, 76, angle, ['tealSoft', 'teal'])),
    ...[0, 90, 180, 270].flatMap((angle) => rosePoint(middle, 386, 92, angle, ['paper', 'teal'])),
    filled('night', circle(middle, 66)),
    stroked('paper', 6, circle(middle, 66)),
    filled('terracottaSoft', circle(middle, 22)),
  ],
};

/** The needle, in the same frame. */
export const kingroseNeedleArt: Art = {
  width: 1200,
  height: 1200,
  alt: 'The needle of the compass rose',
  shapes: [
    stroked('terracottaSoft', 8, polyline(polar(middle, 84, bearing), polar(middle, 424, bearing))),
    filled('terracottaSoft', circle(polar(middle, 424, bearing), 20)),
  ],
};

const frame = { width: 800, height: 600 } as const;
const hub: Point = [400, 306];
/** Radii of the wedges for twelve holdings. */
const holdings = [150, 206, 178, 236, 128, 196, 252, 164, 220, 142, 188, 232];
const watched = 6;

const townTurn = -14;
const townMiddle: Point = [400, 300];
const inTown = (x: number, y: number): Point => turnedPoint([x, y], townTurn, townMiddle);
const inFrame = { x: 0, y: 0, ...frame };
/** Draws a block of the town by its column and row. */
const block = (column: number, row: number): string => {
  const [left, top] = [column * 118 - 136, row * 92 - 144];
  return cut([inTown(left, top), inTown(left + 96, top), inTown(left + 96, top + 70), inTown(left, top + 70)], inFrame);
};
const blocks = range(9 * 10).map((index) => ({ column: index % 9, row: Math.floor(index / 9) }));
const parks = new Set(['2 3', '5 7', '7 2', '1 6']);
const hall = '5 4';
const blocksOf = (isWanted: (place: string) => boolean): string[] =>
  blocks.filter(({ column, row }) => isWanted(`${column} ${row}`)).map(({ column, row }) => block(column, row));
/** Returns the street crossing at the corner of a block. */
const crossing = (column: number, row: number): Point => inTown(column * 118 - 147, row * 92 - 155);
const door = crossing(5, 5);
const routes: readonly (readonly Point[])[] = [
  [crossing(2, 3), crossing(3, 3), crossing(3, 5), door],
  [crossing(7, 8), crossing(5, 8), door],
  [crossing(7, 3), crossing(7, 5), door],
];
const river: readonly Point[] = [
  [0, 462],
  [150, 500],
  [290, 488],
  [430, 548],
  [520, 600],
];

/** The drawing of each client group. */
export const nicheArt: Record<KingroseNiche['slug'], Art> = {
  'investment-firms': {
    ...frame,
    alt: 'Twelve holdings as the wedges of a round chart, one of them marked',
    shapes: [
      filled('teal', rect(0, 0, 800, 600)),
      ...holdings.map((radius, index) =>
        filled(
          index === watched ? 'terracotta' : index % 2 === 0 ? 'paper' : 'tealSoft',
          sector(hub, radius, index * 30 - 90, index * 30 - 62),
        ),
      ),
      stroked('night', 2, ...[80, 130, 180, 230].map((radius) => circle(hub, radius))),
      stroked('tealSoft', 3, circle(hub, 272)),
      stroked('tealSoft', 3, rays(hub, 262, 272, 0, 354, 60)),
      filled('night', circle(hub, 46)),
      stroked('paper', 4, circle(hub, 46)),
    ],
  },
  municipalities: {
    ...frame,
    alt: 'The plan of a town, with three requests on their way through the streets to one office',
    shapes: [
      filled('sandDeep', rect(0, 0, 800, 600)),
      filled('paper', ...blocksOf((place) => !parks.has(place) && place !== hall)),
      filled('tealSoft', ...blocksOf((place) => parks.has(place))),
      filled('teal', outline(river, [[0, 600]])),
      stroked('tealSoft', 4, curve([20, 520], [130, 546], [250, 536], [350, 580])),
      filled('night', ...blocksOf((place) => place === hall)),
      stroked('terracotta', 9, ...routes.map((route) => polyline(...route))),
      filled('terracotta', ...routes.map((route) => circle(route[0] ?? door, 17))),
      filled('paper', ...routes.map((route) => circle(route[0] ?? door, 7))),
      filled('night', circle(door, 22)),
      filled('terracottaSoft', circle(door, 10)),
    ],
  },
};

const face: Point = [80, 80];

/** Draws an instrument of a ship's bridge: a dial with its reading. */
const instrument = (alt: string, ...reading: readonly Shape[]): Art => ({
  width: 160,
  height: 160,
  alt,
  shapes: [
    filled('night', circle(face, 76)),
    stroked('teal', 4, circle(face, 74)),
    stroked('tealSoft', 2, rays(face, 62, 68, 0, 350, 36)),
    ...reading,
  ],
});

const fan = (y: number): string => curve([36, 92], [62, 90], [90, between([0, 92], [0, y], 0.5)[1]], [120, y]);

/** The drawing of each service: an instrument. */
export const kingroseServiceArt: Record<KingroseService['title'], Art> = {
  'Portfolio Monitoring & Deal Tracking': instrument(
    'A dial that traces a course',
    stroked('nightSoft', 2, polyline([36, 64], [124, 64]), polyline([32, 96], [128, 96])),
    stroked('tealSoft', 5, polyline([36, 100], [58, 84], [76, 92], [98, 62], [116, 52])),
    filled('terracottaSoft', circle([116, 52], 9)),
  ),
  'Automated Due Diligence Tools': instrument(
    'A dial with a lens over the lines of a document',
    stroked('tealSoft', 4, polyline([48, 54], [94, 54]), polyline([48, 70], [74, 70]), polyline([48, 86], [70, 86])),
    stroked('tealSoft', 4, polyline([48, 102], [82, 102])),
    filled('night', circle([96, 84], 24)),
    stroked('paper', 5, circle([96, 84], 22), polyline([112, 100], [124, 112])),
    stroked('terracottaSoft', 5, polyline([86, 80], [106, 80]), polyline([86, 90], [100, 90])),
  ),
  'Investment Scenario Planning': instrument(
    'A dial with three courses from one point',
    stroked('tealSoft', 4, fan(54), fan(116)),
    stroked('terracottaSoft', 5, fan(84)),
    filled('paper', circle([36, 92], 8)),
    filled('tealSoft', circle([120, 54], 6), circle([120, 116], 6)),
    filled('terracottaSoft', circle([120, 84], 7)),
  ),
  'Municipal Workflow Automation': instrument(
    'A dial with requests that flow through one gate',
    stroked('tealSoft', 4, polyline([38, 58], [62, 58], [80, 80]), polyline([38, 102], [62, 102], [80, 80])),
    stroked('terracottaSoft', 5, polyline([80, 80], [122, 80]), polyline([110, 68], [122, 80], [110, 92])),
    filled('tealSoft', circle([38, 58], 7), circle([38, 102], 7)),
    filled('paper', rect(68, 68, 24, 24, 4)),
  ),
  'Citizen Service Enhancement': instrument(
    'A dial with a question and its answer',
    filled('tealSoft', rect(38, 48, 60, 32, 8)),
    filled('tealSoft', polygon([48, 76], [62, 76], [48, 92])),
    filled('paper', rect(64, 86, 58, 28, 8)),
    filled('paper', polygon([110, 110], [96, 110], [112, 124])),
    stroked('night', 4, polyline([50, 60], [86, 60]), polyline([50, 69], [74, 69])),
    stroked('terracotta', 5, polyline([80, 100], [88, 107], [104, 94])),
  ),
  'Data Analytics Dashboards': instrument(
    'A dial with columns of different heights',
    filled('tealSoft', rect(42, 86, 14, 26), rect(62, 70, 14, 42), rect(102, 62, 14, 50)),
    filled('terracottaSoft', rect(82, 50, 14, 62)),
    stroked('paper', 4, polyline([36, 116], [124, 116])),
  ),
};

const wheel: Point = [220, 220];
const stepAngles = range(5).map((index) => index * 72 - 90);

/** The drawing of the engagement: its five steps are the marks of a dial. */
export const engagementArt: Art = {
  width: 440,
  height: 440,
  alt: 'A dial with five marks and a needle on the first',
  shapes: [
    filled('night', circle(wheel, 220)),
    stroked('teal', 2, ...[78, 106, 134].map((radius) => contour(wheel, radius))),
    stroked('tealSoft', 2, rays(wheel, 196, 212, 0, 357, 120)),
    stroked('tealSoft', 3, circle(wheel, 172)),
    stroked('terracottaSoft', 7, arc(wheel, 172, -90, 198)),
    ...stepAngles.flatMap((angle) => [
      filled('night', circle(polar(wheel, 172, angle), 15)),
      stroked('terracottaSoft', 6, circle(polar(wheel, 172, angle), 15)),
    ]),
    ...rosePoint(wheel, 140, 26, -90, ['paper', 'dune']),
    ...rosePoint(wheel, 90, 26, 90, ['tealSoft', 'teal']),
    filled('night', circle(wheel, 12)),
    stroked('paper', 4, circle(wheel, 12)),
  ],
};
