import { brand } from '@dune-tide/domain/brand';
import { pauseClock, takeTime, untilStep } from '../../src/browser/browser.ts';
import { onPage, ownAddress, stack } from '../../src/browser/browser-suite.ts';
import { expectOpen } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const api = '/api/portfolio-lead';
const sentToast = 'Portfolio sent to your email. Check your inbox!';

const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page) => dialog(page).getByRole('textbox');
const sendButton = (page: Page) => dialog(page).locator('button[type="submit"]');
const opener = (page: Page) => page.getByRole('button', { name: 'View All Projects' });
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });

async function open(page: Page): Promise<void> {
  await opener(page).click();
  await field(page).waitFor();
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
    'shows its success for 3 seconds and closes, unless it was closed and opened again before',
    onPage(
      '/',
      async ({ page }) => {
        const send = async () => {
          const email = ownAddress();
          await field(page).fill(email);
          const responded = page.waitForResponse(`**${api}`);
          await sendButton(page).click();
          expect((await responded).status()).to.equal(201);
          const success = dialog(page).getByRole('heading', { name: 'Portfolio Sent!' });
          await untilStep(page, 'the success', () => success.isVisible());
          await untilStep(page, 'the toast', () => toasts(page).getByText(sentToast).isVisible());
          expect(await stack().leadsOf(email)).to.have.length(1);
        };
        await open(page);
        await pauseClock(page);
        await send();
        await page.keyboard.press('Escape');
        await page.clock.runFor(500);
        await dialog(page).waitFor({ state: 'detached' });
        await open(page);
        expect(await field(page).inputValue()).to.equal('');
        // The timer of the closed success view must not close the reopened dialog.
        await page.clock.runFor(10_000);
        await expectOpen(page);

        await send();
        await page.clock.runFor(2_750);
        expect(await settledOpacity(page), 'before 3 seconds have passed').to.equal(1);
        const place = await toasts(page).getByText(sentToast).boundingBox();
        await page.clock.runFor(250);
        await page.clock.runFor(500);
        await dialog(page).waitFor({ state: 'detached' });
        expect(await toasts(page).getByText(sentToast).boundingBox(), 'the toast stays').to.deep.equal(place);
        expect(await opener(page).evaluate((button) => button === document.activeElement)).to.equal(true);
      },
      { hasOwnClock: true },
    ),
  );

  it(
    'closes with the backdrop, its button, Escape or Back and returns the focus',
    onPage('/', async ({ page }) => {
      const ways: Readonly<Record<string, () => Promise<unknown>>> = {
        'by a click on the backdrop': () => page.mouse.click(12, 400),
        'by its button': () => dialog(page).getByRole('button', { name: 'Close' }).click(),
        'by Escape': () => page.keyboard.press('Escape'),
        'by Back': () => page.goBack(),
      };
      for (const [how, close] of Object.entries(ways)) {
        await open(page);
        expect(await field(page).evaluate((input) => input === document.activeElement)).to.equal(true);
        expect(await field(page).inputValue()).to.equal('');
        await field(page).fill('noura@exam');
        await close();
        await dialog(page).waitFor({ state: 'detached' });
        expect(await opener(page).evaluate((button) => button === document.activeElement), how).to.equal(true);
      }
    }),
  );

  it(
    'does not close on the second click of the double click that opened it',
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
