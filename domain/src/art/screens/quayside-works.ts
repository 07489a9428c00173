import type { Screen } from '../art.ts';
import { filled, polygon, polyline, range, rect, stroked } from '../shapes.ts';
import { browser, button, card, chip, drawn, figure, group, phone, rule, screen, write } from './parts.ts';

const tenants = [
  'Architects',
  'Customs broker',
  'Law firm',
  'Insurer',
  'Coffee trader',
  'Engineers',
  'Clinic',
  'Publisher',
  'Ship agents',
];

const floors = screen(
  'wide',
  'sandDeep',
  'The grain store in section: nine floors, each with its size and the kind of firm that leased it',
  drawn(
    filled('night', polygon([120, 96], [260, 44], [400, 96])),
    filled('paper', rect(120, 96, 280, 460)),
    stroked('night', 4, polyline([120, 96], [120, 556], [400, 556], [400, 96])),
  ),
  ...tenants.map((tenant, index) => {
    const y = 100 + index * 50.6;
    return group(
      drawn(filled(index % 2 === 0 ? 'terracottaSoft' : 'tealSoft', rect(128, y + 4, 264, 42, 3))),
      write(String(9 - index), [144, y + 33], 22, 'night', { face: 'display' }),
      write(tenant, [176, y + 32], 18, 'night', { face: 'bold' }),
    );
  }),
  drawn(stroked('terracotta', 5, polyline([80, 556], [720, 556]))),
  figure([450, 150], '9 of 9', 'floors leased in five months', 'night', 'slate', 60),
  rule(450, 720, 210, 'dune'),
  write('640 firms', [450, 258], 30, 'night', { face: 'display' }),
  write('whose leases were about to end', [450, 286], 18, 'slate'),
  write('86 viewings', [450, 348], 30, 'night', { face: 'display' }),
  write('in the agents’ own calendar', [450, 376], 18, 'slate'),
  write('One floor each', [450, 438], 30, 'terracotta', { face: 'display' }),
  write('chosen for the firm it fits', [450, 466], 18, 'slate'),
);

const letter = screen(
  'tall',
  'teal',
  'An email on a phone that offers one floor to one firm: its plan, its size and a viewing',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'paper'),
  write('Floor 6 fits', [80, 108], 30, 'night', { face: 'display' }),
  write('forty desks.', [80, 140], 30, 'night', { face: 'display' }),
  write('Your lease ends in June.', [80, 170], 16, 'slate'),
  card({ x: 78, y: 190, width: 244, height: 150 }, 'sand'),
  drawn(
    stroked('night', 5, polygon([98, 210], [302, 210], [302, 320], [98, 320])),
    stroked(
      'night',
      3,
      polyline([170, 210], [170, 262]),
      polyline([170, 320], [170, 290]),
      polyline([242, 320], [242, 272], [302, 272]),
    ),
    filled(
      'terracottaSoft',
      ...range(8).map((index) => rect(186 + (index % 4) * 27, 226 + Math.floor(index / 4) * 18, 18, 10, 2)),
    ),
  ),
  write('612 m², harbor side', [80, 376], 18, 'night', { face: 'bold' }),
  write('Columns every six meters, two', [80, 404], 16, 'slate'),
  write('meeting rooms, own entrance.', [80, 426], 16, 'slate'),
  button({ x: 78, y: 452, width: 244, height: 48 }, 'View it on Tuesday'),
  write('or choose another day', [200, 530], 16, 'teal', { face: 'bold', anchor: 'middle' }),
);

const viewings = [
  [0, 0, 'Floor 6', 'terracotta'],
  [0, 2, 'Floor 2', 'teal'],
  [1, 1, 'Floor 9', 'terracotta'],
  [2, 0, 'Floor 4', 'teal'],
  [2, 3, 'Floor 6', 'terracotta'],
  [3, 1, 'Floor 1', 'teal'],
  [3, 2, 'Floor 8', 'terracotta'],
  [4, 3, 'Floor 3', 'teal'],
] as const;

const calendar = screen(
  'wide',
  'terracottaSoft',
  'The agents’ calendar: a week of viewings, each booked by a reply to an email',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'calendar.quayside.example'),
  write('Viewings', [72, 150], 38, 'night', { face: 'display' }),
  chip({ x: 568, y: 118, width: 160, height: 38 }, '8 this week', 'night', 'paper'),
  ...['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day, index) =>
    write(day, [146 + index * 118, 206], 19, 'night', { face: 'bold' }),
  ),
  ...['09:00', '11:00', '14:00', '16:00'].flatMap((time, index) => [
    rule(72, 728, 222 + index * 78, 'sandDeep'),
    write(time, [72, 256 + index * 78], 17, 'slate'),
  ]),
  ...viewings.map(([day, row, floor, ink]) =>
    group(
      card({ x: 142 + day * 118, y: 230 + row * 78, width: 108, height: 62 }, ink, 6),
      write(floor, [156 + day * 118, 258 + row * 78], 18, 'white', { face: 'bold' }),
      write('booked', [156 + day * 118, 280 + row * 78], 15, 'white'),
    ),
  ),
);

export const quaysideWorksScreens: readonly [Screen, Screen, Screen] = [floors, letter, calendar];
