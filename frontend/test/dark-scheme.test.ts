import type { Screen, ScreenText, Shape } from '@dune-tide/domain/art/art';
import { type Ink, palette } from '@dune-tide/domain/brand';
import { caseStudySlugs } from '@dune-tide/domain/content/case-study-heads';
import type { CaseStudyStory } from '@dune-tide/domain/content/case-study';
import { expect } from 'chai';
import { theme } from '../src/app/theme.ts';
import { duskStyles, screenStyles } from '../src/styles/palette-variables.ts';

type Colour = readonly [number, number, number];

/** Returns the linear red, green and blue of a colour like `#13202B`. */
const linear = (hex: string): Colour =>
  [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Colour;

/** Returns the lightness and the two hues of a colour (https://bottosson.github.io/posts/oklab/). */
function oklab(hex: string): Colour {
  const [red, green, blue] = linear(hex);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

/** Returns the perceived difference of two colours, about 0.02 where it is just noticeable. */
const difference = (one: string, other: string): number => {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(...a.map((value, index) => value - b[index as 0 | 1 | 2]));
};

/** Returns the contrast ratio of two colours (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const luminances = [one, other].map((hex) => {
    const [red, green, blue] = linear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

const dark = theme.colorSchemes.dark?.palette;
const darkSystem = '@media screen and (prefers-color-scheme: dark)';
const dusk = duskStyles[darkSystem][':root'];
const onScreens: Readonly<Record<string, string>> = screenStyles[darkSystem];
const duskInk = (ink: Ink): string => dusk[`--ink-${ink}`] ?? expect.fail(`no colour of ${ink}`);
const screenInk = (ink: Ink): string => onScreens[`--ink-${ink}`] ?? duskInk(ink);

type Point = readonly [x: number, y: number];

/** Returns the outlines of a path of absolute M, L, C and Z commands, with curves as polylines. */
function outlines({ d }: Shape): Point[][] {
  const found: Point[][] = [];
  for (const [, command, rest = ''] of d.matchAll(/([MLCZ])([^MLCZ]*)/g)) {
    const numbers = (rest.match(/-?[\d.]+/g) ?? []).map(Number);
    const points = Array.from({ length: numbers.length / 2 }, (_, index): Point => [
      numbers[2 * index] ?? 0,
      numbers[2 * index + 1] ?? 0,
    ]);
    if (command === 'M') found.push([]);
    const current = found.at(-1) ?? [];
    if (command !== 'C') {
      current.push(...points);
      continue;
    }
    for (let first = 0; first < points.length; first += 3) {
      const [start, a, b, end] = [current.at(-1), ...points.slice(first, first + 3)];
      if (!start || !a || !b || !end) continue;
      for (const t of [0.25, 0.5, 0.75, 1]) {
        const at = (axis: 0 | 1) =>
          (1 - t) ** 3 * start[axis] +
          3 * (1 - t) ** 2 * t * a[axis] +
          3 * (1 - t) * t ** 2 * b[axis] +
          t ** 3 * end[axis];
        current.push([at(0), at(1)]);
      }
    }
  }
  return found;
}

const isInside = (outline: readonly Point[], [x, y]: Point): boolean =>
  outline.filter(([x1, y1], index) => {
    const [x2, y2] = outline[(index + 1) % outline.length] ?? [x1, y1];
    return y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
  }).length %
    2 ===
  1;

/** Returns the ink of the topmost shape behind the first, middle or last letter of a text. */
function groundOf({ shapes }: Screen, { x, y, size, anchor }: ScreenText): Ink {
  const middle = x + { start: 0.4, middle: 0, end: -0.4 }[anchor ?? 'start'] * size;
  const isBehind = (shape: Shape) => outlines(shape).some((outline) => isInside(outline, [middle, y - size * 0.3]));
  const ground = shapes.findLast((shape) => shape.fill && (shape.opacity ?? 1) > 0.5 && isBehind(shape));
  return ground?.fill ?? expect.fail('a text outside its screen');
}

describe('The screens of case studies', () => {
  for (const slug of caseStudySlugs) {
    it(`${slug} has texts that are legible by day and after sunset`, async () => {
      const { story } = (await import(`../../domain/src/content/case-study-stories/${slug}.ts`)) as {
        readonly story: CaseStudyStory;
      };
      const illegible = story.screens.flatMap(({ screen }, index) =>
        screen.texts.flatMap((text) => {
          const ground = groundOf(screen, text);
          const ratios = [
            contrast(palette[text.ink], palette[ground]),
            contrast(screenInk(text.ink), screenInk(ground)),
          ];
          return Math.min(...ratios) > 3 ? [] : [`${index + 1}: "${text.text}", ${text.ink} on ${ground}`];
        }),
      );
      expect(illegible).to.deep.equal([]);
    });
  }
});

describe('The dark scheme', () => {
  it('has bands that differ visibly from each other', () => {
    const { paperBand, sandBand, nightBand, tideBand } = dark?.background ?? expect.fail('no dark scheme');
    const bands = [paperBand, sandBand, nightBand, tideBand];
    for (const [index, band] of bands.entries()) {
      for (const other of bands.slice(index + 1)) {
        expect(difference(band, other), `${band} and ${other}`).to.be.above(0.06);
      }
    }
  });

  it('has its own colour for every ink', () => {
    expect(Object.keys(dusk)).to.have.members(Object.keys(palette).map((ink) => `--ink-${ink}`));
  });

  it('keeps light shapes visible on the grounds of drawings', () => {
    for (const light of ['paper', 'white'] as const) {
      for (const ground of ['sand', 'sandDeep', 'night', 'nightSoft', 'terracotta', 'teal'] as const) {
        expect(contrast(duskInk(light), duskInk(ground)), `${light} on ${ground}`).to.be.above(4.5);
      }
    }
  });

  it('has light text on every ground of a service page that is legible', () => {
    const text = dark?.text.primary ?? expect.fail('no dark scheme');
    for (const ground of ['sandDeep', 'night', 'terracotta', 'teal'] as const) {
      expect(contrast(text, duskInk(ground)), ground).to.be.above(4.5);
    }
  });
});
