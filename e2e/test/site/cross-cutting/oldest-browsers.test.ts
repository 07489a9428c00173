import { hold, untilInteractive, type VisitOptions } from '../../../src/browser/browser.ts';
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

const oldest: VisitOptions = { scripts: [takeAwayNewer] };

/** A form with the field that the visitor types into, while another program fills in the others. */
interface FilledForm {
  readonly what: string;
  readonly path: string;
  readonly touched: string;
  /** Opens the dialog with the form, if it is in one. */
  readonly open?: (page: Page) => Promise<unknown>;
}

/** The public forms that are part of a prerendered page. The four service pages share one. */
const prerendered: readonly FilledForm[] = [
  { what: 'the contact form', path: '/', touched: 'firstName' },
  { what: 'the job application', path: '/careers', touched: 'firstName' },
  { what: 'the project inquiry', path: '/project-inquiry', touched: 'name' },
  { what: 'the service inquiry', path: '/services/consulting', touched: 'name' },
  { what: 'the AI discovery request', path: '/kingrose', touched: 'name' },
];

const portfolioRequest: FilledForm = {
  what: 'the portfolio request',
  path: '/',
  touched: 'email',
  open: (page) => page.getByRole('button', { name: 'View All Projects' }).click(),
};

/** Sets the values of a form as some password managers do: past React, and without an event. */
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

/** Types into one field, has the others filled in, and sends the form. @param release - lets the page's code load */
async function send(page: Page, { touched, open }: FilledForm, release?: () => void): Promise<void> {
  const email = ownAddress();
  await open?.(page);
  // The page behind the dialog has a form as well.
  const form = (open ? page.getByRole('dialog') : page).locator(`form:has([name="${touched}"])`);
  await form.locator(`[name="${touched}"]`).fill(touched === 'email' ? email : 'Layla');
  await fillSilently(form, email);
  release?.();
  if (release) await untilInteractive(page);
  await form.locator('button[type="submit"]').click();
  await until('the lead', async () => (await stack().leadsOf(email)).length === 1);
}

describe('Filled in without events', () => {
  for (const form of prerendered) {
    it(
      `${form.what} can be sent`,
      onPage(form.path, ({ page }) => send(page, form)),
    );

    it(
      `${form.what} can be sent in the oldest browsers, also if its code had not loaded yet`,
      onPage(form.path, async ({ page }) => send(page, form, await hold(page, '/assets/*.js')), {
        ...oldest,
        ...untouched,
      }),
    );
  }

  it(
    'the portfolio request can be sent in the oldest browsers',
    onPage('/', ({ page }) => send(page, portfolioRequest), oldest),
  );

  it(
    'the sign-in can be sent in the oldest browsers',
    onPage(
      '/admin/login',
      async ({ page }) => {
        expect(await page.evaluate(() => 'toReversed' in Array.prototype)).to.equal(false);
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
