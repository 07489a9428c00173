import { type Ink, palette } from '@dune-tide/domain/brand';
import { expect } from 'chai';
import { theme } from '../src/app/theme.ts';
import { duskStyles } from '../src/styles/palette-variables.ts';

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
const dusk = duskStyles['@media screen and (prefers-color-scheme: dark)'][':root'];
const duskInk = (ink: Ink): string => dusk[`--ink-${ink}`] ?? expect.fail(`no colour of ${ink}`);

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
