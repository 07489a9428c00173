import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { displayCut } from '@dune-tide/domain/brand';
import subsetFont from 'subset-font';

const { resolve } = createRequire(import.meta.url);

const bricolage = resolve(
  '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-standard-normal.woff2',
);
const instrument = resolve('@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2');

/**
 * The fonts of the portfolio, which the site also uses. `axes` selects an instance of the variable font; `rise` and `fall`
 * are the height of letters above and below the baseline, as fractions of the font size.
 */
export const fonts = {
  display: { file: bricolage, axes: { ...displayCut, opsz: 96 }, rise: 0.72, fall: 0.21 },
  displayMedium: { file: bricolage, axes: { ...displayCut, opsz: 20 }, rise: 0.72, fall: 0.21 },
  text: { file: instrument, axes: { wght: 400 }, rise: 0.74, fall: 0.21 },
  textStrong: { file: instrument, axes: { wght: 600 }, rise: 0.74, fall: 0.21 },
} as const;

export type FontName = keyof typeof fonts;

export const fontNames = Object.keys(fonts) as FontName[];

/** The data of each font. The PDF embeds subsets of it. */
export type LoadedFonts = Readonly<Record<FontName, Buffer>>;

/** The characters of Latin text: letters with accents, punctuation, arrows and symbols. */
const characters = [
  [0x20, 0x24f],
  [0x2010, 0x2044],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2199],
  [0x2212, 0x2212],
]
  .flatMap(([from = 0, to = 0]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
  )
  .join('');

/**
 * Creates static fonts, because PDFKit can embed neither variable fonts nor WOFF2.
 * @throws if a font file is missing or damaged
 */
export async function loadFonts(): Promise<LoadedFonts> {
  const faces = fontNames.map(async (name) => {
    const { file, axes } = fonts[name];
    const face = await subsetFont(await readFile(file), characters, { targetFormat: 'sfnt', variationAxes: axes });
    return [name, face] as const;
  });
  return Object.fromEntries(await Promise.all(faces)) as LoadedFonts;
}
