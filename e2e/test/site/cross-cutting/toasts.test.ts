import { endRoutes, hold } from '../../../src/browser/browser.ts';
import { onPage, withPage } from '../../../src/browser/browser-suite.ts';
import { expectWithinWindow } from '../../../src/browser/toasts.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

const api = '/api/contact';
const otherApi = '/api/portfolio-lead';
const success = "Your message has been sent successfully. We'll get back to you soon.";
const failure = 'Failed to send message. Please try again.';
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

/** Makes the page show a toast while its clock is stopped, and advances the clock until the toast is visible. */
async function showAtStoppedClock(page: Page, text: typeof success | typeof failure): Promise<void> {
  await show(page, text);
  for (let step = 0; step < 200; step++) {
    if (await toast(page, text).isVisible()) return;
    await page.clock.runFor(10);
  }
  throw new Error(`No toast "${text}"`);
}

/** Advances the stopped clock until the toast has closed with its animation. */
async function moveOnUntilGone(page: Page, text: string): Promise<void> {
  for (let step = 0; step < 20; step++) {
    if ((await toast(page, text).count()) === 0) return;
    await page.clock.runFor(50);
  }
  throw new Error(`Still visible: "${text}"`);
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

/** Returns the visible opacity of a toast, including its containers. */
const opacityOf = (page: Page, text: string): Promise<number> =>
  toast(page, text).evaluate((element) => {
    let opacity = 1;
    for (let each: Element | null = element; each; each = each.parentElement) {
      opacity *= Number(getComputedStyle(each).opacity);
    }
    return opacity;
  });

async function swipe(page: Page, text: string, pixels: number): Promise<void> {
  const box = await settledBox(page, text);
  const x = Math.round(box.x + box.width / 2);
  const y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const part of [0.25, 0.5, 0.75, 1]) await page.mouse.move(x + pixels * part, y);
  await page.mouse.up();
}

