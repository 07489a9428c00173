import type { Ink } from '../../brand.ts';
import type { Screen } from '../art.ts';
import { filled, polygon, type Point, polyline, stroked } from '../shapes.ts';
import {
  browser,
  button,
  card,
  chip,
  columns,
  drawn,
  figure,
  group,
  meter,
  phone,
  pin,
  rule,
  screen,
  write,
} from './parts.ts';

const quarters: readonly { readonly ink: Ink; readonly points: readonly Point[] }[] = [
  {
    ink: 'tealSoft',
    points: [
      [72, 250],
      [196, 232],
      [214, 330],
      [84, 352],
    ],
  },
  {
    ink: 'terracottaSoft',
    points: [
      [204, 230],
      [330, 214],
      [352, 314],
      [222, 329],
    ],
  },
  {
    ink: 'sandDeep',
    points: [
      [84, 360],
      [214, 338],
      [234, 448],
      [96, 470],
    ],
  },
  {
    ink: 'teal',
    points: [
      [222, 337],
      [352, 322],
      [372, 426],
      [242, 447],
    ],
  },
  {
    ink: 'dune',
    points: [
      [98, 478],
      [372, 434],
      [384, 516],
      [110, 528],
    ],
  },
];

const dashboard = screen(
  'wide',
  'teal',
  'The town’s dashboard: a map of five quarters, the open requests and their age',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'requests.wadisidr.example'),
  write('Open requests', [72, 146], 34, 'night', { face: 'display' }),
  write('by quarter, this morning', [72, 174], 18, 'slate'),
  drawn(
    ...quarters.map(({ ink, points }) => filled(ink, polygon(...points))),
    stroked('paper', 4, polyline([72, 500], [240, 404], [300, 290], [360, 214])),
  ),
  pin([286, 282], 'terracotta', 'paper'),
  pin([160, 424], 'terracotta', 'paper'),
  figure([430, 160], '148', 'open', 'night', 'slate'),
  figure([540, 160], '9 days', 'to close one', 'teal', 'slate'),
  rule(430, 728, 214, 'sandDeep'),
  write('Age of what is open', [430, 250], 19, 'night', { face: 'bold' }),
  columns(
    { x: 430, y: 272, width: 298, height: 190 },
    [0.92, 0.74, 0.5, 0.32, 0.2, 0.12, 0.06],
    'dune',
    'terracotta',
    2,
  ),
  write('1 day', [430, 488], 17, 'slate'),
  write('over 3 weeks', [728, 488], 17, 'terracotta', { anchor: 'end', face: 'bold' }),
);

const first = [
  { title: 'Burst pipe', place: 'Souq quarter', age: 'day 1', ink: 'terracotta' },
  { title: 'Dark street', place: 'Palm quarter, 6 lights', age: 'day 8', ink: 'dune' },
  { title: 'Shop permit', place: 'North quarter', age: 'day 8', ink: 'teal' },
  { title: 'Blocked drain', place: 'Wadi quarter', age: 'day 6', ink: 'dune' },
] as const;

const duty = screen(
  'tall',
  'dune',
  'The duty officer’s phone: which request to close first, with its quarter and its age',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'paper'),
  write('Close first', [80, 106], 32, 'night', { face: 'display' }),
  write('Duty officer, 07:00', [80, 132], 16, 'slate'),
  ...first.map(({ title, place, age, ink }, index) => {
    const y = 154 + index * 84;
    return group(
      card({ x: 78, y, width: 244, height: 72 }, 'sand'),
      drawn(filled(ink, polygon([78, y + 10], [84, y + 10], [84, y + 62], [78, y + 62]))),
      write(title, [98, y + 30], 19, 'night', { face: 'bold' }),
      write(place, [98, y + 54], 15, 'slate'),
      write(age, [308, y + 30], 15, ink === 'dune' ? 'slate' : ink, { anchor: 'end', face: 'bold' }),
    );
  }),
  button({ x: 78, y: 500, width: 244, height: 48 }, 'Take the first'),
);

const stages = [
  { name: 'Received', cards: ['Kiosk, Souq', 'Fence, North', 'Sign, Palm'], ink: 'dune' },
  { name: 'With an office', cards: ['Extension, Wadi', 'Bakery, Souq'], ink: 'teal' },
  { name: 'Decided', cards: ['Garage, North', 'Café, Palm', 'Well, East'], ink: 'terracotta' },
] as const;

const permits = screen(
  'wide',
  'sandDeep',
  'The permits board: received, with an office, and decided, one card for each application',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'requests.wadisidr.example/permits', 'paper', 'dune'),
  write('Permits', [72, 146], 34, 'night', { face: 'display' }),
  chip({ x: 574, y: 116, width: 154, height: 38 }, '14 files retired', 'night', 'paper', 15),
  ...stages.flatMap(({ name, cards, ink }, column) => {
    const x = 72 + column * 224;
    return [
      write(name, [x, 200], 19, 'night', { face: 'bold' }),
      drawn(stroked(ink, 4, polyline([x, 214], [x + 204, 214]))),
      ...cards.map((title, index) =>
        group(
          card({ x, y: 232 + index * 98, width: 204, height: 84 }, 'sand'),
          write(title, [x + 16, 266 + index * 98], 18, 'night', { face: 'bold' }),
          meter(
            { x: x + 16, y: 286 + index * 98, width: 172, height: 8 },
            column === 2 ? 1 : 0.3 + index * 0.22,
            ink,
            'sandDeep',
          ),
        ),
      ),
    ];
  }),
);

export const wadiSidrScreens: readonly [Screen, Screen, Screen] = [dashboard, duty, permits];
