import type { Screen } from '../art.ts';
import { circle, curve, filled, ground, outline, type Point, polyline, range, rect, stroked } from '../shapes.ts';
import {
  browser,
  button,
  card,
  chip,
  columns,
  drawn,
  figure,
  group,
  phone,
  play,
  portrait,
  reactions,
  screen,
  write,
} from './parts.ts';

const profile: readonly Point[] = [
  [72, 470],
  [150, 456],
  [230, 474],
  [310, 420],
  [390, 344],
  [450, 330],
  [520, 400],
  [600, 446],
  [728, 462],
];
const cameras = [1, 3, 4, 5, 7];

const course = screen(
  'wide',
  'night',
  'The race’s course as a profile, with the points at which runners filmed',
  write('Where to film', [72, 108], 42, 'paper', { face: 'display' }),
  write('25 phones, 9 places, one climb', [728, 106], 20, 'terracottaSoft', { face: 'bold', anchor: 'end' }),
  drawn(
    stroked('nightSoft', 2, ...range(5).map((index) => polyline([72, 190 + index * 76], [728, 190 + index * 76]))),
    filled('terracotta', ground(profile, 560)),
    stroked('terracottaSoft', 5, curve(...profile)),
  ),
  ...cameras.map((index) => {
    const [x, y] = profile[index] ?? [0, 0];
    return group(
      drawn(stroked('paper', 2, polyline([x, y - 12], [x, y - 58])), filled('paper', circle([x, y], 9))),
      play([x, y - 78], 22, 'paper', 'terracotta'),
    );
  }),
  chip({ x: 330, y: 186, width: 150, height: 40 }, 'km 18, the climb', 'terracottaSoft', 'night', 17),
  write('start', [90, 540], 18, 'sand', { face: 'bold' }),
  write('42 km', [710, 540], 18, 'sand', { face: 'bold', anchor: 'end' }),
);

const clip = screen(
  'tall',
  'terracottaSoft',
  'A runner’s film on a phone: the climb between sandstone walls, and a runner ahead',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'sand'),
  drawn(
    filled('terracottaSoft', circle([230, 176], 44)),
    filled(
      'terracotta',
      outline(
        [[62, 150]],
        [
          [110, 130],
          [140, 210],
          [126, 330],
          [150, 420],
        ],
        [[62, 420]],
      ),
    ),
    filled(
      'terracotta',
      outline(
        [[338, 130]],
        [
          [300, 150],
          [276, 250],
          [290, 340],
          [262, 420],
        ],
        [[338, 420]],
      ),
    ),
    filled(
      'dune',
      outline(
        [
          [62, 420],
          [150, 380],
          [210, 300],
          [262, 390],
          [338, 420],
        ],
        [[338, 480]],
        [[62, 480]],
      ),
    ),
    stroked('night', 11, polyline([206, 402], [204, 436])),
    stroked(
      'night',
      7,
      polyline([204, 436], [190, 462]),
      polyline([204, 436], [222, 456]),
      polyline([206, 410], [190, 428]),
      polyline([206, 410], [224, 422]),
    ),
    filled('night', circle([208, 386], 10)),
    filled('night', rect(62, 464, 276, 60), rect(62, 480, 276, 84, 32)),
  ),
  reactions([314, 250], 'paper'),
  chip({ x: 82, y: 74, width: 84, height: 32 }, 'km 18', 'night', 'paper', 15),
  write('What the climb feels like', [84, 500], 21, 'paper', { face: 'display' }),
  write('Filmed by bib 214', [84, 528], 15, 'terracottaSoft'),
);

const runners: readonly Parameters<typeof portrait>[1][] = [
  { ground: 'terracottaSoft', skin: 'dune', hair: 'night', clothes: 'teal' },
  { ground: 'sandDeep', skin: 'terracottaSoft', hair: 'night', clothes: 'night', hasScarf: true },
  { ground: 'tealSoft', skin: 'sandDeep', hair: 'terracotta', clothes: 'terracotta' },
];

const entries = screen(
  'wide',
  'terracotta',
  'The entry page: runners’ films above the form, and entries that grow from 420 to 1,150',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'jabaltrail.example/enter'),
  write('See it before you run it', [72, 152], 38, 'night', { face: 'display' }),
  ...runners.map((runner, index) => {
    const box = { x: 72 + index * 136, y: 180, width: 124, height: 166 };
    return group(portrait(box, runner), play([box.x + 24, box.y + 24], 15, 'paper', 'terracotta'));
  }),
  button({ x: 72, y: 376, width: 250, height: 54 }, 'Enter the 42 km'),
  write('AlUla, first Friday of February', [72, 474], 19, 'night', { face: 'bold' }),
  write('4.2M views before entries closed', [72, 502], 18, 'slate'),
  card({ x: 500, y: 116, width: 228, height: 416 }, 'night'),
  figure([524, 180], '1,150', 'entries, up from 420', 'terracottaSoft', 'sand', 48),
  columns(
    { x: 524, y: 240, width: 180, height: 262 },
    [0.22, 0.28, 0.36, 0.4, 0.56, 0.7, 0.88, 1],
    'slate',
    'terracottaSoft',
    3,
  ),
);

export const jabalTrailScreens: readonly [Screen, Screen, Screen] = [course, clip, entries];
