import { brand, palette } from '@dune-tide/domain/brand';
import type { Plugin } from 'vite';
import { escapeHtml } from './escape-html.ts';
import { icons } from './icons.ts';

/** The replacements of placeholders like `%NAME%` in index.html. */
const texts: Readonly<Record<string, string>> = {
  NAME: brand.name,
  PAPER: palette.paper,
  NIGHT: palette.night,
  ICON: icons.svg.file,
  SMALLICON: icons.small.file,
  APPLEICON: icons.apple.file,
};

/** Vite plugin: inserts the studio's name and colours into the shell. */
export function shellTexts(): Plugin {
  return {
    name: 'shell-texts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replaceAll(/%([A-Z]+)%/g, (whole, name: string) => escapeHtml(texts[name] ?? whole)),
    },
  };
}
