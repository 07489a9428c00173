import { honeypotField } from '@dune-tide/domain/spam';
import { onPage } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';

/** The size of a window of 1280 × 1024 at 400 % zoom. */
const zoomed = { width: 320, height: 256 };
const phoneOnItsSide = { width: 667, height: 375 };

interface Rectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const placeOf = (element: Locator): Promise<Rectangle> =>
  element.evaluate((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return { left, right, top, bottom };
  });

const sizes = [zoomed, phoneOnItsSide];
const nameOf = ({ width, height }: (typeof sizes)[number]) => `${width} × ${height}`;

describe('In a short window', () => {
  it(
    'the items of the mobile menu do not overlap and stay inside it',
    onPage(
      '/',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        const menu = page.getByRole('navigation', { name: 'Mobile' });
        for (const size of sizes) {
          await page.setViewportSize(size);
          const overlapping = await menu.getByRole('link').evaluateAll((links) => {
            const places = links.map((link) => {
              // Measure the words, not the line box.
              const words = document.createRange();
              words.selectNodeContents(link);
              return { name: link.textContent, ...words.getBoundingClientRect().toJSON() } as Rectangle & {
                name: string | null;
              };
            });
            return places.flatMap((one, index) =>
              places
                .slice(index + 1)
                .filter(
                  (other) =>
                    one.left < other.right + 8 &&
                    other.left < one.right + 8 &&
                    one.top < other.bottom &&
                    other.top < one.bottom,
                )
                .map((other) => [one.name, other.name]),
            );
          });
          expect(overlapping, nameOf(size)).to.deep.equal([]);
          const overflow = await menu.evaluate((element) => element.scrollWidth - element.clientWidth);
          expect(overflow, nameOf(size)).to.equal(0);
        }
      },
      zoomed,
    ),
  );

  it(
    'the portfolio modal fills the window, with title and close button visible',
    onPage(
      '/',
      async ({ page }) => {
        const dialog = page.getByRole('dialog');
        for (const size of sizes) {
          await page.setViewportSize(size);
          await page.getByRole('button', { name: 'View All Projects' }).click();
          const close = dialog.getByRole('button', { name: 'Close' });
          await dialog.getByRole('textbox').waitFor();
          const whole = { left: 0, right: size.width, top: 0, bottom: size.height };
          expect(await placeOf(dialog)).to.deep.equal(whole);
          expect((await placeOf(dialog.getByRole('heading'))).top).to.be.above(0);
          expect(await dialog.evaluate((each) => each.contains(document.activeElement))).to.equal(true);

          const inView = async () => {
            const { top, bottom } = await placeOf(close);
            return top >= 0 && bottom <= size.height;
          };
          expect(await inView(), nameOf(size)).to.equal(true);
          await dialog.evaluate((each) => each.scrollTo(0, each.scrollHeight));
          expect(await inView(), `${nameOf(size)}, at the end`).to.equal(size !== zoomed);
          await close.click();
          await dialog.waitFor({ state: 'detached' });
        }
      },
      zoomed,
    ),
  );

  for (const [size, path, first] of [
    [zoomed, '/services/ugc-creatives', 'name'],
    [zoomed, '/careers', 'coverLetter'],
    [phoneOnItsSide, '/services/ugc-creatives', 'projectDetails'],
  ] as const) {
    it(
      `of ${nameOf(size)} the invalid field ${first} of ${path} is visible with its message`,
      onPage(
        path,
        async ({ page }) => {
          const form = page.locator('form');
          const field = form.locator(`[name="${first}"]`);
          for (const earlier of await fieldsBefore(form, first)) await fillIn(form.locator(`[name="${earlier}"]`));
          await form.locator('[type="submit"]').click();
          await until('the field has the focus', () => field.evaluate((each) => each === document.activeElement));
          const described = (await field.getAttribute('aria-describedby')) ?? '';
          const message = page.locator(`[id="${described.split(' ').at(-1)}"]`);
          await until('both in view', async () => {
            const [bar, input, words] = await Promise.all([page.locator('header'), field, message].map(placeOf));
            if (!bar || !input || !words) return false;
            return input.top >= bar.bottom && words.bottom < size.height + 1 && words.bottom > words.top;
          });
          expect(await message.textContent()).not.to.equal('');
        },
        size,
      ),
    );
  }

  it(
    "only the site's bar stays visible on a service page, and nothing at 400 % zoom",
    onPage(
      '/services/ugc-creatives',
      async ({ page }) => {
        const wayBack = page.getByRole('link', { name: 'Back to Home' });
        for (const size of sizes) {
          await page.setViewportSize(size);
          await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
          await until('the link is in view', async () => (await placeOf(wayBack)).top < size.height);
          await page.evaluate(() => window.scrollTo({ top: 1000, behavior: 'instant' }));
          await until('the link is out of view', async () => (await placeOf(wayBack)).bottom < 0);
          expect((await placeOf(page.locator('header'))).top).to.equal(size === zoomed ? -1000 : 0);
        }
      },
      zoomed,
    ),
  );
});

/** Returns the names of the fields before one in its form. */
async function fieldsBefore(form: Locator, name: string): Promise<readonly string[]> {
  const names = await form
    .locator('input:visible, select, textarea')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).name));
  return names.slice(0, names.indexOf(name)).filter((each) => each !== honeypotField);
}

/** Fills in a valid value. */
async function fillIn(field: Locator): Promise<void> {
  const sort = await field.evaluate((each) => (each instanceof HTMLInputElement ? each.type : each.tagName));
  if (sort === 'SELECT') await field.selectOption({ index: 1 });
  else
    await field.fill(({ email: 'noura@example.com', url: '' } as Record<string, string>)[sort] ?? '+966 11 555 0134');
}
