/** The numbers of specification §9 that concern what happens on the screen. */

/** The bar turns frosted once the page is scrolled further than this, in pixels. */
export const frostedAfterScroll = 50;

/** A section item on another page first goes to the home page and scrolls after this time, in milliseconds. */
export const scrollDelayAfterNavigation = 100;

/** The portfolio modal closes itself this long after its success, in milliseconds. */
export const portfolioModalCloseDelay = 3000;

export const toastLimits = {
  atOnce: 1,
  /** Milliseconds. */
  duration: 5000,
  /** How long a dismissed toast is kept, in milliseconds. */
  removalDelay: 1_000_000,
  /** Pixels to the right. */
  swipeThreshold: 50,
  focusKey: 'F8',
} as const;

/** How long a request may take, in milliseconds; after that the form says that it failed. */
export const requestTimeout = 30_000;
