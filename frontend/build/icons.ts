import { palette } from '@dune-tide/domain/brand';
import { Resvg } from '@resvg/resvg-js';

/** The studio's logo as icons, by their use. */
export const icons = {
  svg: { file: 'favicon.svg' },
  small: { file: 'favicon-32.png', size: 32 },
  /** Browsers request this name without a link to it. */
  unnamed: { file: 'favicon.ico' },
  /** iOS rounds the corners itself and does not keep transparency. */
  apple: { file: 'apple-touch-icon.png', size: 180 },
  medium: { file: 'icon-192.png', size: 192 },
  large: { file: 'icon-512.png', size: 512 },
  /** Android crops it to any shape, so the logo stays in the middle. */
  maskable: { file: 'icon-maskable-512.png', size: 512 },
} as const;

/** Taller and bolder than ui/sign.ts, so that it fills a square and is recognizable at 16 pixels. */
const sign = `
  <circle cx="43" cy="22" r="8" fill="${palette.terracottaSoft}" />
  <path d="M6 42C15 25 23 21 30 23c9 3 9 14 28 17v4c-11 2-20 1-27-2-8-3-15-3-25 2z" fill="${palette.sand}" />
  <path d="M6 51c7-5 12-5 18-1s12 4 18 0 11-4 16-1" fill="none" stroke="${palette.tealSoft}" stroke-width="4" stroke-linecap="round" />`;

const svg = (radius: number, scale: number): string => {
  const move = 32 - 32 * scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" rx="${radius}" fill="${palette.night}" />
  <g transform="translate(${move} ${move}) scale(${scale})">${sign}
  </g>
</svg>
`;
};

const rounded = svg(14, 1);
const square = svg(0, 0.86);
const safe = svg(0, 0.66);

const png = (picture: string, size: number): Buffer =>
  new Resvg(picture, { fitTo: { mode: 'width', value: size }, font: { loadSystemFonts: false } }).render().asPng();

/** Returns an ICO file with one image: a directory with one entry, then the PNG. */
function ico(picture: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, picture]);
}

/** Returns the contents of the icons by file name. */
export function iconFiles(): ReadonlyMap<string, string | Buffer> {
  return new Map<string, string | Buffer>([
    [icons.svg.file, rounded],
    [icons.small.file, png(rounded, icons.small.size)],
    [icons.unnamed.file, ico(png(rounded, icons.small.size), icons.small.size)],
    [icons.apple.file, png(square, icons.apple.size)],
    [icons.medium.file, png(rounded, icons.medium.size)],
    [icons.large.file, png(rounded, icons.large.size)],
    [icons.maskable.file, png(safe, icons.maskable.size)],
  ]);
}
