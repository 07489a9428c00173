import type { Screen } from '../art.ts';
import { filled, polyline, rect, stroked } from '../shapes.ts';
import { browser, card, chip, drawn, figure, group, meter, rule, screen, tick, write } from './parts.ts';

const findings = [
  { title: 'Change of control', page: 'p. 14', isOpen: true },
  { title: 'Earn-out, two years', page: 'p. 31', isOpen: false },
  { title: 'Lease ends in March', page: 'p. 58', isOpen: false },
  { title: 'One client, 38% of sales', page: 'p. 7', isOpen: false },
];

const reader = screen(
  'wide',
  'night',
  'The reading tool: a contract with a marked clause, and beside it the findings with the page of each',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'deals.sabkha.example', 'sand', 'slate'),
  card({ x: 68, y: 112, width: 330, height: 444 }, 'white', 2),
  write('14', [372, 146], 17, 'slate', { anchor: 'end' }),
  write('12. Change of control', [96, 166], 20, 'night', { face: 'bold' }),
  drawn(
    filled('terracottaSoft', rect(90, 222, 286, 84, 4)),
    stroked(
      'sandDeep',
      7,
      ...[194, 330, 356, 382, 408, 434, 460, 486, 512].map((y, index) =>
        polyline([98, y], [index % 3 === 1 ? 320 : 368, y]),
      ),
    ),
  ),
  write('The lender may call the loan', [98, 250], 17, 'night'),
  write('within thirty days of a sale of', [98, 272], 17, 'night'),
  write('more than half of the shares.', [98, 294], 17, 'night'),
  write('12 findings', [430, 152], 30, 'night', { face: 'display' }),
  ...findings.map(({ title, page, isOpen }, index) => {
    const y = 180 + index * 90;
    return group(
      card({ x: 428, y, width: 304, height: 76 }, isOpen ? 'night' : 'paper'),
      write(title, [448, y + 32], 18, isOpen ? 'paper' : 'night', { face: 'bold' }),
      write(`Cited: ${page}`, [448, y + 56], 16, isOpen ? 'terracottaSoft' : 'slate'),
    );
  }),
);

const lines = [
  ['Debt falls due on a sale', 'p. 14'],
  ['Largest client may leave', 'p. 7'],
  ['Lease needs a new date', 'p. 58'],
  ['Price depends on 2027', 'p. 31'],
] as const;

const memo = screen(
  'tall',
  'teal',
  'The first memo: four questions for the seller, each with the page that raised it',
  card({ x: 46, y: 40, width: 308, height: 520 }, 'paper', 4),
  write('First memo', [76, 104], 34, 'night', { face: 'display' }),
  write('07:10, five hours after upload', [76, 132], 16, 'slate'),
  rule(76, 324, 154, 'sandDeep'),
  write('Ask the seller', [76, 190], 19, 'terracotta', { face: 'bold' }),
  ...lines.map(([question, page], index) => {
    const y = 216 + index * 66;
    return group(
      write(String(index + 1), [76, y + 22], 22, 'terracotta', { face: 'display' }),
      write(question, [104, y + 20], 17, 'night', { face: 'bold' }),
      write(page, [104, y + 42], 15, 'slate'),
    );
  }),
  rule(76, 324, 486, 'sandDeep'),
  tick([88, 520], 12, 'teal', 'paper'),
  write('Every line cites its page', [112, 526], 16, 'night', { face: 'bold' }),
);

const deals = [
  { name: 'Cold store, Jebel Ali', read: 1, note: 'memo ready' },
  { name: 'Clinic group, Muscat', read: 1, note: 'memo ready' },
  { name: 'Date packing, Al-Ahsa', read: 0.62, note: '256 of 412' },
  { name: 'Fleet leasing, Riyadh', read: 0.12, note: '40 of 330' },
];

const overview = screen(
  'wide',
  'dune',
  'The overview of deals: how many documents of each data room were read overnight',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'deals.sabkha.example', 'nightSoft', 'night'),
  write('Read overnight', [72, 150], 38, 'paper', { face: 'display' }),
  figure([580, 146], '31', 'deals in six months', 'terracottaSoft', 'tealSoft', 40),
  ...deals.map(({ name, read, note }, index) => {
    const y = 200 + index * 84;
    return group(
      rule(72, 728, y, 'slate'),
      write(name, [72, y + 48], 21, 'paper', { face: 'bold' }),
      meter({ x: 336, y: y + 32, width: 220, height: 16 }, read, read === 1 ? 'tealSoft' : 'terracottaSoft', 'night'),
      read === 1
        ? chip({ x: 592, y: y + 20, width: 136, height: 40 }, note, 'tealSoft', 'night')
        : write(note, [728, y + 48], 18, 'sandDeep', { anchor: 'end' }),
    );
  }),
);

export const sabkhaCapitalScreens: readonly [Screen, Screen, Screen] = [reader, memo, overview];
