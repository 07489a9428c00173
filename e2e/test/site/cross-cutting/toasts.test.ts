import { endRoutes } from '../../../src/browser/browser.ts';
import { onPage, withPage } from '../../../src/browser/browser-suite.ts';
import { expectWithinWindow } from '../../../src/browser/toasts.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

const api = '/api/contact';
const otherApi = '/api/portfolio-lead';
const success = "Your message has been sent successfully. We'll get back to you soon.";
const failure = 'Failed to send message. Please try again.';
const otherFailure = 'Failed to send portfolio. Please try again.';
const meantToFail = { failing: [api] };

const region = (page: Page) => page.getByRole('region', { name: /Notifications/ });
const toast = (page: Page, text: string) => region(page).getByText(text, { exact: true });
const cardOn = (page: Page) => region(page).locator('[data-tone]');
const edgeOf = (element: Locator) => element.evaluate((each) => getComputedStyle(each).outlineStyle);
const form = (page: Page) => page.getByRole('form', { name: 'Contact' });
const isFocused = (place: Locator) => place.evaluate((element) => element === document.activeElement);

/** Makes the page show a toast by sending the form, which succeeds or fails. */
async function show(page: Page, text: typeof success | typeof failure): Promise<void> {
  await endRoutes(page, `**${api}`);
  await page.route(`**${api}`, (route) =>
    text === success ? route.fulfill({ status: 201, json: { id: 'any' } }) : route.fulfill({ status: 500, json: {} }),
  );
  await form(page)
    .getByLabel(/^First name/)
    .fill('Noura');
  await form(page)
    .getByLabel(/^Last name/)
    .fill('al-Harbi');
  await form(page)
    .getByLabel(/^Email/)
    .fill('noura@example.com');
  await form(page)
    .getByLabel(/^Service/)
    .selectOption('ugc');
  await form(page)
    .getByLabel(/^Message/)
    .fill('We are launching a line of perfumes.');
  await form(page).locator('button[type="submit"]').click();
}

/** Returns the position of the toast after its animation. */
async function settledBox(page: Page, text: string): Promise<{ x: number; y: number; width: number; height: number }> {
  await toast(page, text).waitFor();
  await region(page).evaluate((element) =>
    Promise.allSettled(element.getAnimations({ subtree: true }).map(({ finished }) => finished)),
  );
  let last = '';
  const box = await until('the toast has stopped moving', async () => {
    const now = await toast(page, text).boundingBox();
    const isStill = now !== null && JSON.stringify(now) === last;
    last = JSON.stringify(now);
    return isStill ? now : undefined;
  });
  return box;
}

async function boxOf(part: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await part.boundingBox();
  return box ?? expect.fail('the toast is not on the page');
}

async function swipe(page: Page, text: string, pixels: number): Promise<void> {
  const box = await settledBox(page, text);
  const x = Math.round(box.x + box.width / 2);
  const y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const part of [0.25, 0.5, 0.75, 1]) await page.mouse.move(x + pixels * part, y);
  await page.mouse.up();
}

