import type { Page } from 'playwright-core';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** Prints a page without backgrounds, as browsers do by default, and returns the text of each sheet. */
export async function printedPages(
  page: Page,
  paper: { readonly format: 'A4' | 'Letter'; readonly landscape?: boolean },
): Promise<readonly string[]> {
  const file = await page.pdf({ ...paper, printBackground: false });
  const pdf = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
  try {
    const texts: string[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      texts.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
    }
    return texts;
  } finally {
    await pdf.destroy();
  }
}
