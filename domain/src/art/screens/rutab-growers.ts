import type { Ink } from '../../brand.ts';
import type { Screen } from '../art.ts';
import { circle, curve, filled, outline, polyline, range, rect, stroked } from '../shapes.ts';
import {
  browser,
  button,
  card,
  chip,
  drawn,
  figure,
  group,
  meter,
  phone,
  rule,
  screen,
  trend,
  write,
} from './parts.ts';

const thirst: readonly Ink[] = ['teal', 'tealSoft', 'sandDeep', 'terracottaSoft'];
const inkOfPlot = (index: number): Ink =>
  index === 11 ? 'terracotta' : (thirst[(index * 5 + Math.floor(index / 8) * 3) % 4] ?? 'teal');

const plots = screen(
  'wide',
  'teal',
  'The map of forty plots, colored by the moisture at their roots; plot 12 is thirsty',
  card({ x: 40, y: 44, width: 720, height: 512 }, 'paper', 16),
  write('Forty plots tonight', [72, 110], 36, 'night', { face: 'display' }),
  ...range(40).map((index) => {
    const [x, y] = [72 + (index % 8) * 58, 142 + Math.floor(index / 8) * 76];
    return group(
      card({ x, y, width: 52, height: 68 }, inkOfPlot(index), 4),
      write(String(index + 1), [x + 8, y + 24], 16, index === 11 || inkOfPlot(index) === 'teal' ? 'white' : 'night', {
        face: 'bold',
      }),
    );
  }),
  drawn(stroked('night', 4, rect(243, 215, 58, 74, 6))),
  figure([570, 200], '−27%', 'water over the summer', 'teal', 'slate', 46),
  rule(570, 740, 252, 'sandDeep'),
  ...(
    [
      ['teal', 'well watered'],
      ['tealSoft', 'enough'],
      ['sandDeep', 'tomorrow'],
      ['terracottaSoft', 'soon'],
      ['terracotta', 'tonight'],
    ] as const
  ).map(([ink, label], index) =>
    group(
      drawn(filled(ink, rect(570, 278 + index * 40, 24, 24, 4))),
      write(label, [608, 297 + index * 40], 18, 'night'),
    ),
  ),
);

const tonight = screen(
  'tall',
  'sandDeep',
  'The app on a weak signal: plot 12 is thirsty tonight, with the minutes of water it needs',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'night', 'slate'),
  chip({ x: 78, y: 72, width: 136, height: 32 }, 'Works offline', 'slate', 'paper', 14),
  write('Water plot 12', [78, 146], 32, 'paper', { face: 'display' }),
  write('from 20:30, for 40 minutes', [78, 174], 16, 'tealSoft'),
  drawn(
    // A palm and its roots.
    stroked('dune', 10, curve([200, 372], [196, 310], [204, 256])),
    stroked(
      'teal',
      6,
      ...[-92, -70, -40, 0, 40, 70, 92].map((reach, index) =>
        curve(
          [204, 256],
          [204 + reach * 0.45, [232, 222, 214, 230, 214, 222, 232][index] ?? 204],
          [204 + reach, [276, 240, 212, 200, 212, 240, 276][index] ?? 204],
        ),
      ),
    ),
    stroked('terracotta', 3, polyline([80, 372], [320, 372])),
    stroked(
      'dune',
      5,
      curve([200, 372], [176, 398], [152, 404]),
      curve([200, 372], [204, 400], [196, 428]),
      curve([200, 372], [230, 396], [254, 402]),
    ),
    filled(
      'tealSoft',
      outline([
        [288, 300],
        [274, 324],
        [288, 340],
        [302, 324],
        [288, 300],
      ]),
    ),
  ),
  write('at the roots', [78, 462], 16, 'tealSoft'),
  write('14%', [322, 462], 18, 'paper', { face: 'bold', anchor: 'end' }),
  meter({ x: 78, y: 472, width: 244, height: 10 }, 0.14, 'terracottaSoft', 'slate'),
  button({ x: 78, y: 500, width: 244, height: 48 }, 'Open the valve'),
);

const week = screen(
  'wide',
  'terracotta',
  'A week of one sensor: moisture falls by day and rises after each watering, never below the line',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'rutab.example/plots/12'),
  write('Plot 12, one week', [72, 150], 38, 'night', { face: 'display' }),
  write('Khalas palms, sensor at 60 cm', [72, 182], 18, 'slate'),
  trend(
    { x: 72, y: 220, width: 656, height: 240 },
    [0.72, 0.56, 0.4, 0.3, 0.86, 0.7, 0.54, 0.42, 0.32, 0.82, 0.66, 0.5, 0.4, 0.3, 0.84],
    'teal',
  ),
  drawn({ ...stroked('terracotta', 3, polyline([72, 404], [728, 404])), dash: [2, 9] }),
  drawn(filled('terracotta', circle([259, 254], 9), circle([494, 263], 9))),
  write('watered', [259, 238], 17, 'terracotta', { face: 'bold', anchor: 'middle' }),
  write('watered', [494, 247], 17, 'terracotta', { face: 'bold', anchor: 'middle' }),
  write('thirsty below this line', [728, 430], 17, 'terracotta', { anchor: 'end' }),
  ...['Sat', 'Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day, index) =>
    write(day, [84 + index * 98, 506], 18, 'slate'),
  ),
);

export const rutabGrowersScreens: readonly [Screen, Screen, Screen] = [plots, tonight, week];