async function sendPortfolioRequest(page: Page): Promise<void> {
  await page.route(`**${otherApi}`, (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole('button', { name: 'View All Projects' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('noura@example.com');
  await dialog.locator('button[type="submit"]').click();
}

describe('A toast', () => {
  describe('in each window', () => {
    const visit = withPage('/', meantToFail);

    for (const size of [
      { width: 1280, height: 720 },
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
      { width: 360, height: 844 },
    ]) {
      it(`covers neither the button nor the result message below it: ${size.width} × ${size.height}`, async () => {
        const { page } = visit();
        await page.setViewportSize(size);
        for (const text of [failure, success] as const) {
          await show(page, text);
          await toast(page, text).waitFor();
          const note = await boxOf(form(page).getByText(text, { exact: true }));
          const button = await boxOf(form(page).locator('button[type="submit"]'));
          await settledBox(page, text);
          const card = await boxOf(cardOn(page));
          expect(note.y, 'below the button').to.be.at.least(button.y + button.height);
          expect(note.y + note.height, 'in view').to.be.at.most(size.height);
          for (const part of [note, button]) {
            const isClear =
              part.x + part.width <= card.x || part.y + part.height <= card.y || part.y >= card.y + card.height;
            expect(isClear, `${JSON.stringify(part)} beside ${JSON.stringify(card)}`).to.equal(true);
          }
          await expectWithinWindow(page);
          if (size.width < 600) expect([card.x, card.x + card.width]).to.deep.equal([20, size.width - 20]);
        }
      });
    }
  });

  for (const { width, height, corner } of [
    { width: 1440, height: 900, corner: 'lower right' },
    { width: 390, height: 844, corner: 'upper' },
  ]) {
    it(
      `of a form, of the modal and of the page after it is in the ${corner} corner at ${width} × ${height}`,
      onPage(
        '/',
        async ({ page }) => {
          const placeOf = async (text: string) => {
            await settledBox(page, text);
            const { x, y, width: across, height: down } = await boxOf(cardOn(page));
            return { right: width - x - across, edge: corner === 'upper' ? y : height - y - down };
          };
          await show(page, failure);
          const place = await placeOf(failure);
          expect(place.right).to.equal(20);
          await sendPortfolioRequest(page);
          expect(await placeOf(otherFailure), 'over the modal').to.deep.equal(place);
          await toast(page, otherFailure).hover();
          const dialog = page.getByRole('dialog');
          await dialog.getByRole('button', { name: 'Close' }).press('Enter');
          await dialog.waitFor({ state: 'detached' });
          expect(await placeOf(otherFailure), 'after the modal').to.deep.equal(place);
        },
        { failing: [api, otherApi], width, height },
      ),
    );
  }

  it(
    'closes by a swipe of more than 50 px to the right, not by any other, and returns the focus',
    onPage(
      '/',
      async ({ page }) => {
        const message = form(page).getByLabel(/^Message/);
        await show(page, failure);
        const place = await settledBox(page, failure);
        for (const pixels of [50, 20, -51, -200]) {
          await swipe(page, failure, pixels);
          expect((await settledBox(page, failure)).x, `back in its place after ${pixels} px`).to.be.closeTo(place.x, 1);
        }
        await message.focus();
        await swipe(page, failure, 20);
        expect(await isFocused(message), 'a press does not move the focus').to.equal(true);
        await page.keyboard.press('F8');
        await swipe(page, failure, 51);
        await toast(page, failure).waitFor({ state: 'detached' });
        expect(await isFocused(message)).to.equal(true);
      },
      meantToFail,
    ),
  );

  it(
    'follows a finger and closes by a swipe',
    onPage(
      '/',
      async ({ page, context }) => {
        await show(page, failure);
        const box = await settledBox(page, failure);
        const touch = await context.newCDPSession(page);
        const y = box.y + box.height / 2;
        const at = (x: number) => [{ x, y }];
        await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(box.x + 20) });
        for (const moved of [20, 60, 100]) {
          await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(box.x + 20 + moved) });
        }
        await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
        await toast(page, failure).waitFor({ state: 'detached' });
      },
      { ...meantToFail, width: 390, height: 844 },
    ),
  );

  it(
    'shows that its region or its button has the focus after F8 and Tab, and returns it when it closes',
    onPage(
      '/',
      async ({ page }) => {
        await show(page, failure);
        await toast(page, failure).hover();
        expect(await edgeOf(cardOn(page))).to.equal('none');
        const message = form(page).getByLabel(/^Message/);
        await message.focus();
        await page.keyboard.press('F8');
        expect(await isFocused(region(page))).to.equal(true);
        expect(await edgeOf(cardOn(page))).to.equal('solid');
        await page.keyboard.press('Tab');
        const close = region(page).getByRole('button', { name: 'Dismiss notification' });
        expect(await isFocused(close)).to.equal(true);
        expect(await edgeOf(cardOn(page)), 'only its button has the focus').to.equal('none');
        expect(await edgeOf(close)).to.equal('solid');
        await page.keyboard.press('Enter');
        expect(await isFocused(message)).to.equal(true);
        await toast(page, failure).waitFor({ state: 'detached' });
        expect(await isFocused(message)).to.equal(true);
      },
      meantToFail,
    ),
  );

  it(
    'closes with Escape without closing the menu or the modal under it',
    onPage(
      '/',
      async ({ page }) => {
        const closeToast = async (text: string) => {
          await toast(page, text).hover();
          await page.keyboard.press('F8');
          expect(await isFocused(region(page))).to.equal(true);
          await page.keyboard.press('Escape');
          await toast(page, text).waitFor({ state: 'detached' });
        };
        await show(page, failure);
        await toast(page, failure).hover();
        const menu = page.getByRole('button', { name: 'Close menu' });
        // The toast covers it.
        await page.getByRole('button', { name: 'Open menu' }).press('Enter');
        await menu.waitFor();
        await closeToast(failure);
        expect(await menu.isVisible(), 'the menu stays').to.equal(true);
        await page.keyboard.press('Escape');
        await menu.waitFor({ state: 'detached' });

        await sendPortfolioRequest(page);
        await closeToast(otherFailure);
        expect(await page.getByRole('dialog').isVisible(), 'the modal stays').to.equal(true);
      },
      { failing: [api, otherApi], width: 390, height: 844 },
    ),
  );

  it(
    'has a border in forced colours, as the modal has',
    onPage(
      '/',
      async ({ page }) => {
        await page.emulateMedia({ forcedColors: 'active' });
        await show(page, failure);
        await cardOn(page).waitFor();
        expect(await edgeOf(cardOn(page))).to.equal('solid');
        await page.getByRole('button', { name: 'View All Projects' }).click();
        expect(await edgeOf(page.getByRole('dialog'))).to.equal('solid');
      },
      meantToFail,
    ),
  );
});
