import { hold, untilInteractive } from '../../../src/browser/browser.ts';
import { onPage, ownAddress, stack, untouched } from '../../../src/browser/browser-suite.ts';
import { staffAccount } from '../../../src/browser/browser-stack.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

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

/** Fills in the fields of a form as some password managers do: past React, and without an event. */
const fillSilently = (form: Locator, email: string): Promise<void> =>
  form.evaluate((element, address) => {
    const texts: Readonly<Record<string, string>> = {
      textarea:
        'We open in March and need ten short films of the people who come to us by the sea, and of those who stay.',
      text: 'Layla Haddad',
      email: address,
      tel: '+966 50 123 4567',
      url: 'https://example.com',
    };
    for (const field of element.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]')) {
      if (field.closest('[aria-hidden="true"]')) continue;
      const [property, value] =
        field.type === 'radio'
          ? ['checked', true]
          : ['value', field instanceof HTMLSelectElement ? field.options[1]?.value : texts[field.type]];
      Reflect.set(Object.getPrototypeOf(field), property, value, field);
    }
  }, email);

/** Types into one field of the inquiry; another program fills in the others. */
async function sendInquiry(page: Page, release?: () => void): Promise<void> {
  const email = ownAddress();
  const form = page.locator('form').first();
  await form.locator('[name="name"]').fill('Layla Haddad');
  await fillSilently(form, email);
  release?.();
  if (release) await untilInteractive(page);
  await form.locator('button[type="submit"]').click();
  await until('the lead', async () => (await stack().leadsOf(email)).length === 1);
}

describe('In the oldest browsers', () => {
  it(
    'a form with every kind of field that was filled in without events can be sent',
    onPage(
      '/project-inquiry',
      async ({ page }) => {
        expect(await page.evaluate(() => 'toReversed' in Array.prototype)).to.equal(false);
        await sendInquiry(page);
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
    'staff can sign in with a password that was filled in without an event',
    onPage(
      '/admin/login',
      async ({ page }) => {
        await page.locator('[name="username"]').fill(staffAccount.username);
        await page
          .locator('[name="password"]')
          .evaluate(
            (field, password) => Reflect.set(HTMLInputElement.prototype, 'value', password, field),
            staffAccount.password,
          );
        await page.locator('form button[type="submit"]').click();
        await page.getByRole('heading', { level: 1, name: /Dashboard|Overview|Hello|Welcome/ }).waitFor();
        await page.reload();
        await page.getByRole('heading', { level: 1 }).waitFor();
      },
      { ...oldest, isUntouched: true },
    ),
  );
});

describe('A form that was filled in without events', () => {
  it(
    'before its code had loaded can be sent',
    onPage('/project-inquiry', async ({ page }) => sendInquiry(page, await hold(page, '/assets/*.js')), untouched),
  );
});
