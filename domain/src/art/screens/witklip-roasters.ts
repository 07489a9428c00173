import type { Screen } from '../art.ts';
import type { Ink } from '../../brand.ts';
import { circle, curve, ellipse, filled, outline, polyline, range, rect, segment, stroked } from '../shapes.ts';
import type { Point } from '../shapes.ts';
import {
  browser,
  button,
  card,
  chip,
  drawn,
  group,
  type Part,
  phone,
  play,
  portrait,
  reactions,
  screen,
  write,
} from './parts.ts';

/** Draws a cup with steam; the point is the middle of its base. */
const cup = ([x, y]: Point, size: number, ink: Ink, steam: Ink): Part =>
  drawn(
    filled(
      ink,
      outline(
        [[x - size * 0.5, y - size * 0.7]],
        [
          [x + size * 0.5, y - size * 0.7],
          [x + size * 0.44, y - size * 0.2],
          [x + size * 0.2, y],
        ],
        [
          [x - size * 0.2, y],
          [x - size * 0.44, y - size * 0.2],
          [x - size * 0.5, y - size * 0.7],
        ],
      ),
    ),
    stroked(ink, size * 0.1, ellipse([x + size * 0.55, y - size * 0.42], size * 0.16, size * 0.18)),
    stroked(
      steam,
      size * 0.06,
      ...[-0.2, 0.1].map((shift) =>
        curve(
          [x + size * shift, y - size * 0.84],
          [x + size * (shift - 0.08), y - size * 1],
          [x + size * (shift + 0.06), y - size * 1.16],
        ),
      ),
    ),
  );

/** Draws a bag of coffee. */
const bag = (x: number, y: number, width: number, height: number): Part =>
  drawn(
    filled('night', rect(x, y, width, height, 8)),
    filled('nightSoft', rect(x, y, width, height * 0.12, 6)),
    filled('paper', rect(x + width * 0.16, y + height * 0.3, width * 0.68, height * 0.44, 4)),
    filled('terracotta', segment([x + width / 2, y + height * 0.56], width * 0.2, 180, 360)),
    stroked('night', 3, polyline([x + width * 0.26, y + height * 0.6], [x + width * 0.74, y + height * 0.6])),
  );

const people: readonly Parameters<typeof portrait>[1][] = [
  { ground: 'sandDeep', skin: 'dune', hair: 'night', clothes: 'teal' },
  { ground: 'tealSoft', skin: 'terracottaSoft', hair: 'night', clothes: 'paper' },
  { ground: 'dune', skin: 'sandDeep', hair: 'terracotta', clothes: 'night', hasLongHair: true },
];

const wall = screen(
  'wide',
  'terracotta',
  'A wall of films from home kitchens, with the forty chosen cuts marked',
  write('60 kitchens, 40 cuts', [40, 78], 40, 'paper', { face: 'display' }),
  chip({ x: 606, y: 46, width: 154, height: 40 }, 'Eleven towns', 'night', 'paper'),
  ...range(12).map((index) => {
    const column = index % 6;
    const x = 40 + column * 122;
    const y = index < 6 ? 112 : 350;
    const box = { x, y, width: 110, height: 226 };
    const grounds: readonly Ink[] = ['sand', 'night', 'tealSoft'];
    const ground = grounds[index % 3] ?? 'sand';
    const person = people[(index + (index < 6 ? 0 : 2)) % 3];
    const isPerson = index % 2 === (index < 6 ? 0 : 1);
    return group(
      isPerson && person
        ? portrait(box, person)
        : group(
            card(box, ground, 0),
            cup([x + 52, y + 170], 56, ground === 'night' ? 'terracottaSoft' : 'terracotta', 'dune'),
          ),
      index === 3 || index === 8
        ? drawn()
        : drawn(filled('paper', circle([x + 92, y + 18], 9)), filled('teal', circle([x + 92, y + 18], 5))),
    );
  }),
  play([187, 310], 17, 'paper', 'terracotta'),
  play([553, 548], 17, 'paper', 'terracotta'),
);

const post = screen(
  'tall',
  'night',
  'A paid post on a phone: a first cup poured in a home kitchen, with the creator’s caption below',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'sandDeep', 'slate'),
  drawn(
    filled('dune', rect(62, 130, 276, 120)),
    stroked('sandDeep', 3, ...range(5).map((index) => polyline([62 + 55 * index, 130], [62 + 55 * index, 250]))),
    stroked('sandDeep', 3, polyline([62, 190], [338, 190])),
    filled('terracottaSoft', rect(62, 340, 276, 60)),
  ),
  bag(88, 206, 88, 134),
  cup([224, 340], 88, 'paper', 'paper'),
  reactions([312, 226], 'night'),
  drawn(filled('night', rect(62, 400, 276, 132), rect(62, 460, 276, 104, 32))),
  chip({ x: 82, y: 74, width: 96, height: 30 }, 'Paid post', 'paper', 'night', 14),
  write('First cup, no script', [84, 440], 24, 'paper', { face: 'display' }),
  write('Sunday, ten past seven,', [84, 470], 15, 'sandDeep'),
  write('Observatory', [84, 490], 15, 'sandDeep'),
  button({ x: 84, y: 508, width: 232, height: 42 }, 'Shop the blend'),
);

const product = screen(
  'wide',
  'sandDeep',
  'The product page: the bag, its price and three first cups filmed by customers',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'witklip.example/house-blend', 'paper', 'dune'),
  card({ x: 64, y: 116, width: 260, height: 300 }, 'sand'),
  bag(128, 148, 132, 236),
  write('House blend', [356, 158], 40, 'night', { face: 'display' }),
  write('250 g, roasted on Tuesdays', [356, 190], 18, 'slate'),
  write('R145', [356, 246], 34, 'terracotta', { face: 'display' }),
  button({ x: 356, y: 272, width: 220, height: 52 }, 'Add to basket'),
  write('First cups, as filmed at home', [356, 376], 19, 'night', { face: 'bold' }),
  ...people.map((person, index) => {
    const box = { x: 356 + index * 126, y: 396, width: 112, height: 140 };
    return group(portrait(box, person), play([box.x + 22, box.y + 22], 14, 'paper', 'terracotta'));
  }),
  write('Filmed in Observatory, Paarl', [64, 456], 18, 'night', { face: 'bold' }),
  write('and Hermanus, in their own light', [64, 482], 18, 'slate'),
);

export const witklipRoastersScreens: readonly [Screen, Screen, Screen] = [wall, post, product];
