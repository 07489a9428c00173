import type { Theme } from '@mui/material/styles';
import { deepmerge } from '@mui/utils';
import { forcedColors } from '../styles/forced-colors.ts';
import { fieldFontSize } from '../styles/touch.ts';

const heading = (fontSize: string, lineHeight: number) => ({ fontSize, lineHeight, letterSpacing: '-0.012em' });

/** Changes to the site's theme: smaller type and controls, so that more fits on the screen. */
const dense = {
  typography: {
    h1: heading('clamp(1.5rem, 1.2rem + 1.2vw, 2.125rem)', 1.1),
    h2: heading('1.25rem', 1.25),
    h3: heading('1.0625rem', 1.3),
    body1: { fontSize: '0.9375rem', lineHeight: 1.55 },
    body2: { fontSize: '0.875rem', lineHeight: 1.5 },
    caption: { fontSize: '0.8125rem', lineHeight: 1.45 },
    overline: { fontSize: '0.8125rem', lineHeight: 1.4 },
    button: { fontSize: '0.9375rem' },
  },
  components: {
    MuiButton: {
      styleOverrides: {
        root: { minHeight: 42, paddingInline: 18, borderRadius: 6 },
        sizeSmall: {
          minHeight: 34,
          paddingInline: 12,
          fontSize: '0.875rem',
          // A list has such a button in every row, so its border is subtle until the pointer is over it.
          '&.MuiButton-outlined': {
            borderWidth: 1,
            '&:not(:hover)': { borderColor: 'var(--dt-palette-text-disabled)' },
          },
        },
        text: { color: 'var(--dt-palette-text-primary)' },
      },
    },
    MuiOutlinedInput: { styleOverrides: { input: { padding: '9px 12px', ...fieldFontSize('0.9375rem') } } },
    MuiFormLabel: { styleOverrides: { root: { fontSize: '0.875rem', marginBottom: 4 } } },
    MuiFormHelperText: { styleOverrides: { root: { fontSize: '0.8125rem' } } },
    MuiTabs: {
      styleOverrides: {
        // Aligns the first and last tab with the page's edges; the padding of a tab extends beyond them.
        root: { minHeight: 42, marginInline: -8 },
        indicator: {
          height: 3,
          backgroundColor: 'var(--dt-palette-primary-main)',
          [forcedColors]: { backgroundColor: 'Highlight' },
        },
      },
    },
    MuiTab: {
      styleOverrides: {
        root: {
          minHeight: 42,
          minWidth: 0,
          padding: '8px',
          marginRight: 12,
          // The row scrolls, so it would clip an outline outside of the tab.
          '&:focus-visible': { outlineOffset: -3 },
          fontSize: '0.9375rem',
          color: 'var(--dt-palette-text-secondary)',
          '&.Mui-selected': { color: 'var(--dt-palette-text-primary)' },
        },
      },
    },
    MuiSkeleton: { styleOverrides: { root: { backgroundColor: 'var(--dt-palette-divider)' } } },
  },
};

/**
 * Returns breakpoints for which paper is a wide window, so that a printed table keeps its columns. A page of A4 would
 * otherwise get the layout of a tablet.
 */
function asPaperIsWide({ breakpoints: { up, down, between, ...others } }: Theme): Theme['breakpoints'] {
  const onPaperToo: typeof up = (key) => up(key).replace('@media ', '@media print, ');
  const onScreen = (query: string): string => query.replace('@media ', '@media screen and ');
  return {
    ...others,
    up: onPaperToo,
    down: (key) => onScreen(down(key)),
    between: (from, to) => onScreen(between(from, to)),
    internal_mediaKeys: others.keys.map(onPaperToo),
  };
}

/**
 * Returns the staff theme, derived from the site's. A function, so that the scheme's variables are not written twice.
 */
export const staffTheme = (site: Theme): Theme => ({
  ...site,
  breakpoints: asPaperIsWide(site),
  typography: deepmerge(site.typography, dense.typography),
  components: deepmerge(site.components ?? {}, dense.components),
});
