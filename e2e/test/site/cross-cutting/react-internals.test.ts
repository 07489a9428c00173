import { untilInteractive } from '../../../src/browser/browser.ts';
import { onPage, untouched } from '../../../src/browser/browser-suite.ts';
import { takenOverPrefix } from '../../../src/browser/react-internals.ts';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const isTakenOver = (page: Page): Promise<boolean> =>
  page.evaluate(
    (prefix) => Object.keys(document.querySelector('footer a') ?? {}).some((key) => key.startsWith(prefix)),
    takenOverPrefix,
  );

describe('the internals of React', () => {
  it(
    'mark an element when React hydrates it, and not before',
    onPage(
      '/careers',
      async ({ page }) => {
        expect(await isTakenOver(page)).to.equal(false);
        await untilInteractive(page);
        expect(await isTakenOver(page)).to.equal(true);
      },
      untouched,
    ),
  );
});
