import { brand } from '@dune-tide/domain/brand';
import { pauseClock, takeTime, untilStep } from '../../src/browser/browser.ts';
import { onPage, ownAddress, stack, withPage } from '../../src/browser/browser-suite.ts';
import { describeFailures } from '../../src/browser/form-behaviour.ts';
import { expectOpen } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';

const api = '/api/portfolio-lead';
const wrongAddress = 'Please enter a valid email address';
const sentToast = 'Portfolio sent to your email. Check your inbox!';
const failedToast = 'Failed to send portfolio. Please try again.';

const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page) => dialog(page).getByRole('textbox');
const sendButton = (page: Page) => dialog(page).locator('button[type="submit"]');
const opener = (page: Page) => page.getByRole('button', { name: 'View All Projects' });
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });

async function open(page: Page): Promise<void> {
  await opener(page).click();
  await field(page).waitFor();
}

/** Returns the description of the field, as assistive technology reads it. */
async function fieldMessage(page: Page): Promise<string> {
  const described = (await field(page).getAttribute('aria-describedby')) ?? '';
  return (await page.locator(`[id="${described}"]`).textContent()) ?? '';
}

/** Holds the requests until the test releases them. */
async function holdRequests(page: Page): Promise<{ readonly held: Promise<Route>; readonly count: () => number }> {
  let count = 0;
  let take: (route: Route) => void;
  const held = new Promise<Route>((resolve) => (take = resolve));
  await page.route(`**${api}`, (route) => {
    count += 1;
    take(route);
  });
  return { held, count: () => count };
}

/** Returns the opacity of the dialog after its animation. */
async function settledOpacity(page: Page): Promise<number> {
  let last: number | undefined;
  return until('the dialog has finished fading', async () => {
    const now = await page.locator('.MuiDialog-container').evaluate(async (element) => {
      await Promise.allSettled(element.getAnimations().map(({ finished }) => finished));
      return Number(getComputedStyle(element).opacity);
    });
    const isStill = now === last;
    last = now;
    return isStill ? now : undefined;
  });
}

