import type { Screen } from '../art.ts';
import { circle, filled, polyline, rect, stroked } from '../shapes.ts';
import { browser, button, card, chip, drawn, figure, group, meter, phone, rule, screen, write } from './parts.ts';

const lanes = [
  { lane: 'Dammam to Mumbai', cargo: '6 containers, monthly', score: 0.94, ink: 'terracotta', next: 'Call today' },
  { lane: 'Jubail to Durban', cargo: 'Chartered ship, March', score: 0.88, ink: 'terracotta', next: 'Call today' },
  { lane: 'Dammam to Sohar', cargo: '2 containers, once', score: 0.52, ink: 'teal', next: 'Quote' },
  { lane: 'Riyadh to Manama', cargo: '1 pallet, this week', score: 0.18, ink: 'dune', next: 'Answered' },
] as const;

const inbox = screen(
  'wide',
  'teal',
  'The scored inbox: four inquiries with lane, volume and date, the largest at the top',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'desk.marsa.example'),
  write('Inquiries, by worth', [72, 146], 34, 'night', { face: 'display' }),
  write('25 min to a first answer', [728, 144], 18, 'teal', { face: 'bold', anchor: 'end' }),
  ...lanes.map(({ lane, cargo, score, ink, next }, index) => {
    const y = 174 + index * 90;
    return group(
      rule(72, 728, y, 'sandDeep'),
      write(lane, [72, y + 40], 23, 'night', { face: 'bold' }),
      write(cargo, [72, y + 66], 17, 'slate'),
      meter({ x: 350, y: y + 36, width: 180, height: 16 }, score, ink, 'sand'),
      write(String(Math.round(score * 100)), [548, y + 51], 22, 'night', { face: 'display' }),
      chip(
        { x: 602, y: y + 24, width: 126, height: 40 },
        next,
        index < 2 ? 'terracotta' : 'sand',
        index < 2 ? 'white' : 'night',
      ),
    );
  }),
);

const answer = screen(
  'tall',
  'night',
  'An automatic answer on a phone: the rate for one pallet with its dates, four minutes after the question',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'paper', 'slate'),
  write('Your rate for', [80, 108], 26, 'night', { face: 'display' }),
  write('one pallet', [80, 138], 26, 'night', { face: 'display' }),
  write('Sent 4 min after you asked', [80, 166], 15, 'slate'),
  card({ x: 78, y: 186, width: 244, height: 170 }, 'teal'),
  drawn(
    stroked('tealSoft', 3, polyline([116, 226], [284, 226])),
    filled('paper', circle([116, 226], 9), circle([284, 226], 9)),
    filled('terracottaSoft', rect(186, 214, 30, 24, 4)),
  ),
  write('Riyadh', [98, 264], 16, 'paper', { face: 'bold' }),
  write('Manama', [302, 264], 16, 'paper', { face: 'bold', anchor: 'end' }),
  write('640 SAR', [98, 316], 34, 'white', { face: 'display' }),
  write('door to door', [98, 340], 15, 'sand'),
  write('Collected Tuesday', [80, 396], 17, 'night', { face: 'bold' }),
  write('Delivered Thursday', [80, 424], 17, 'night', { face: 'bold' }),
  write('Customs papers included', [80, 452], 16, 'slate'),
  button({ x: 78, y: 484, width: 244, height: 50 }, 'Book this rate'),
);

const record = screen(
  'wide',
  'sandDeep',
  'A record in the CRM: the inquiry’s score, its reasons, its owner and the next step',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'crm.marsa.example', 'paper', 'dune'),
  write('Dammam to Mumbai', [72, 150], 36, 'night', { face: 'display' }),
  write('Six containers a month, from April', [72, 180], 18, 'slate'),
  figure([72, 262], '94', 'score', 'terracotta', 'slate', 58),
  ...(
    [
      ['Lane', 0.98],
      ['Volume', 0.94],
      ['Date', 0.86],
    ] as const
  ).map(([name, share], index) =>
    group(
      write(name, [190, 234 + index * 34], 18, 'night', { face: 'bold' }),
      meter({ x: 270, y: 222 + index * 34, width: 140, height: 12 }, share, 'terracotta', 'sand'),
    ),
  ),
  rule(72, 410, 340, 'sandDeep'),
  write('What they asked', [72, 376], 18, 'night', { face: 'bold' }),
  write('Reefer, 5 °C, with one customs', [72, 404], 18, 'slate'),
  write('agent at both ends.', [72, 430], 18, 'slate'),
  card({ x: 450, y: 116, width: 278, height: 416 }, 'teal'),
  write('Owner', [476, 156], 17, 'sand', { face: 'bold' }),
  write('Bulk and reefer desk', [476, 186], 22, 'paper', { face: 'bold' }),
  write('Next step', [476, 236], 17, 'sand', { face: 'bold' }),
  write('Call before noon', [476, 268], 26, 'paper', { face: 'display' }),
  ...['Asked', 'Scored', 'Assigned', 'Call'].map((step, index) =>
    group(
      drawn(filled(index < 3 ? 'terracottaSoft' : 'paper', circle([486, 330 + index * 52], 9))),
      drawn(...(index < 3 ? [stroked('tealSoft', 2, polyline([486, 342 + index * 52], [486, 370 + index * 52]))] : [])),
      write(step, [510, 336 + index * 52], 18, 'paper', { face: 'bold' }),
      write(['09:02', '09:02', '09:03', '09:27'][index] ?? '', [702, 336 + index * 52], 17, 'sand', {
        anchor: 'end',
      }),
    ),
  ),
);

export const marsaFreightScreens: readonly [Screen, Screen, Screen] = [inbox, answer, record];
