import type { Page } from 'playwright-core';

/** Script that records each scroll that the page requests, with its options. */
export const noteScrolls = `window.scrolls = [];
const scrollIntoView = Element.prototype.scrollIntoView;
Element.prototype.scrollIntoView = function (options) {
  window.scrolls.push({ id: this.id, behavior: options?.behavior });
  scrollIntoView.call(this, options);
};`;

/** Returns the recorded scrolls of a page with `noteScrolls`. */
export const scrollsOf = (page: Page): Promise<{ id: string; behavior: string }[]> =>
  page.evaluate(() => (window as unknown as { scrolls: { id: string; behavior: string }[] }).scrolls);
