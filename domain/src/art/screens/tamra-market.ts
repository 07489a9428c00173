import type { Screen, Shape } from '../art.ts';
import type { Point } from '../shapes.ts';
import { circle, curve, ellipse, filled, polyline, rect, stroked } from '../shapes.ts';
import { browser, button, card, chip, drawn, group, meter, phone, pin, rule, screen, streets, write } from './parts.ts';

const stops: readonly { readonly at: Point; readonly street: string; readonly minutes: string }[] = [
  { at: [470, 330], street: 'Al Malqa, gate 14', minutes: '9 min' },
  { at: [560, 236], street: 'Al Malqa, gate 22', minutes: '16 min' },
  { at: [672, 178], street: 'Hittin, gate 5', minutes: '27 min' },
];

const driverView = screen(
  'wide',
  'night',
  'The driver’s view: a map with three stops from the nearest shop, and the list of baskets to deliver',
  card({ x: 40, y: 44, width: 720, height: 512 }, 'paper', 22),
  streets({ x: 320, y: 64, width: 420, height: 472 }, 'sand', 'sandDeep', 8),
  drawn(
    filled('teal', rect(606, 402, 96, 84, 6), rect(352, 96, 66, 70, 6)),
    stroked(
      'terracotta',
      9,
      polyline([396, 452], [470, 440], [470, 330], [560, 312], [560, 236], [672, 218], [672, 178]),
    ),
    filled('night', circle([396, 452], 15)),
    filled('paper', circle([396, 452], 6)),
  ),
  ...stops.map(({ at }) => pin(at, 'terracotta', 'paper')),
  write('Next three gates', [64, 108], 28, 'night', { face: 'display' }),
  write('From the shop on Olaya Street', [64, 136], 16, 'slate'),
  ...stops.map(({ street, minutes }, index) => {
    const y = 172 + index * 96;
    return group(
      card({ x: 60, y, width: 240, height: 80 }, index === 0 ? 'night' : 'sand'),
      write(street, [78, y + 34], 18, index === 0 ? 'paper' : 'night', { face: 'bold' }),
      write(
        `${index === 0 ? 'Basket 2,417' : index === 1 ? 'Basket 2,418' : 'Basket 2,421'} · ${minutes}`,
        [78, y + 60],
        16,
        index === 0 ? 'tealSoft' : 'slate',
      ),
    );
  }),
  button({ x: 60, y: 480, width: 240, height: 52 }, 'Handed over'),
);

/** Small drawings of the goods in the basket. */
const goods = (y: number): readonly (readonly Shape[])[] => [
  [filled('terracotta', ellipse([95, y + 26], 6, 9), ellipse([109, y + 26], 6, 9), ellipse([102, y + 15], 6, 9))],
  [filled('teal', rect(87, y + 14, 13, 18, 3), rect(104, y + 14, 13, 18, 3))],
  [
    stroked(
      'teal',
      3,
      curve([102, y + 36], [101, y + 24], [103, y + 10]),
      curve([102, y + 26], [94, y + 22], [90, y + 14]),
      curve([102, y + 26], [110, y + 22], [114, y + 14]),
    ),
  ],
  [filled('dune', ellipse([102, y + 22], 15, 9)), stroked('paper', 2, polyline([94, y + 22], [110, y + 22]))],
];

const basket = [
  ['Sukkari dates, 1 kg', '38'],
  ['Labneh, two pots', '24'],
  ['Mint, two bunches', '6'],
  ['Flatbread, ten', '9'],
] as const;

const order = screen(
  'tall',
  'terracotta',
  'The ordering app: a basket of dates, labneh, mint and bread, and a button that orders it for 19:40',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'paper'),
  write('Your basket', [80, 106], 30, 'night', { face: 'display' }),
  write('Gate 14, Al Malqa', [80, 132], 16, 'slate'),
  ...basket.map(([name, price], index) => {
    const y = 160 + index * 62;
    return group(
      drawn(filled('sand', rect(80, y, 44, 44, 10)), ...(goods(y)[index] ?? [])),
      write(name, [136, y + 20], 16, 'night', { face: 'bold' }),
      write(`${price} SAR`, [136, y + 40], 15, 'slate'),
      rule(80, 320, y + 53, 'sandDeep'),
    );
  }),
  write('77 SAR', [80, 442], 26, 'night', { face: 'display' }),
  write('at your gate in 38 min', [320, 440], 15, 'teal', { face: 'bold', anchor: 'end' }),
  meter({ x: 80, y: 458, width: 240, height: 8 }, 0.3, 'teal', 'sandDeep'),
  button({ x: 80, y: 486, width: 240, height: 50 }, 'Order for 19:40'),
);

const shops = [
  { name: 'Olaya', open: 18, share: 0.72 },
  { name: 'Al Malqa', open: 24, share: 0.96 },
  { name: 'Hittin', open: 11, share: 0.44 },
  { name: 'Al Yasmin', open: 9, share: 0.36 },
];

const board = screen(
  'wide',
  'teal',
  'The board of the four shops at half past seven, with open baskets and the time each one has waited',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'board.tamra.example'),
  write('Thursday, 19:31', [72, 146], 32, 'night', { face: 'display' }),
  chip({ x: 568, y: 118, width: 160, height: 38 }, '62 baskets', 'night', 'paper'),
  ...shops.map(({ name, open, share }, index) => {
    const y = 180 + index * 88;
    return group(
      rule(72, 728, y, 'sandDeep'),
      write(name, [72, y + 42], 24, 'night', { face: 'bold' }),
      write(`${open} open`, [72, y + 68], 17, 'slate'),
      meter({ x: 260, y: y + 34, width: 330, height: 18 }, share, index === 1 ? 'terracotta' : 'teal', 'sand'),
      write(index === 1 ? 'next to Hittin' : 'on time', [728, y + 50], 18, index === 1 ? 'terracotta' : 'teal', {
        face: 'bold',
        anchor: 'end',
      }),
    );
  }),
);

export const tamraMarketScreens: readonly [Screen, Screen, Screen] = [driverView, order, board];
