import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { displayCut } from '@dune-tide/domain/brand';
import { formGuideTexts } from '@dune-tide/domain/content/form-guides';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const range = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join('');

/** Basic Latin, Latin-1 and the punctuation that the texts use. */
const characters = range(0x20, 0x7e) + range(0xa0, 0xff) + '–—‘’“”…•→←↑↓×−€™';

interface Face {
  readonly source: string;
  readonly target: string;
  readonly axes?: Readonly<Record<string, number | { min: number; max: number }>>;
  /** Replaces the characters of the site's own texts. */
  readonly characters?: string;
}

/** The font of headlines, with only the axes that the theme uses. src/app/base.css refers to the file. */
export const displayFace = {
  source: '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-standard-normal.woff2',
  target: 'bricolage-grotesque.woff2',
  axes: { ...displayCut, opsz: { min: 14, max: 96 } },
} as const satisfies Face;

/** The font of all other text. */
export const textFace = {
  source: '@fontsource-variable/instrument-sans/files/instrument-sans-latin-standard-normal.woff2',
  target: 'instrument-sans.woff2',
  axes: { wdth: 100, wght: { min: 400, max: 700 } },
} as const satisfies Face;

/** The Arabic line beside each form, with its own letters only. Other pages do not load it. */
const arabicLineFace = {
  source: '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-600-normal.woff2',
  target: 'arabic-line.woff2',
  characters: formGuideTexts.arabic,
} as const satisfies Face;

/** Arabic that visitors write. Browsers load it when a page shows the first Arabic letter. */
const arabicFace = {
  source: '@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-400-normal.woff2',
  target: 'arabic.woff2',
  characters: range(0x600, 0x6ff),
} as const satisfies Face;

const folder = new URL('../src/generated/', import.meta.url);

/** Vite plugin: writes the subset fonts to `src/generated`, at a third of their original size. */
export function fonts(): Plugin {
  return {
    name: 'fonts',
    async buildStart() {
      await mkdir(folder, { recursive: true });
      await Promise.all([displayFace, textFace, arabicLineFace, arabicFace].map(writeFace));
    },
  };
}

async function writeFace({ source, target, axes, characters: chosen = characters }: Face): Promise<void> {
  const whole = await readFile(fileURLToPath(import.meta.resolve(source)));
  const subset = await subsetFont(whole, chosen, { targetFormat: 'woff2', ...(axes && { variationAxes: axes }) });
  const file = new URL(target, folder);
  // An unchanged file is not rewritten, because its new timestamp would make `make build` rebuild everything.
  const isThere = existsSync(file) && subset.equals(await readFile(file));
  if (!isThere) await writeFile(file, subset);
}
