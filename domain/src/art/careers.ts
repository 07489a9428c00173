import type { Ink } from '../brand.ts';
import type { TrainingProgram } from '../content/careers.ts';
import type { Art } from './art.ts';
import type { Point } from './shapes.ts';
import { circle, curve, filled, ground, outline, polygon, polyline, range, rect, ripples, stroked } from './shapes.ts';

const size = { width: 1000, height: 1000 } as const;

const peak: Point = [560, 262];
const litSkyline: readonly Point[] = [[0, 668], [130, 630], [290, 546], [440, 412], peak];
const ridge: readonly Point[] = [peak, [640, 452], [474, 640], [640, 826], [520, 1000]];
const shadedSkyline: readonly Point[] = [peak, [680, 432], [840, 562], [1000, 634]];

/** Draws a line of footprints to the peak, `aside` from the middle of the trail. */
const trail = (aside: number): string =>
  curve([456 + aside, 980], [566 + aside, 822], [404 + aside, 642], [570 + aside * 0.8, 456], [546 + aside * 0.7, 318]);

const farSkyline: readonly Point[] = [
  [600, 640],
  [720, 598],
  [880, 506],
  [1000, 522],
];

const shore: readonly Point[] = [
  [1000, 770],
  [900, 800],
  [836, 852],
  [870, 930],
  [800, 1000],
];
/** Draws the water from an edge that is `steps` further out than the shore. */
const tide = (steps: number): string => {
  const edge = shore.map(([x, y]): Point => [
    Math.min(size.width, x + steps * (y - 740) * 0.16),
    Math.min(size.height, y + steps * 9),
  ]);
  return outline(edge, [[size.width, size.height]]);
};

/** The drawing of the careers page. */
export const careersArt: Art = {
  ...size,
  alt: 'Footprints that climb the ridge of a dune to a pennant at its peak, in front of a large sun',
  shapes: [
    filled('terracotta', rect(0, 0, 1000, 1000)),
    filled('terracottaSoft', circle([602, 372], 276)),
    stroked('terracottaSoft', 3, ...[308, 338, 368].map((radius) => circle([602, 372], radius))),
    filled('night', ground(farSkyline, 1000)),
    filled('sandDeep', outline(shadedSkyline, [[1000, 1000]], [...ridge].reverse())),
    stroked('dune', 3, ripples(ridge, [...shadedSkyline, [1000, 1000]], 9, 0.06, 0.96)),
    filled('sand', outline(litSkyline, ridge, [[0, 1000]])),
    stroked('sandDeep', 3, ripples(ridge, [...litSkyline].reverse(), 12, 0.22, 0.98)),
    { ...stroked('terracotta', 11, trail(-14)), dash: [1, 40] },
    { ...stroked('terracotta', 11, trail(14)), dash: [1, 40] },
    filled('paper', tide(0)),
    filled('tealSoft', tide(1)),
    filled('teal', tide(2.4)),
    stroked('night', 6, polyline([peak[0], peak[1] + 4], [peak[0], 150])),
    filled('teal', polygon([562, 152], [648, 178], [562, 206])),
  ],
};

/** The height of a layer, which is one week. */
const week = 34;
/** The free space above the top layer. */
const crestHeight = 44;
const strataWidth = 360;

/**
 * Draws a dune with one layer for each week, the first week at the bottom.
 * @param lean - shifts the crest to the right, in radians
 */
function strata(weeks: number, lean: number, inks: readonly [Ink, ...Ink[]], alt: string): Art {
  const height = crestHeight + weeks * week;
  const layers = range(weeks).map((index) => {
    const swing = index === 0 ? 26 : 11;
    const crest = range(5).map((step): Point => [
      (step * strataWidth) / 4,
      crestHeight + index * week - swing * Math.sin((step / 4) * Math.PI * 1.4 + index * 1.1 - lean),
    ]);
    return filled(inks[index % inks.length] ?? inks[0], ground(crest, height));
  });
  return { width: strataWidth, height, alt, shapes: layers };
}

/** The drawing of each training program: a cross section of a dune. A longer program is a higher dune. */
export const trainingArt: Record<TrainingProgram['title'], Art> = {
  'UGC Mastery Program': strata(
    8,
    0,
    ['terracotta', 'terracottaSoft', 'sand', 'dune'],
    'A dune of eight layers, one for each week',
  ),
  'MVP Development Bootcamp': strata(
    12,
    0.6,
    ['tealSoft', 'teal', 'sand', 'sandDeep'],
    'A dune of twelve layers, one for each week',
  ),
  'Lead Generation Certification': strata(
    6,
    1.1,
    ['sandDeep', 'dune', 'terracottaSoft', 'teal'],
    'A dune of six layers, one for each week',
  ),
};
