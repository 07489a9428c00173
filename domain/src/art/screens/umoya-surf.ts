import type { Ink } from '../../brand.ts';
import type { Screen } from '../art.ts';
import { circle, curve, filled, ground, outline, polyline, range, rect, stroked } from '../shapes.ts';
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
  rule,
  screen,
  tick,
  write,
} from './parts.ts';

/** Draws a wave in a box, with a beginner's board on it or in the air. */
function wave(x: number, y: number, width: number, height: number, sky: Ink, sea: Ink, isFalling: boolean): Part {
  const crest = [
    [x, y + height * 0.7],
    [x + width * 0.3, y + height * 0.48],
    [x + width * 0.55, y + height * 0.56],
    [x + width, y + height * 0.74],
  ] as const;
  const board = isFalling
    ? polyline([x + width * 0.52, y + height * 0.42], [x + width * 0.66, y + height * 0.22])
    : polyline([x + width * 0.38, y + height * 0.52], [x + width * 0.66, y + height * 0.56]);
  return drawn(
    filled(sky, rect(x, y, width, height)),
    filled(sea, ground(crest, y + height)),
    stroked('white', Math.max(2, width * 0.025), curve(...crest.slice(0, 3))),
    stroked('terracotta', Math.max(3, width * 0.05), board),
    ...(isFalling ? [] : [filled('night', circle([x + width * 0.5, y + height * 0.36], width * 0.05))]),
    ...(isFalling
      ? []
      : [
          stroked(
            'night',
            width * 0.045,
            polyline([x + width * 0.5, y + height * 0.42], [x + width * 0.52, y + height * 0.5]),
          ),
        ]),
  );
}

const skies: readonly Ink[] = ['sand', 'terracottaSoft', 'tealSoft', 'sandDeep', 'paper'];

const editor = screen(
  'wide',
  'teal',
  'The weekly cut: a beginner’s wave above the strip of clips that the school puts in order itself',
  card({ x: 40, y: 44, width: 720, height: 512 }, 'night', 16),
  wave(68, 72, 420, 290, 'terracottaSoft', 'teal', false),
  play([278, 300], 30, 'paper', 'terracotta'),
  write('This week’s cut', [518, 112], 32, 'paper', { face: 'display' }),
  write('48 seconds, nine clips,', [518, 146], 18, 'tealSoft'),
  write('three of them falls.', [518, 170], 18, 'tealSoft'),
  figure([518, 244], '2 h', 'a week to run it', 'terracottaSoft', 'tealSoft', 46),
  button({ x: 518, y: 306, width: 210, height: 52 }, 'Publish', 'terracottaSoft', 'night'),
  ...range(6).map((index) => {
    const x = 68 + index * 112;
    return wave(x, 396, 102, 92, skies[index % 5] ?? 'sand', index % 2 === 0 ? 'teal' : 'tealSoft', index % 3 === 1);
  }),
  drawn(
    filled('slate', rect(68, 512, 664, 8, 4)),
    filled('terracottaSoft', rect(68, 512, 250, 8, 4), circle([318, 516], 12)),
  ),
);

const promises = ['My clip may be shown', 'My face may be seen', 'Not my name'];

const consent = screen(
  'tall',
  'sandDeep',
  'The consent form on a phone: three choices, the clip, and one button that uploads it',
  phone({ x: 50, y: 24, width: 300, height: 552 }, 'paper'),
  write('Send your wave', [80, 108], 31, 'night', { face: 'display' }),
  write('Falls are welcome.', [80, 134], 17, 'slate'),
  wave(80, 156, 240, 142, 'terracottaSoft', 'teal', true),
  ...promises.map((promise, index) => {
    const y = 336 + index * 46;
    return group(
      index === 2 ? drawn(stroked('slate', 2.5, circle([93, y - 6], 12))) : tick([93, y - 6], 13, 'teal', 'paper'),
      write(promise, [118, y], 17, 'night', { face: 'bold' }),
    );
  }),
  write('Change your mind at any time.', [80, 468], 15, 'slate'),
  button({ x: 78, y: 490, width: 244, height: 50 }, 'Upload'),
);

const lessons = screen(
  'wide',
  'terracottaSoft',
  'The booking page of winter lessons: more weeks are full than a year before',
  browser({ x: 40, y: 44, width: 720, height: 512 }, 'umoya.example/winter'),
  write('Winter lessons', [72, 152], 40, 'night', { face: 'display' }),
  write('Muizenberg, June to August', [72, 184], 19, 'slate'),
  figure([540, 160], '74%', 'filled, up from 46%', 'teal', 'slate', 54),
  rule(72, 728, 218, 'sandDeep'),
  columns(
    { x: 72, y: 246, width: 430, height: 200 },
    [0.46, 0.5, 0.58, 0.66, 0.7, 0.74, 0.78, 0.8, 0.76, 0.82, 0.86, 0.9],
    'tealSoft',
    'teal',
    6,
  ),
  write('June', [72, 478], 18, 'slate'),
  write('August', [502, 478], 18, 'slate', { anchor: 'end' }),
  drawn(filled('sand', outline([[540, 246]], [[728, 246]], [[728, 500]], [[540, 500]]))),
  wave(540, 246, 188, 130, 'sandDeep', 'teal', false),
  write('Saturday, 9:00', [558, 412], 19, 'night', { face: 'bold' }),
  write('2 places left', [558, 438], 17, 'terracotta', { face: 'bold' }),
  chip({ x: 558, y: 452, width: 110, height: 36 }, 'Book', 'terracotta', 'white', 17),
  write('520 clips in one season', [72, 522], 18, 'night', { face: 'bold' }),
);

export const umoyaSurfScreens: readonly [Screen, Screen, Screen] = [editor, consent, lessons];
