import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Art } from '@dune-tide/domain/art/art';
import { heroArt } from '@dune-tide/domain/art/hero';
import { serviceArt } from '@dune-tide/domain/art/services';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { brand, palette } from '@dune-tide/domain/brand';
import { Resvg } from '@resvg/resvg-js';
import subsetFont from 'subset-font';
import type { PublishedPage } from './published-pages.ts';
import { sign } from '../src/ui/sign.ts';
import { escapeHtml } from './escape-html.ts';
import { displayFace, textFace } from './fonts.ts';

/** The size that services expect for the preview of a shared link. */
export const previewSize = { width: 1200, height: 630 } as const;

/** Returns the path of a page's preview in the build. */
export function previewFile(page: PublishedPage): string {
  return `previews/${page.path === '/' ? 'home' : page.path.slice(1).replaceAll('/', '-')}.png`;
}

const { resolve } = createRequire(import.meta.url);

const margin = 72;
/** The font families as named in the font files. */
const display = 'Bricolage Grotesque 96pt ExtraBold';
const text = 'Instrument Sans';

/** The fonts as files for the renderer, which supports neither WOFF2 nor variable axes. */
const faces = [
  { source: displayFace.source, axes: { ...displayFace.axes, opsz: displayFace.axes.opsz.max } },
  { source: textFace.source, axes: { ...textFace.axes, wght: 500 } },
] as const;

/**
 * Draws the preview of a shared link: the studio's name, the page's preview text and its picture.
 * @returns a PNG
 */
export async function previewPicture(page: PublishedPage): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'preview-fonts-'));
  try {
    const fontFiles = await Promise.all(
      faces.map(async ({ source, axes }, index) => {
        const file = join(folder, `${index}.ttf`);
        const words = page.previewText + brand.name + brand.tagline;
        const whole = await readFile(resolve(source));
        await writeFile(file, await subsetFont(whole, words, { targetFormat: 'truetype', variationAxes: axes }));
        return file;
      }),
    );
    const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: text };
    const widthOf = (words: string, size: number) =>
      new Resvg(svg(headline([words], size, 0, 200)), { font }).getBBox()?.width ?? 0;
    const art = artOf(page);
    const picture = art ? besidePicture(page, art, widthOf) : overPicture(page, widthOf);
    return new Resvg(picture, { font }).render().asPng();
  } finally {
    await rm(folder, { recursive: true });
  }
}

type WidthOf = (words: string, size: number) => number;

/** The text above the studio's dunes. Their sky has room for two lines. */
function overPicture(page: PublishedPage, widthOf: WidthOf): string {
  const { lines, size } = fit(
    page.previewText,
    { width: previewSize.width - 2 * margin, lines: 2, largest: 92 },
    widthOf,
  );
  return svg(`
    <rect width="1200" height="630" fill="${palette.sand}" />
    <g transform="translate(0 112) scale(0.75)">${shapes(heroArt)}</g>
    ${signature(margin, margin)}
    ${headline(lines, size, margin, margin + 66 + size * 0.8)}`);
}

/** Returns the picture of the page's service or case study. */
function artOf({ subject }: PublishedPage): Art | undefined {
  if (subject?.kind === 'service') return serviceArt[subject.slug];
  if (subject?.kind === 'case study') return caseStudies.find(({ slug }) => slug === subject.slug)?.art;
  return undefined;
}

/** The text beside the picture of a service or a case study. */
function besidePicture(page: PublishedPage, art: Art, widthOf: WidthOf): string {
  const { lines, size } = fit(page.previewText, { width: 520, lines: 3, largest: 104 }, widthOf);
  const height = size * 0.98 * (lines.length - 1) + size * 0.2;
  return svg(`
    <rect width="1200" height="630" fill="${palette.paper}" />
    <svg x="${1200 - 540}" width="540" height="630" viewBox="0 0 ${art.width} ${art.height}" preserveAspectRatio="xMidYMid slice">${shapes(art)}</svg>
    ${signature(margin, margin)}
    ${headline(lines, size, margin, previewSize.height - margin - height - 56)}
    <text x="${margin}" y="${previewSize.height - margin}" font-family="${text}" font-size="28" fill="${palette.slate}">${escapeHtml(brand.tagline)}</text>`);
}

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${previewSize.width} ${previewSize.height}" width="${previewSize.width}" height="${previewSize.height}">${content}</svg>`;

const headline = (lines: readonly string[], size: number, x: number, y: number): string =>
  lines
    .map(
      (line, index) =>
        `<text x="${x}" y="${y + index * size * 0.98}" font-family="${display}" font-size="${size}" letter-spacing="${-0.01 * size}" fill="${palette.night}">${escapeHtml(line)}</text>`,
    )
    .join('');

/** The studio's logo and name (ui/Wordmark). */
const signature = (x: number, y: number): string => `
  <g transform="translate(${x} ${y - 10}) scale(1.3)">
    <circle cx="${sign.sun.cx}" cy="${sign.sun.cy}" r="${sign.sun.r}" fill="${palette.terracotta}" />
    <path d="${sign.dunes}" fill="${palette.night}" />
    <path d="${sign.wave}" fill="none" stroke="${palette.teal}" stroke-width="${sign.waveWidth}" stroke-linecap="round" />
  </g>
  <text x="${x + 60}" y="${y + 18}" font-family="${display}" font-size="36" letter-spacing="-0.4" fill="${palette.night}">${escapeHtml(brand.name)}</text>`;

const shapes = (art: Art): string =>
  art.shapes
    .map(
      ({ d, fill, stroke, strokeWidth = 1, opacity = 1, dash = [] }) =>
        `<path d="${d}" fill="${fill ? palette[fill] : 'none'}" stroke="${stroke ? palette[stroke] : 'none'}" stroke-width="${strokeWidth}" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}" stroke-dasharray="${dash.join(' ') || 'none'}" />`,
    )
    .join('');

/** Returns the largest font size at which a text fits into a number of lines, and these lines. */
function fit(
  words: string,
  room: { readonly width: number; readonly lines: number; readonly largest: number },
  widthOf: WidthOf,
): { lines: string[]; size: number } {
  for (let size = room.largest; size > 40; size -= 4) {
    const lines = wrap(words, (line) => widthOf(line, size) <= room.width);
    if (lines.length <= room.lines && lines.every((line) => widthOf(line, size) <= room.width)) return { lines, size };
  }
  throw new Error(`The preview text "${words}" does not fit`);
}

function wrap(words: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
