import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { unpackWoff } from './woff.ts';

const { resolve } = createRequire(import.meta.url);

/** The files are WOFF: the subset that a PDF embeds cannot be taken from WOFF2's transformed outlines. */
const fontFile = (family: string, weight: number): string =>
  resolve(`@fontsource/${family}/files/${family}-latin-${weight}-normal.woff`);

/** The faces of the portfolio with the file of each, and how far letters rise and fall in parts of the type size. */
export const fonts = {
  display: { file: fontFile('bricolage-grotesque', 800), rise: 0.72, fall: 0.21 },
  displayMedium: { file: fontFile('bricolage-grotesque', 600), rise: 0.72, fall: 0.21 },
  text: { file: fontFile('instrument-sans', 400), rise: 0.74, fall: 0.21 },
  textStrong: { file: fontFile('instrument-sans', 600), rise: 0.74, fall: 0.21 },
} as const;

export type FontName = keyof typeof fonts;

export const fontNames = Object.keys(fonts) as FontName[];

/** The bytes of a face, as the PDF embeds a subset of them. */
export const loadFont = (name: FontName): Buffer => unpackWoff(readFileSync(fonts[name].file));
