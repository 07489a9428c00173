import type { Screen } from '../art.ts';
import { filled, polygon, type Point, polyline, range, stroked } from '../shapes.ts';
import { browser, button, card, chip, drawn, figure, group, pin, rule, screen, write } from './parts.ts';

/** The position and the size of a roof. */
type Place = readonly [x: number, y: number, width: number, height: number];

/** The corners of a roof of the aerial picture, slightly skewed. */
const roof = ([x, y, width, height]: Place): readonly Point[] => [
  [x, y],
  [x + width, y - width * 0.12],
  [x + width + height * 0.08, y - width * 0.12 + height],
  [x + height * 0.08, y + height],
];

/** The panels on a roof: lines across it. */
const panels = ([x, y, width, height]: Place, count: number) =>
  range(count).map((index) => {
    const down = (height * (index + 0.7)) / (count + 0.4);
    return polyline([x + 14 + down * 0.08, y + down - 4], [x + width - 12 + down * 0.08, y - width * 0.12 + down + 2]);
  });

const yard = [
  [90, 96, 118, 46],
  [240, 84, 150, 46],
  [80, 190, 120, 84],
  [224, 172, 96, 70],
  [84, 316, 96, 132],
  [350, 158, 96, 96],
  [372, 292, 82, 140],
] as const;

const map = screen(
  'wide',
  'dune',
  'The map of commercial roofs: the largest roof is outlined, with its area and the power it could carry',
  card({ x: 40, y: 44, width: 720, height: 512 }, 'sandDeep', 16),
  drawn(
    filled('dune', polygon([40, 486], [500, 430], [500, 462], [40, 518])),
    ...yard.map((place) => filled('sand', polygon(...roof(place)))),
    filled('paper', polygon(...roof([206, 296, 146, 126]))),
    stroked('terracotta', 6, polygon(...roof([206, 296, 146, 126]))),
    stroked('teal', 9, ...panels([206, 296, 146, 126], 6)),
  ),
  pin([284, 336], 'terracotta', 'paper'),
  card({ x: 500, y: 44, width: 260, height: 512 }, 'night', 16),
  write('Roof 1,204', [528, 110], 32, 'paper', { face: 'display' }),
  write('Northern Industrial Area', [528, 138], 17, 'tealSoft'),
  figure([528, 218], '1,840 m²', 'flat, no shade after nine', 'paper', 'tealSoft', 38),
  figure([528, 308], '231 MWh', 'a year, for this roof alone', 'terracottaSoft', 'tealSoft', 38),
  rule(528, 732, 364, 'slate'),
  write('3,100 roofs mapped', [528, 402], 19, 'paper', { face: 'bold' }),
  write('from open aerial imagery', [528, 428], 17, 'tealSoft'),
  button({ x: 528, y: 468, width: 204, height: 50 }, 'Write to owner', 'terracottaSoft', 'night'),
);

const letter = screen(
  'tall',
  'teal',
  'The letter to a roof’s owner: a drawing of the roof and its own yield in large type',
  card({ x: 46, y: 40, width: 308, height: 520 }, 'paper', 4),
  write('Your roof could', [76, 104], 30, 'night', { face: 'display' }),
  write('earn its keep.', [76, 136], 30, 'night', { face: 'display' }),
  card({ x: 76, y: 162, width: 248, height: 150 }, 'sandDeep', 4),
  drawn(
    filled('paper', polygon(...roof([132, 216, 128, 78]))),
    stroked('terracotta', 5, polygon(...roof([132, 216, 128, 78]))),
    stroked('teal', 7, ...panels([132, 216, 128, 78], 4)),
  ),
  figure([76, 372], '231 MWh', 'a year, from this roof alone', 'terracotta', 'slate', 46),
  rule(76, 324, 422, 'sandDeep'),
  write('One call of fifteen minutes tells', [76, 456], 17, 'slate'),
  write('you whether a survey is worth it.', [76, 480], 17, 'slate'),
  write('No brochure follows.', [76, 516], 18, 'night', { face: 'bold' }),
);

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];

const booking = screen(
  'wide',
  'terracotta',
  'The landing page: a week of free times for a site survey, one of them chosen',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'nara.example/survey'),
  write('Book the survey of your roof', [72, 152], 38, 'night', { face: 'display' }),
  write('Roof 1,204, Northern Industrial Area', [72, 184], 19, 'slate'),
  ...days.flatMap((day, column) => {
    const x = 72 + column * 132;
    return [
      write(day, [x + 8, 238], 20, 'night', { face: 'bold' }),
      ...range(4).map((row) => {
        const isTaken = (column * 3 + row * 5) % 4 === 0;
        const isChosen = column === 2 && row === 1;
        const time = ['08:00', '10:00', '13:00', '15:00'][row] ?? '';
        const ground = isChosen ? 'terracotta' : isTaken ? 'sandDeep' : 'sand';
        return group(
          chip(
            { x, y: 256 + row * 54, width: 120, height: 42 },
            isTaken ? 'taken' : time,
            ground,
            isChosen ? 'white' : isTaken ? 'slate' : 'night',
            18,
          ),
        );
      }),
    ];
  }),
  button({ x: 72, y: 488, width: 240, height: 48 }, 'Wednesday, 10:00', 'night'),
  write('212 surveys booked in a year', [728, 518], 18, 'teal', { face: 'bold', anchor: 'end' }),
);

export const naraSolarScreens: readonly [Screen, Screen, Screen] = [map, letter, booking];
