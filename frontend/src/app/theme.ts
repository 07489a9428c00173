import { palette as ink } from '@dune-tide/domain/brand';
import { createTheme, type CSSObject, type TypographyVariantsOptions } from '@mui/material/styles';
import { forcedColors } from '../styles/forced-colors.ts';
import { darkBands, lowWindowStyles, navigationHeight, pageId, wideFrom } from '../styles/layout-constants.ts';

declare module '@mui/material/styles' {
  interface CssThemeVariables {
    enabled: true;
  }
  interface TypeBackground {
    /** The backgrounds of the page's bands. */
    paperBand: string;
    sandBand: string;
    nightBand: string;
    tideBand: string;
    /** The background of form fields. */
    field: string;
  }
}

const display = "'Bricolage Grotesque', 'Bricolage Grotesque Fallback', sans-serif";
const text = "'Instrument Sans', 'IBM Plex Sans Arabic', 'Instrument Sans Fallback', sans-serif";

/** Returns a font size that grows with the window between two sizes, in rem. */
const fluid = (small: number, slope: number, large: number): string =>
  `clamp(${small}rem, ${(small - slope * 0.2).toFixed(3)}rem + ${slope}vw, ${large}rem)`;

/** Returns a fluid font size that is limited to a share of the window's width (in vw), so that long words fit. */
const fitting = (widest: number, ...sizes: Parameters<typeof fluid>): string => `min(${widest}vw, ${fluid(...sizes)})`;

const headline = (
  size: string,
  lineHeight: number,
  letterSpacing: string,
): NonNullable<TypographyVariantsOptions['h1']> => ({
  fontFamily: display,
  fontWeight: 640,
  fontOpticalSizing: 'auto',
  fontSize: size,
  lineHeight,
  letterSpacing,
  textWrap: 'balance',
});

/** The dark background of the deepest band. */
const tide = '#0A383D';

const noMotion = '@media (prefers-reduced-motion: reduce)';

