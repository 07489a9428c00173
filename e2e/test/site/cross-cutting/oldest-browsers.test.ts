import { onPage, ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { staffAccount } from '../../../src/browser/browser-stack.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';

/** Removes the features that this browser has and Chrome 100, Firefox 102 or Safari 15.4 lack. */
const takeAwayNewer = `
for (const list of [Array.prototype, Object.getPrototypeOf(Int8Array.prototype)])
  for (const name of ['toReversed', 'toSorted', 'toSpliced', 'with', 'findLast', 'findLastIndex']) delete list[name];
for (const name of ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'])
  delete Set.prototype[name];
for (const name of ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'])
  delete Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))[name];
for (const [owner, names] of [
  [Object, ['groupBy']],
  [Map, ['groupBy']],
  [Promise, ['withResolvers', 'try']],
  [Array, ['fromAsync']],
  [AbortSignal, ['any', 'timeout']],
  [URL, ['canParse', 'parse']],
  [RegExp, ['escape']],
  [String.prototype, ['isWellFormed', 'toWellFormed']],
  [HTMLFormElement.prototype, ['requestSubmit']],
  [Document.prototype, ['startViewTransition']],
  [Element.prototype, ['checkVisibility', 'setHTMLUnsafe', 'moveBefore']],
  [HTMLElement.prototype, ['popover', 'inert', 'showPopover', 'hidePopover', 'togglePopover']],
  [window, ['Iterator', 'scheduler', 'navigation', 'CloseWatcher', 'requestIdleCallback', 'cancelIdleCallback']],
])
  for (const name of names) delete owner[name];
`;

const oldest = { scripts: [takeAwayNewer] };

/** Fills in every field of a form according to its type. */
async function fill(form: Locator, email: string): Promise<void> {
  for (const select of await form.locator('select').all()) await select.selectOption({ index: 1 });
  for (const box of await form.locator('textarea').all())
    await box.fill(
      'We open in March and need ten short films of the people who come to us by the sea, and of those who stay.',
    );
  for (const [type, text] of [
    ['text', 'Layla Haddad'],
    ['email', email],
    ['tel', '+966 50 123 4567'],
    ['url', 'https://example.com'],
  ] as const) {
    for (const field of await form.locator(`input[type="${type}"]:not([aria-hidden="true"] *)`).all())
      await field.fill(text);
  }
  const groups = await form
    .locator('input[type="radio"]')
    .evaluateAll((radios) => [...new Set(radios.map((radio) => (radio as HTMLInputElement).name))]);
  for (const name of groups) await form.locator(`input[name="${name}"]`).first().check();
}

describe('In the oldest browsers', () => {
  it(
    'a form with every kind of field can be sent',
    onPage(
      '/project-inquiry',
      async ({ page }) => {
        expect(await page.evaluate(() => 'toReversed' in Array.prototype)).to.equal(false);
        const email = ownAddress();
        const form = page.locator('form').first();
        await fill(form, email);
        await form.locator('button[type="submit"]').click();
        await until('the lead', async () => (await stack().leadsOf(email)).length === 1);
      },
      oldest,
    ),
  );

  it(
    'the portfolio can be requested',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        await page.getByRole('button', { name: 'View All Projects' }).click();
        await page.getByRole('dialog').locator('[type="email"]').fill(email);
        await page.getByRole('button', { name: 'Send Me the Portfolio' }).click();
        await until('the lead', async () => (await stack().leadsOf(email)).length === 1);
      },
      oldest,
    ),
  );

  it(
    'staff can sign in',
    onPage(
      '/admin/login',
      async ({ page }) => {
        await page.locator('[name="username"]').fill(staffAccount.username);
        await page.locator('[name="password"]').fill(staffAccount.password);
        await page.locator('form button[type="submit"]').click();
        await page.getByRole('heading', { level: 1, name: /Dashboard|Overview|Hello|Welcome/ }).waitFor();
        await page.reload();
        await page.getByRole('heading', { level: 1 }).waitFor();
      },
      { ...oldest, isUntouched: true },
    ),
  );
});
