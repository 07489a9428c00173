import type { Page } from 'playwright-core';

/** Returns the words that are broken across two lines without a hyphen or another break character. */
export async function brokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const { overflowWrap } = getComputedStyle(text.parentElement ?? document.body);
      // Addresses may break anywhere.
      if (overflowWrap === 'anywhere') continue;
      for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\p{L}\p{N},.’]+/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top));
        if (lines.size > 1) found.push(word);
      }
    }
    return found;
  });
}