describe('The portfolio modal', () => {
  it(
    "focuses its field when it opens and shows the field's message until the value is valid",
    onPage('/', async ({ page }) => {
      const requests = await holdRequests(page);
      const isFocused = () => field(page).evaluate((input) => input === document.activeElement);
      expect(await dialog(page).count()).to.equal(0);
      await open(page);
      expect(await field(page).getAttribute('type')).to.equal('email');
      expect(await field(page).getAttribute('autocomplete')).to.equal('email');
      expect(await isFocused()).to.equal(true);
      expect(await dialog(page).getAttribute('aria-modal')).to.equal('true');

      await page.keyboard.press('Tab');
      expect(await isFocused()).to.equal(false);
      expect(await fieldMessage(page), 'the field was only passed with Tab').to.equal('');
      await field(page).fill('n');
      await field(page).fill('');
      await page.keyboard.press('Tab');
      await dialog(page).getByText(wrongAddress).waitFor();
      expect(await fieldMessage(page)).to.equal(wrongAddress);
      expect(await field(page).getAttribute('aria-invalid')).to.equal('true');
      for (const value of ['noura', 'noura@', 'noura@example', 'noura@example.com, thabo@example.com', ' ']) {
        await field(page).fill(value);
        await field(page).blur();
        expect(await fieldMessage(page), value).to.equal(wrongAddress);
      }

      for (const value of ['', 'noura@example']) {
        await field(page).fill(value);
        await sendButton(page).click();
        await dialog(page).getByText(wrongAddress).waitFor();
        expect(await fieldMessage(page)).to.equal(wrongAddress);
        expect(await isFocused()).to.equal(true);
      }
      expect(requests.count(), 'nothing is sent').to.equal(0);

      await field(page).fill('  noura@example.com ');
      await field(page).blur();
      expect(await fieldMessage(page)).to.equal('');
      expect(await field(page).getAttribute('aria-invalid')).to.equal('false');
    }),
  );

  it(
    'disables its button while it sends, and stays open if it is reopened after a success',
    onPage(
      '/',
      async ({ page }) => {
        const requests = await holdRequests(page);
        await open(page);
        const idleLabel = await sendButton(page).textContent();
        await field(page).fill(ownAddress());
        await field(page).press('Enter');
        const route = await requests.held;
        expect(await sendButton(page).isDisabled()).to.equal(true);
        expect(await sendButton(page).textContent())
          .to.equal('Sending...')
          .and.not.to.equal(idleLabel);
        await field(page).press('Enter');
        await route.fulfill({ status: 201, json: { id: 'any' } });
        await dialog(page).getByRole('heading', { name: 'Portfolio Sent!' }).waitFor();
        expect(requests.count(), 'a second Enter sends nothing').to.equal(1);

        await page.keyboard.press('Escape');
        await dialog(page).waitFor({ state: 'detached' });
        await open(page);
        expect(await field(page).inputValue()).to.equal('');
        // The timer of the closed success view must not close the reopened dialog.
        await page.clock.runFor(4_000);
        await expectOpen(page);
      },
      { hasOwnClock: true },
    ),
  );

  it(
    'shows Portfolio Sent! for 3 seconds, closes, and is empty when it is opened again',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        await open(page);
        await field(page).fill(email);
        await pauseClock(page);
        const responded = page.waitForResponse(`**${api}`);
        await sendButton(page).click();
        expect((await responded).status()).to.equal(201);
        const success = dialog(page).getByRole('heading', { name: 'Portfolio Sent!' });
        await untilStep(page, 'the success', () => success.isVisible());
        await untilStep(page, 'the toast', () => toasts(page).getByText(sentToast).isVisible());
        expect(await stack().leadsOf(email)).to.have.length(1);

        await page.clock.runFor(2_750);
        expect(await settledOpacity(page), 'before 3 seconds have passed').to.equal(1);
        const place = await toasts(page).getByText(sentToast).boundingBox();
        await page.clock.runFor(250);
        await page.clock.runFor(500);
        await dialog(page).waitFor({ state: 'detached' });
        expect(await toasts(page).getByText(sentToast).boundingBox(), 'the toast stays').to.deep.equal(place);
        expect(await opener(page).evaluate((button) => button === document.activeElement)).to.equal(true);

        await page.clock.resume();
        await open(page);
        expect(await field(page).inputValue()).to.equal('');
        expect(await fieldMessage(page)).to.equal('');
      },
      { hasOwnClock: true },
    ),
  );

  describe('closes', () => {
    const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
      'by a click on the backdrop': (page) => page.mouse.click(12, 400),
      'by its button': (page) => dialog(page).getByRole('button', { name: 'Close' }).click(),
      'by Escape': (page) => page.keyboard.press('Escape'),
      'by Back': async (page) => void (await page.goBack()),
    };

    it(
      'with the backdrop, its button, Escape or Back and returns the focus',
      onPage('/', async ({ page }) => {
        for (const [how, close] of Object.entries(ways)) {
          await open(page);
          expect(await field(page).inputValue()).to.equal('');
          await field(page).fill('noura@exam');
          await close(page);
          await dialog(page).waitFor({ state: 'detached' });
          expect(await opener(page).evaluate((button) => button === document.activeElement), how).to.equal(true);
        }
        await open(page);
        expect(await field(page).inputValue()).to.equal('');
      }),
    );

    it(
      'not on the second click of the double click that opened it',
      onPage('/', async ({ page }) => {
        // The code is loaded by then, so the first click opens the dialog.
        await open(page);
        await page.keyboard.press('Escape');
        await dialog(page).waitFor({ state: 'detached' });
        const { x, y } = (await opener(page).boundingBox()) ?? { x: 0, y: 0 };
        await page.mouse.click(x + 20, y + 20);
        await dialog(page).waitFor();
        await page.mouse.down({ clickCount: 2 });
        await page.mouse.up({ clickCount: 2 });
        await field(page).fill('noura@exam');
        expect(await settledOpacity(page)).to.equal(1);
      }),
    );

    it(
      'while it sends without cancelling the request, and the toast appears',
      onPage('/', async ({ page }) => {
        for (const [how, close] of Object.entries(ways)) {
          const requests = await holdRequests(page);
          const email = ownAddress();
          await open(page);
          await field(page).fill(email);
          await sendButton(page).click();
          const route = await requests.held;
          await close(page);
          await dialog(page).waitFor({ state: 'detached' });
          await route.continue();
          await toasts(page).getByText(sentToast).waitFor();
          expect(await dialog(page).count(), how).to.equal(0);
          expect(await stack().leadsOf(email), how).to.have.length(1);
          await toasts(page).getByRole('button', { name: 'Dismiss notification' }).click();
          await toasts(page).getByText(sentToast).waitFor({ state: 'detached' });
        }
      }),
    );
  });

  describe('that fails', () => {
    const visit = withPage('/', { failing: [api] });
    const email = ownAddress();
    const expectKept = async (): Promise<void> => {
      expect(await field(visit().page).inputValue()).to.equal(email);
      expect(await sendButton(visit().page).isEnabled()).to.equal(true);
    };

    before(async () => {
      await open(visit().page);
      await field(visit().page).fill(email);
    });

    const keys = describeFailures(api, failedToast, () => {
      const { page } = visit();
      return { page, sendButton: sendButton(page), toasts: toasts(page), expectKept };
    });

    it('without a network keeps all values', async () => {
      const { page, context } = visit();
      await context.setOffline(true);
      await sendButton(page).click();
      await toasts(page).getByText(failedToast).waitFor();
      await expectKept();
      await context.setOffline(false);
    });

    it('stores one lead on the next attempt, with the same key', async () => {
      const { page } = visit();
      await sendButton(page).click();
      await dialog(page).getByRole('heading', { name: 'Portfolio Sent!' }).waitFor();
      expect(keys[0]).to.be.a('string').and.to.have.length.above(20);
      expect(new Set(keys).size).to.equal(1);
      const leads = await stack().leadsOf(email);
      expect(leads.map(({ kind, idempotency_key }) => [kind, idempotency_key])).to.deep.equal([
        ['portfolio_request', keys[0]],
      ]);
    });
  });

  it(
    'delivers the portfolio PDF to the visitor and a notice to the staff',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      await open(page);
      await field(page).fill(`  ${email} `);
      await takeTime(page);
      await sendButton(page).click();
      await toasts(page).getByText(sentToast).waitFor();
      const [lead] = await stack().leadsOf(email);
      expect(lead?.answers).to.deep.equal({ email, source: 'portfolio_view' });

      const mail = await stack().mailTo(email);
      expect(mail.subject).to.equal(`The ${brand.name} portfolio you asked for`);
      expect(mail.envelope.to).to.deep.equal([email]);
      expect(mail.attachments).to.have.length(1);
      expect(mail.attachments[0]).to.include({ contentType: 'application/pdf' });
      expect(mail.attachments[0]?.filename).to.match(/\.pdf$/);
      const pdf = await stack().attachment(mail, 0);
      expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-');
      expect(pdf.length).to.be.above(10_000).and.below(1_000_000);

      const notice = await stack().noticeOf(lead?.id ?? 'none');
      expect(notice.subject).to.match(/^New portfolio request, /);
      expect(notice.text).not.to.contain(email);

      await page.goto(stack().inboxUrl);
      await page.getByRole('link', { name: new RegExp(email) }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(mail.subject);
      await page.frameLocator('iframe').getByRole('heading', { name: 'Our portfolio, for you to keep' }).waitFor();
      expect(await page.getByRole('list', { name: 'Attachments' }).innerText()).to.contain('.pdf');
    }),
  );
});