/** The site's theme: MUI's components with the studio's colours and fonts, light or dark as the system prefers. */
export const theme = createTheme({
  cssVariables: { cssVarPrefix: 'dt', colorSchemeSelector: 'media' },
  colorSchemes: {
    light: {
      palette: {
        primary: { main: ink.terracotta, dark: '#9A3515', light: ink.terracottaSoft, contrastText: ink.white },
        secondary: { main: ink.teal, dark: '#0A5051', light: ink.tealSoft, contrastText: ink.white },
        error: { main: '#A3182B', contrastText: ink.white },
        success: { main: ink.teal, contrastText: ink.white },
        text: { primary: ink.night, secondary: ink.slate, disabled: '#7A858D' },
        divider: 'rgba(19, 32, 43, 0.16)',
        background: {
          default: ink.paper,
          paper: ink.white,
          paperBand: ink.paper,
          sandBand: ink.sand,
          nightBand: ink.night,
          tideBand: tide,
          field: ink.white,
        },
      },
    },
    dark: {
      palette: {
        primary: { main: ink.terracottaSoft, dark: '#F0A482', light: '#F4B99E', contrastText: ink.night },
        secondary: { main: ink.tealSoft, dark: '#9CCCC7', light: '#B9DCD8', contrastText: ink.night },
        error: { main: '#FF9E93', contrastText: ink.night },
        success: { main: ink.tealSoft, contrastText: ink.night },
        text: { primary: ink.paper, secondary: '#B7C0C4', disabled: '#7F8C94' },
        divider: 'rgba(251, 246, 236, 0.2)',
        background: {
          default: ink.night,
          paper: '#1B2C38',
          paperBand: ink.night,
          // Three hues, because three dark inks of one hue look like a single band.
          sandBand: '#33271C',
          nightBand: '#080E14',
          tideBand: '#0A3C41',
          field: '#1B2C38',
        },
      },
    },
  },
  // In rem, the layout follows the reader's font size as well as the window. A step is a hundredth of it.
  breakpoints: { unit: 'rem', step: 0.3, values: { xs: 0, sm: 37.5, md: wideFrom, lg: 75, xl: 96 } },
  shape: { borderRadius: 4 },
  spacing: 8,
  typography: {
    fontFamily: text,
    fontWeightBold: 600,
    h1: headline(fitting(15, 3, 6.2, 9.5), 0.92, '-0.01em'),
    h2: headline(fitting(14, 2.5, 3.6, 5.25), 0.96, '-0.018em'),
    h3: headline(fitting(11, 1.75, 1.3, 2.6), 1.05, '-0.018em'),
    h4: headline(fitting(10, 1.4, 0.4, 1.65), 1.12, '-0.012em'),
    h5: headline('1.25rem', 1.2, '-0.01em'),
    h6: headline('1.125rem', 1.25, '-0.01em'),
    subtitle1: { fontSize: fluid(1.125, 0.35, 1.375), lineHeight: 1.5, letterSpacing: '-0.005em', textWrap: 'pretty' },
    body1: { fontSize: '1.0625rem', lineHeight: 1.6 },
    body2: { fontSize: '1rem', lineHeight: 1.5 },
    caption: { fontSize: '0.9375rem', lineHeight: 1.45 },
    overline: {
      fontSize: '0.875rem',
      lineHeight: 1.4,
      fontWeight: 600,
      letterSpacing: '0.01em',
      textTransform: 'none',
    },
    button: { fontSize: '1rem', fontWeight: 600, letterSpacing: 0, textTransform: 'none' },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: {
        html: { scrollPaddingTop: navigationHeight, [noMotion]: { scrollBehavior: 'auto !important' } },
        ...lowWindowStyles,
        // Scrolls a focused field into view together with its label and hint, below the navigation bar.
        'input, select, textarea': { scrollMarginTop: '4rem' },
        body: {
          overflowWrap: 'break-word',
          fontSynthesis: 'none',
          // A dialog removes the scrollbar (`Modal`). The page must not move sideways, not even during the short
          // transition that `noMotion` leaves to every change.
          paddingInlineEnd: 'var(--scrollbar-width, 0px)',
          transitionProperty: 'none',
        },
        // No specificity, so that the style of any list wins.
        ':where(ul, ol)': { margin: 0, padding: 0, listStyle: 'none' },
        ':where(dl, dd)': { margin: 0 },
        '::selection': { background: ink.terracottaSoft, color: ink.night },
        'a, button, select, input, textarea, [tabindex]': {
          '&:focus-visible': {
            outline: '3px solid var(--dt-palette-secondary-main)',
            outlineOffset: 3,
          },
        },
        '[tabindex="-1"]:focus-visible': { outline: 'none' },
        '@media print': {
          'nav, :is(button, .MuiButtonBase-root):not([data-printed]), .MuiTabs-root': { display: 'none !important' },
          '[data-tone]': { background: 'none !important' },
          'section[data-tone]': { paddingBlock: '2rem !important' },
          'h1, h2, h3, h4': { breakAfter: 'avoid' },
          'svg, tr, article, li, dl': { breakInside: 'avoid' },
          // Only an open dialog is printed.
          html: { overflow: 'visible !important' },
          [`html:has([role="dialog"]) #${pageId}`]: { display: 'none' },
        },
        [noMotion]: {
          '*, *::before, *::after': {
            animationDuration: '0.01ms !important',
            animationIterationCount: '1 !important',
            transitionDuration: '0.01ms !important',
          },
        },
      },
    },
    MuiTypography: {
      defaultProps: { variantMapping: { subtitle1: 'p', subtitle2: 'p', overline: 'p' } },
      // Not in the variants: the whole page uses body1's, and a field's text must not reflow while the visitor types.
      styleOverrides: { body1: { textWrap: 'pretty' }, body2: { textWrap: 'pretty' }, caption: { textWrap: 'pretty' } },
    },
    MuiButtonBase: { defaultProps: { disableRipple: true } },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: {
          borderRadius: 999,
          paddingInline: 28,
          minHeight: 52,
          lineHeight: 1.2,
          transition: 'background-color 160ms, color 160ms, border-color 160ms, scale 160ms',
          '&:active': { scale: '0.97' },
        },
        sizeSmall: { minHeight: 40, paddingInline: 20, fontSize: '0.9375rem' },
        outlined: {
          borderWidth: 1.5,
          borderColor: 'currentColor',
          color: 'var(--dt-palette-text-primary)',
          '&:hover': {
            borderWidth: 1.5,
            background: 'var(--dt-palette-text-primary)',
            borderColor: 'var(--dt-palette-text-primary)',
            color: 'var(--dt-palette-background-default)',
          },
        },
        contained: {
          // Pending, or waiting for its code: dimmed on any background, with a legible label.
          '&.Mui-disabled, &[aria-busy="true"]': {
            background: 'color-mix(in srgb, var(--dt-palette-text-primary) 16%, transparent)',
            color: 'var(--dt-palette-text-primary)',
          },
          [forcedColors]: {
            '&, &:hover, &.Mui-disabled': {
              forcedColorAdjust: 'none',
              background: 'ButtonText',
              color: 'ButtonFace',
            },
          },
        },
      },
    },
    MuiOutlinedInput: {
      styleOverrides: {
        root: {
          background: 'var(--dt-palette-background-field)',
          // The outline surrounds the whole field, as on buttons; an invalid field keeps its inner border.
          '&.Mui-focused': {
            outline: '3px solid var(--dt-palette-secondary-main)',
            outlineOffset: 2,
            [forcedColors]: { outlineColor: 'Highlight' },
          },
          '&.Mui-focused:not(.Mui-error) .MuiOutlinedInput-notchedOutline': {
            borderColor: 'var(--dt-palette-secondary-main)',
          },
          '&.Mui-error .MuiOutlinedInput-notchedOutline': { borderWidth: 2 },
          '&:hover:not(.Mui-focused, .Mui-error) .MuiOutlinedInput-notchedOutline': {
            borderColor: 'var(--dt-palette-text-primary)',
          },
        },
        notchedOutline: { borderColor: 'var(--dt-palette-text-disabled)' },
        input: {
          padding: '14px 16px',
          height: 'auto',
          lineHeight: 1.5,
          fontSize: '1.0625rem',
          '&:focus-visible': { outline: 'none' },
          '&::placeholder': { color: 'var(--dt-palette-text-secondary)', opacity: 1 },
        },
        multiline: { padding: 0 },
      },
    },
    MuiNativeSelect: {
      styleOverrides: { icon: { right: 12, color: 'inherit' }, select: { textOverflow: 'ellipsis' } },
    },
    MuiFormLabel: {
      styleOverrides: {
        root: {
          color: 'var(--dt-palette-text-primary)',
          fontWeight: 600,
          // The label "Organization/Company" cannot wrap, so it shrinks in narrow windows.
          fontSize: 'min(0.9375rem, 7vw)',
          lineHeight: 1.4,
          marginBottom: 6,
          '&.Mui-focused, &.Mui-error': { color: 'var(--dt-palette-text-primary)' },
        },
        asterisk: {
          color: 'var(--dt-palette-primary-main)',
          '&.Mui-error': { color: 'var(--dt-palette-primary-main)' },
        },
      },
    },
    MuiFormHelperText: {
      // Reserves one line, so that a message does not move the button away from the pointer.
      styleOverrides: { root: { margin: '4px 0 0', minHeight: '1.45em', fontSize: '0.875rem', lineHeight: 1.45 } },
    },
    MuiDialog: {
      styleOverrides: {
        paper: {
          backgroundImage: 'none',
          background: 'var(--dt-palette-background-paperBand)',
          borderRadius: 8,
          [forcedColors]: { outline: '1px solid', outlineOffset: -1 },
          '@media print': { '&&': { maxWidth: 'none', maxHeight: 'none', margin: 0 } },
        },
      },
    },
    MuiBackdrop: {
      styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { background: 'rgba(8, 15, 21, 0.72)' } } },
    },
    MuiLink: {
      defaultProps: { color: 'inherit' },
      styleOverrides: {
        root: {
          textUnderlineOffset: '0.2em',
          textDecorationThickness: '1px',
          '&:hover': { textDecorationThickness: '2px' },
        },
      },
    },
  },
});

/** The variables of dark bands on a light page: the dark scheme's colours on the light scheme's backgrounds. */
export const nightBandStyles = {
  // Print has no backgrounds.
  '@media screen': { [darkBands]: darkVariables() },
  '@media screen and (prefers-color-scheme: light)': {
    [darkBands]: {
      '--dt-palette-background-default': ink.night,
      '--dt-palette-background-nightBand': ink.night,
      '--dt-palette-background-tideBand': tide,
      '--dt-palette-background-field': ink.nightSoft,
    },
  },
};

function darkVariables(): CSSObject {
  const dark = theme.generateStyleSheets().find((sheet) => Object.keys(sheet).some((key) => key.includes('dark')));
  const scoped = Object.values(dark ?? {})[0] as Record<string, CSSObject> | undefined;
  return scoped?.[':root'] ?? {};
}
