import type { Page } from 'playwright-core';

/**
 * Returns the texts whose end is outside the window or clipped by an ancestor, so that it is hidden or needs
 * horizontal scrolling. Excludes texts with an ellipsis and texts in their own scroll area.
 */
export async function cutOffTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(text);
      const { right, width } = range.getBoundingClientRect();
      let edge = width > 1 ? document.documentElement.clientWidth : Infinity;
      for (let around = text.parentElement; around; around = around.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(around);
        if (overflowX === 'visible') continue;
        const box = around.getBoundingClientRect();
        const isMeant = box.width <= 1 || overflowX === 'auto' || textOverflow === 'ellipsis';
        edge = isMeant ? Infinity : Math.min(edge, box.right);
        if (isMeant) break;
      }
      if (right > edge + 1) found.push(text.textContent ?? '');
    }
    return found;
  });
}