describe('A toast', () => {
  it(
    'is announced without moving the focus; a failure has the title Error',
    onPage(
      '/',
      async ({ page }) => {
        expect(await region(page).locator('[aria-live]').getAttribute('aria-live')).to.equal('polite');
        await show(page, failure);
        await toast(page, failure).waitFor();
        expect(await region(page).locator('[aria-live]').innerText()).to.match(/^Error\s+Failed to send message/);
        expect(await page.evaluate(() => document.activeElement?.closest('section[aria-label^="Notif"]'))).to.equal(
          null,
        );
      },
      meantToFail,
    ),
  );

  it(
    'replaces the previous toast, so that only one is visible',
    onPage(
      '/',
      async ({ page }) => {
        const untilOne = () => until('one toast', async () => (await region(page).getByRole('button').count()) === 1);
        await show(page, failure);
        await toast(page, failure).waitFor();
        await show(page, success);
        await toast(page, success).waitFor();
        expect(await toast(page, 'Error').count()).to.equal(0);
        await untilOne();
        await show(page, failure);
        await toast(page, failure).waitFor();
        await untilOne();
        expect(await toast(page, failure).isVisible()).to.equal(true);
      },
      meantToFail,
    ),
  );

  it(
    'about a failure closes on the next attempt of the same form, but not of another form',
    onPage(
      '/',
      async ({ page }) => {
        await show(page, failure);
        await toast(page, failure).hover();
        await page.getByRole('button', { name: 'View All Projects' }).press('Enter');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('textbox').fill('noura@example.com');
        const sendOther = await hold(page, otherApi);
        await dialog.locator('button[type="submit"]').click();
        await dialog.getByText('Sending...').waitFor();
        await toast(page, failure).waitFor();
        sendOther();
        await dialog.getByText('Portfolio Sent!').waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });

        await show(page, failure);
        await toast(page, failure).hover();
        const send = await hold(page, api);
        await form(page).locator('button[type="submit"]').click();
        await form(page).getByText('Sending...').waitFor();
        await toast(page, failure).waitFor({ state: 'detached' });
        send();
        await toast(page, failure).waitFor();
      },
      meantToFail,
    ),
  );

  describe('at a stopped clock', () => {
    const visit = withPage('/', { failing: [api], hasOwnClock: true });
    const message = () => form(visit().page).getByLabel(/^Message/);

    const expectItStays = async (time: number): Promise<void> => {
      const { page } = visit();
      await page.clock.runFor(time);
      await page.clock.runFor(500);
      expect(await toast(page, failure).isVisible()).to.equal(true);
      expect(await opacityOf(page, failure)).to.equal(1);
    };

    before(() => visit().page.clock.pauseAt(Date.now() + 60_000));

    it('stays for 5,000 ms', async () => {
      const { page } = visit();
      await showAtStoppedClock(page, failure);
      await page.clock.runFor(4_000);
      const { x, y } = await settledBox(page, failure);
      await page.clock.runFor(900);
      expect(await settledBox(page, failure), 'in place before 5 seconds have passed').to.include({ x, y });
      await page.clock.runFor(100);
      await until('the toast closes', async () => {
        const box = await toast(page, failure).boundingBox();
        return box?.x !== x || box.y !== y || (await opacityOf(page, failure)) < 1;
      });
      await moveOnUntilGone(page, failure);
    });

    it('is dismissed by a swipe of more than 50 px to the right, but not by less or to the left', async () => {
      const { page } = visit();
      await showAtStoppedClock(page, failure);
      await page.clock.runFor(600);
      const place = await settledBox(page, failure);
      for (const pixels of [50, 20, -51, -200]) {
        await swipe(page, failure, pixels);
        await page.clock.runFor(300);
        expect((await settledBox(page, failure)).x, `back in its place after ${pixels} px`).to.be.closeTo(place.x, 1);
      }
      await swipe(page, failure, 51);
      await moveOnUntilGone(page, failure);
    });

    it('stays for its full time after a dismissed toast, which does not reappear', async () => {
      const { page } = visit();
      await showAtStoppedClock(page, success);
      await page.clock.runFor(4_500);
      expect(await toast(page, success).isVisible()).to.equal(true);
      expect(await toast(page, failure).count()).to.equal(0);
      await page.clock.runFor(500);
      await moveOnUntilGone(page, success);
      await page.clock.fastForward(1_000_000);
      expect(await region(page).innerText()).to.equal('');
    });

    it('stays while its region or its button has the focus', async () => {
      const { page } = visit();
      await showAtStoppedClock(page, failure);
      await message().focus();
      await page.keyboard.press('F8');
      await expectItStays(20_000);
      expect(await isFocused(region(page))).to.equal(true);
      await page.keyboard.press('Tab');
      await expectItStays(20_000);
      expect(await isFocused(region(page).getByRole('button'))).to.equal(true);
    });

    it('stays while the visitor is in another window, and then for its full time', async () => {
      const { page } = visit();
      await message().focus();
      await expectItStays(4_000);
      await page.evaluate(() => window.dispatchEvent(new Event('blur')));
      await expectItStays(20_000);
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await expectItStays(4_000);
      await page.clock.runFor(500);
      await moveOnUntilGone(page, failure);
      expect(await isFocused(message())).to.equal(true);
    });

    it('must be visible for F8 to move the focus', async () => {
      await visit().page.keyboard.press('F8');
      expect(await isFocused(message())).to.equal(true);
    });

    it('returns the focus after it is swiped away', async () => {
      const { page } = visit();
      await showAtStoppedClock(page, failure);
      await page.clock.runFor(600);
      await message().focus();
      await swipe(page, failure, 20);
      expect(await isFocused(message()), 'a press does not move the focus').to.equal(true);
      await page.keyboard.press('F8');
      await swipe(page, failure, 51);
      await moveOnUntilGone(page, failure);
      expect(await isFocused(message())).to.equal(true);
    });

    it('stays for its full time after a swipe', async () => {
      const { page } = visit();
      await showAtStoppedClock(page, success);
      await page.mouse.move(5, 5);
      await page.clock.runFor(5_000);
      await moveOnUntilGone(page, success);
    });

    it('that appears while the visitor is in another window stays until they return', async () => {
      const { page } = visit();
      // A headless window never loses the focus by itself.
      await page.evaluate('document.hasFocus = () => false');
      await showAtStoppedClock(page, failure);
      await expectItStays(20_000);
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await expectItStays(4_000);
      await page.clock.runFor(500);
      await moveOnUntilGone(page, failure);
    });
  });

  for (const width of [390, 360]) {
    it(
      `is at the edge of a window of ${width} px and does not cover the pressed button`,
      onPage(
        '/',
        async ({ page }) => {
          await show(page, failure);
          await settledBox(page, failure);
          await expectWithinWindow(page);
          const [card, button] = [region(page).locator('[data-tone]'), form(page).locator('button[type="submit"]')];
          const [{ x, y, width: across, height }, pressed] = [await boxOf(card), await boxOf(button)];
          expect([x, x + across]).to.deep.equal([20, width - 20]);
          expect(pressed.y).to.be.above(y + height);
        },
        { ...meantToFail, width, height: 844 },
      ),
    );
  }

  for (const size of [
    { width: 1280, height: 720 },
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    it(
      `at ${size.width} × ${size.height} covers neither the button nor the result message below it`,
      onPage(
        '/',
        async ({ page }) => {
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
          }
        },
        { ...meantToFail, ...size },
      ),
    );
  }

  it(
    'follows a finger and is dismissed by a swipe',
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
    'closes with its button, reached by F8 and Tab, and returns the focus',
    onPage(
      '/',
      async ({ page }) => {
        await show(page, failure);
        await toast(page, failure).hover();
        const message = form(page).getByLabel(/^Message/);
        await message.focus();
        await page.keyboard.press('F8');
        expect(await isFocused(region(page))).to.equal(true);
        await page.keyboard.press('Tab');
        const close = region(page).getByRole('button', { name: 'Dismiss notification' });
        expect(await isFocused(close)).to.equal(true);
        await page.keyboard.press('Enter');
        expect(await isFocused(message)).to.equal(true);
        await toast(page, failure).waitFor({ state: 'detached' });
        expect(await isFocused(message)).to.equal(true);
      },
      meantToFail,
    ),
  );

  it(
    'closes with Escape above an open modal, which stays open',
    onPage(
      '/',
      async ({ page }) => {
        await page.route(`**${otherApi}`, (route) => route.fulfill({ status: 500, json: {} }));
        await page.getByRole('button', { name: 'View All Projects' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('textbox').fill('noura@example.com');
        await dialog.locator('button[type="submit"]').click();
        const text = 'Failed to send portfolio. Please try again.';
        await toast(page, text).hover();
        await page.keyboard.press('F8');
        await page.keyboard.press('Escape');
        await toast(page, text).waitFor({ state: 'detached' });
        expect(await dialog.isVisible(), 'the modal stays').to.equal(true);
      },
      { failing: [otherApi] },
    ),
  );

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
          await page.route(`**${otherApi}`, (route) => route.fulfill({ status: 500, json: {} }));
          await page.getByRole('button', { name: 'View All Projects' }).press('Enter');
          const dialog = page.getByRole('dialog');
          await dialog.getByRole('textbox').fill('noura@example.com');
          await dialog.locator('button[type="submit"]').click();
          const text = 'Failed to send portfolio. Please try again.';
          expect(await placeOf(text), 'over the modal').to.deep.equal(place);
          await toast(page, text).hover();
          await dialog.getByRole('button', { name: 'Close' }).press('Enter');
          await dialog.waitFor({ state: 'detached' });
          expect(await placeOf(text), 'after the modal').to.deep.equal(place);
        },
        { failing: [api, otherApi], width, height },
      ),
    );
  }

  it(
    'closes with Escape without closing the menu under it',
    onPage(
      '/',
      async ({ page }) => {
        await show(page, failure);
        await toast(page, failure).hover();
        const menu = page.getByRole('button', { name: 'Close menu' });
        // The toast covers it.
        await page.getByRole('button', { name: 'Open menu' }).press('Enter');
        await menu.waitFor();
        await page.keyboard.press('F8');
        expect(await isFocused(region(page))).to.equal(true);
        await page.keyboard.press('Escape');
        await toast(page, failure).waitFor({ state: 'detached' });
        expect(await menu.isVisible(), 'the menu stays').to.equal(true);
        await page.keyboard.press('Escape');
        await menu.waitFor({ state: 'detached' });
      },
      { ...meantToFail, width: 390, height: 844 },
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

  it(
    'has a focus ring while its region has the focus after F8',
    onPage(
      '/',
      async ({ page }) => {
        await show(page, failure);
        await cardOn(page).waitFor();
        expect(await edgeOf(cardOn(page))).to.equal('none');
        await page.keyboard.press('F8');
        expect(await edgeOf(cardOn(page))).to.equal('solid');
        await page.keyboard.press('Tab');
        expect(await edgeOf(cardOn(page)), 'only its button has the focus').to.equal('none');
        expect(await edgeOf(region(page).getByRole('button'))).to.equal('solid');
      },
      meantToFail,
    ),
  );
});
