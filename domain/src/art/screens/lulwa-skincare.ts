import type { Screen } from '../art.ts';
import type { Ink } from '../../brand.ts';
import { circle, filled, range, rect, segment, stroked, polyline } from '../shapes.ts';
import {
  browser,
  button,
  card,
  chip,
  columns,
  drawn,
  figure,
  group,
  type Part,
  phone,
  play,
  portrait,
  reactions,
  screen,
  write,
} from './parts.ts';

const women: readonly Parameters<typeof portrait>[1][] = [
  { ground: 'sand', skin: 'dune', hair: 'teal', clothes: 'teal', hasScarf: true },
  { ground: 'tealSoft', skin: 'sandDeep', hair: 'night', clothes: 'paper', hasLongHair: true },
  { ground: 'sandDeep', skin: 'terracottaSoft', hair: 'terracotta', clothes: 'terracotta', hasScarf: true },
  { ground: 'dune', skin: 'sandDeep', hair: 'night', clothes: 'tealSoft', hasLongHair: true },
];

/** Draws the serum's bottle with its dropper. */
const bottle = (x: number, y: number, width: number, height: number, ink: Ink = 'terracotta'): Part =>
  drawn(
    filled('night', rect(x + width * 0.34, y, width * 0.32, height * 0.2, width * 0.14)),
    filled('nightSoft', rect(x + width * 0.26, y + height * 0.17, width * 0.48, height * 0.13, 4)),
    filled(ink, rect(x, y + height * 0.28, width, height * 0.72, width * 0.16)),
    filled('paper', rect(x + width * 0.16, y + height * 0.48, width * 0.68, height * 0.34, 3)),
    filled('terracottaSoft', circle([x + width / 2, y + height * 0.65], width * 0.15)),
  );

const series = screen(
  'wide',
  'terracottaSoft',
  'The plan of the series: thirty mornings as thirty tiles, each with the height of the sun',
  write('Thirty mornings', [40, 80], 42, 'night', { face: 'display' }),
  write('twelve women, one minute each', [760, 78], 20, 'night', { face: 'bold', anchor: 'end' }),
  ...range(30).map((index) => {
    const [x, y] = [40 + (index % 10) * 73, 112 + Math.floor(index / 10) * 156];
    const height = 30 + ((index * 7) % 11) * 4;
    const woman = women[index % 4];
    const isFilmed = index % 7 === 2 || index % 7 === 5;
    return group(
      isFilmed && woman
        ? portrait({ x, y, width: 63, height: 126 }, woman)
        : drawn(
            filled(index % 3 === 0 ? 'sand' : 'paper', rect(x, y, 63, 126)),
            filled('terracotta', segment([x + 31.5, y + 126 - height * 0.5], 19, 180, 360)),
            filled('sandDeep', rect(x, y + 126 - height * 0.5, 63, height * 0.5)),
          ),
      write(String(index + 1), [x + 8, y + 24], 16, 'night', { face: 'bold' }),
    );
  }),
);

const morning = screen(
  'tall',
  'teal',
  'A film of the series on a phone: a woman with the serum by her window, at twenty to seven',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'terracottaSoft'),
  portrait(
    { x: 62, y: 250, width: 276, height: 220 },
    { ground: 'terracottaSoft', skin: 'dune', hair: 'night', clothes: 'paper', hasScarf: true },
  ),
  drawn(
    filled('sand', rect(62, 120, 130, 130)),
    filled('terracotta', segment([136, 250], 46, 180, 360)),
    stroked('paper', 7, polyline([137, 120], [137, 250])),
  ),
  bottle(254, 352, 44, 104),
  drawn(filled('night', rect(62, 464, 276, 60), rect(62, 480, 276, 84, 32))),
  reactions([312, 190], 'paper'),
  chip({ x: 82, y: 74, width: 118, height: 32 }, 'Day 17 of 30', 'paper', 'night', 15),
  write('06:40, my own light', [84, 502], 23, 'paper', { face: 'display' }),
  write('Jeddah · one minute', [84, 530], 15, 'tealSoft'),
);

const launch = screen(
  'wide',
  'sandDeep',
  'The launch page: the serum, films from the series, and engagement that rises from 2.1 to 6.8 percent',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'lulwa.example/serum', 'paper', 'dune'),
  card({ x: 64, y: 116, width: 220, height: 416 }, 'terracottaSoft'),
  bottle(126, 180, 96, 280),
  write('The morning serum', [316, 160], 36, 'night', { face: 'display' }),
  write('Watch thirty mornings before you decide.', [316, 192], 18, 'slate'),
  ...women.map((woman, index) => {
    const box = { x: 316 + index * 104, y: 216, width: 92, height: 124 };
    return group(
      portrait(box, woman),
      ...(index === 1 ? [play([box.x + 20, box.y + 20], 13, 'paper', 'terracotta')] : []),
    );
  }),
  button({ x: 316, y: 366, width: 190, height: 50 }, 'See day one'),
  figure([316, 482], '6.8%', 'engagement, up from 2.1%', 'terracotta', 'slate', 44),
  columns(
    { x: 536, y: 380, width: 186, height: 140 },
    [0.3, 0.32, 0.4, 0.46, 0.6, 0.74, 0.86, 0.96],
    'tealSoft',
    'terracotta',
    1,
  ),
);

export const lulwaSkincareScreens: readonly [Screen, Screen, Screen] = [series, morning, launch];
