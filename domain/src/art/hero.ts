import type { Ink } from '../brand.ts';
import type { Art, Shape } from './art.ts';
import type { Point } from './shapes.ts';
import { arc, filled, outline, polyline, rect, ripples, segment, stroked, origin } from './shapes.ts';

/** A dune or a wave. Its ridge runs from the peak toward the viewer and separates the lit face from the shaded one. */
interface Crest {
  /** The skyline from the left edge to the peak. */
  readonly left: readonly Point[];
  /** The skyline from the peak to the right edge. */
  readonly right: readonly Point[];
  readonly ridge: readonly Point[];
  readonly inks: { readonly left: Ink; readonly right: Ink; readonly wind: Ink };
  /** The face with the wind's lines. Its skyline must have as many points as the ridge. */
  readonly lit: 'left' | 'right';
}

const wide = { width: 1600, height: 900 } as const;
const tall = { width: 900, height: 1200 } as const;

/** Coordinates of the wide drawing. The tall drawing maps them to its own frame. */
const horizon = 560;
const sun: Point = [1200, horizon];
const shore: readonly Point[] = [
  [1250, 560],
  [1020, 606],
  [950, 680],
  [1060, 760],
  [970, 830],
  [1040, 900],
];

const farDune: Crest = {
  left: [
    [0, 552],
    [230, 510],
    [420, 410],
    [540, 270],
  ],
  right: [
    [540, 270],
    [700, 425],
    [920, 518],
    [1250, 560],
  ],
  ridge: [
    [540, 270],
    [600, 410],
    [500, 580],
    [700, 900],
  ],
  inks: { left: 'terracotta', right: 'sandDeep', wind: 'dune' },
  lit: 'right',
};

const nearDune: Crest = {
  left: [
    [0, 610],
    [70, 590],
    [140, 540],
    [205, 470],
  ],
  right: [
    [205, 470],
    [380, 630],
    [640, 730],
    [1010, 900],
  ],
  ridge: [
    [205, 470],
    [260, 600],
    [180, 730],
    [310, 900],
  ],
  inks: { left: 'night', right: 'terracottaSoft', wind: 'terracotta' },
  lit: 'right',
};

const wave: Crest = {
  left: [
    [1030, 900],
    [1226, 842],
    [1366, 750],
    [1352, 650],
  ],
  right: [
    [1352, 650],
    [1450, 672],
    [1520, 728],
    [1600, 742],
  ],
  ridge: [
    [1352, 650],
    [1440, 720],
    [1446, 800],
    [1350, 900],
  ],
  inks: { left: 'tealSoft', right: 'night', wind: 'teal' },
  lit: 'left',
};

/** Light on the water: y, start and end of each stroke. */
const glitter = [
  [578, 1200, 1330],
  [596, 1130, 1260],
  [616, 1120, 1240],
  [640, 1170, 1300],
] as const;
const swell = [
  [572, 1400, 1560],
  [590, 1450, 1575],
  [612, 1370, 1500],
  [668, 1120, 1230],
  [696, 1180, 1290],
  [726, 1130, 1220],
] as const;

/** A part of the picture that moves by itself. */
export interface HeroLayer {
  readonly name: 'sun' | 'land' | 'tide' | 'glitter' | 'front';
  readonly art: Art;
}

/** The picture without its sky, as layers from back to front. */
export type HeroLayers = readonly HeroLayer[];

const heroAlt = 'Dunes rolling down into the tide under a low sun';

/**
 * Draws the picture in a frame.
 * @param place - maps coordinates of the wide drawing to the frame
 * @param ringSizes - the radii of the rings around the sun, as multiples of the sun's radius
 */
function picture(
  frame: { readonly width: number; readonly height: number },
  sunRadius: number,
  place: (point: Point) => Point,
  ringSizes: readonly number[] = [1.24, 1.48, 1.78, 2.14, 2.58],
): HeroLayers {
  const { width, height } = frame;
  const moved = (points: readonly Point[]) => points.map(place);
  const centre = place(sun);
  const sea = place([0, horizon])[1];
  const rings = ringSizes.map((ring) => sunRadius * ring).filter((radius) => centre[0] + radius < width);
  const crest = ({ left, right, ridge, inks, lit }: Crest): Shape[] => {
    const [start, end] = [left[0] ?? origin, right.at(-1) ?? origin];
    const skyline = lit === 'right' ? right : [...left].reverse();
    return [
      filled(inks.right, outline(moved(right), [[place(end)[0], height]], moved([...ridge].reverse()))),
      filled(inks.left, outline(moved(left), moved(ridge), [[place(start)[0], height]])),
      stroked(inks.wind, 2, ripples(moved(ridge), moved(skyline), 11, 0.04, 0.96)),
    ];
  };
  const tide = (ink: Ink, steps: number) => {
    const edge = shore.map(([x, y]): Point => place([x + steps * (y - 545) * 0.1, y]));
    return filled(ink, outline(edge, [[width, height]], [[width, sea]]));
  };
  const strokes = (ink: Ink, lines: readonly (readonly [number, number, number])[]) =>
    stroked(ink, 4, ...lines.map(([y, from, to]) => polyline(place([from, y]), place([to, y]))));
  const layer = (name: HeroLayer['name'], ...shapes: readonly Shape[]): HeroLayer => ({
    name,
    art: { ...frame, alt: heroAlt, shapes },
  });
  return [
    layer(
      'sun',
      stroked('sandDeep', 2, ...rings.map((radius) => arc(centre, radius, 180, 360))),
      filled('terracotta', segment(centre, sunRadius, 180, 360)),
    ),
    layer('land', filled('teal', rect(0, sea, width, height - sea)), ...crest(farDune), tide('dune', -3)),
    layer('tide', tide('paper', 0), tide('tealSoft', 1.2), tide('teal', 2.4), strokes('tealSoft', swell)),
    layer('glitter', strokes('terracottaSoft', glitter)),
    layer('front', ...crest(nearDune), ...crest(wave)),
  ];
}

/** The layers of the main drawing in landscape format, and in portrait format for small screens. */
export const heroLayers = {
  wide: picture(wide, 150, (point) => point),
  tall: picture(tall, 118, ([x, y]) => [
    (x * tall.width) / wide.width,
    760 + (y - horizon) * (y < horizon ? 1.05 : 440 / 340),
  ]),
} as const;

const whole = (frame: { readonly width: number; readonly height: number }, layers: HeroLayers): Art => ({
  ...frame,
  alt: heroAlt,
  shapes: [filled('sand', rect(0, 0, frame.width, frame.height)), ...layers.flatMap(({ art }) => art.shapes)],
});

/** The main drawing of the studio, in landscape format. */
export const heroArt: Art = whole(wide, heroLayers.wide);

/** The main drawing in portrait format. */
export const heroArtTall: Art = whole(tall, heroLayers.tall);

/** The drawing in landscape format with one ring, which leaves its sky to the text on the cover of the PDF. */
export const coverArt: Art = whole(
  wide,
  picture(wide, 150, (point) => point, [1.18]),
);

/** The cover at the size of a thumbnail, where lines would blur. */
export const coverThumbnail: Art = { ...coverArt, shapes: coverArt.shapes.filter(({ fill }) => fill !== undefined) };
