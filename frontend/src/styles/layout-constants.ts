/** The ids of the two halves of the document: the page, and what lies over it. */

/** The page, which an open modal makes inert. */
export const pageId = 'page';

/** Where modals are rendered: beside the page, so that the page can be made inert and the toasts stay readable. */
export const modalRootId = 'modals';

/** The style of what does nothing without scripts. */
export const scriptedOnly = { '@media (scripting: none)': { display: 'none' } } as const;

/** The width of the window from which nothing stands behind a menu button, in rem; the theme's `md`. */
export const wideFrom = 56.25;

/** A phone on its side, or a page at 400 %: little fits beside what sticks to the window. */
export const shortWindowQuery = '(max-height: 30rem)';
export const shortWindow = `@media ${shortWindowQuery}` as const;

/** A phone, whose toasts and buttons take its whole width. */
export const narrowWindowQuery = '(max-width: 37.497rem)';

/** Where toasts are at the top: in a narrow or short window a form's button is at the bottom. */
export const toastOnTop = `@media ${narrowWindowQuery}, ${shortWindowQuery}` as const;

/** The height of the site's navigation bar, in pixels. */
export const navigationHeight = 76;
