/** The ids of the two parts of the document: the page and the layer above it. */

/** The page, which an open modal makes inert. */
export const pageId = 'page';

/** The container of modals, outside of the page, so that the page can be inert while the toasts stay accessible. */
export const modalRootId = 'modals';

/** Selects the bands with light text on both light and dark pages. */
export const darkBands = '[data-tone="night"], [data-tone="tide"]';

/** Hides elements that need scripts. */
export const scriptedOnly = { '@media (scripting: none)': { display: 'none' } } as const;

/** The window width from which no part of the page is behind a menu button, in rem; equals the theme's `md`. */
export const wideFrom = 56.25;

/** A phone in landscape, or a page at 400 %: sticky elements leave little room. */
export const shortWindowQuery = '(max-height: 30rem)';
export const shortWindow = `@media ${shortWindowQuery}` as const;

/**
 * The values of `position` for elements that stay in view while the page scrolls. In a window as low as a page at
 * 400 % they scroll with it, because they would take up most of the height (WCAG 1.4.10). `lowWindowStyles` defines
 * both variables.
 */
export const sticky = 'var(--sticky)' as 'sticky';
export const fixed = 'var(--fixed)' as 'fixed';
export const lowWindowStyles = {
  ':root': { '--sticky': 'sticky', '--fixed': 'fixed' },
  '@media (max-height: 20rem)': {
    ':root': { '--sticky': 'static', '--fixed': 'absolute', scrollPaddingTop: 0 },
  },
} as const;

/** A phone; toasts and buttons span its full width. */
export const narrowWindowQuery = '(max-width: 37.497rem)';

/** Toasts appear at the top in narrow and short windows, because a form's button is at the bottom. */
export const toastOnTop = `@media ${narrowWindowQuery}, ${shortWindowQuery}` as const;

/** The height of the site's navigation bar, in pixels. */
export const navigationHeight = 76;
