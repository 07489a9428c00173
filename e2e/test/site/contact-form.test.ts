import { brand } from '@dune-tide/domain/brand';
import { formGuideTexts } from '@dune-tide/domain/content/form-guides';
import { routeOnce, takeTime } from '../../src/browser/browser.ts';
import { onPage, ownAddress, stack, withPage } from '../../src/browser/browser-suite.ts';
import { formOn } from '../../src/browser/form-page.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const api = '/api/contact';
const sentToast = "Your message has been sent successfully. We'll get back to you soon.";
const failedToast = 'Failed to send message. Please try again.';

/** The labels of the fields by field name. */
const labels = {
  firstName: /^First name/,
  lastName: /^Last name/,
  email: /^Email/,
  service: /^Service/,
  message: /^Message/,
} as const;
type Field = keyof typeof labels;
const names = Object.keys(labels) as Field[];

const open = (page: Page) => formOn(page, 'Contact', labels);

const example = (changes: Partial<Record<Field, string>> = {}): Record<Field, string> => ({
  firstName: 'Noura',
  lastName: 'al-Harbi',
  email: ownAddress(),
  service: 'mvp',
  message: 'We are launching a line of oud perfumes.',
  ...changes,
});

/** Returns the visible colours of a button's surface and label. */
const coloursOf = (page: Page): Promise<Record<'surface' | 'label', number[]>> =>
  open(page).sendButton.evaluate(async (button) => {
    await Promise.allSettled(button.getAnimations().map(({ finished }) => finished));
    const paper = document.createElement('canvas').getContext('2d');
    if (!paper) throw new Error('No canvas');
    const layers = [];
    for (let each: Element | null = button; each; each = each.parentElement) {
      layers.unshift(getComputedStyle(each).backgroundColor);
    }
    const seen = [];
    for (const colour of [...layers, getComputedStyle(button).color]) {
      paper.fillStyle = colour;
      paper.fillRect(0, 0, 1, 1);
      seen.push([...paper.getImageData(0, 0, 1, 1).data].slice(0, 3));
    }
    return { surface: seen.at(-2) ?? [], label: seen.at(-1) ?? [] };
  });

/** Calculates the contrast ratio of WCAG 2.2. */
function contrast(one: number[], other: number[]): number {
  const [dark = 0, light = 0] = [one, other]
    .map((colour) => {
      const [red = 0, green = 0, blue = 0] = colour.map((value) =>
        value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('The contact form', () => {
  it(
    'has a readable button that looks pending while it sends, in light and dark colours',
    onPage('/', async ({ page }) => {
      const schemes = ['light', 'dark'] as const;
      const inBoth = async () => {
        const colours = [];
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          colours.push(await coloursOf(page));
        }
        return colours;
      };
      await page.route(`**${api}`, () => undefined);
      await open(page).fill(example());
      await open(page).sendButton.hover();
      const pointedAt = await inBoth();
      await open(page).sendButton.click();
      await open(page).form.getByRole('button', { name: 'Sending...' }).waitFor();
      for (const [index, pending] of (await inBoth()).entries()) {
        expect(contrast(pending.label, pending.surface), schemes[index]).to.be.at.least(4.5);
        expect(
          contrast(pending.surface, pointedAt[index]?.surface ?? []),
          `${schemes[index]}: it differs from a button that can be pressed`,
        ).to.be.at.least(3);
      }
    }),
  );

  describe('on its way to the studio', () => {
    const visit = withPage('/');
    const values = example({
      firstName: ' نورة ',
      lastName: "O'Neill <b>",
      service: 'all',
      message: 'مرحبا 🌊 "Zoë" \u202bx\u202c <script>alert(1)</script>\n\n\'; DROP TABLE leads; --',
    });

    it('shows the first invalid field and its label below the navigation bar', async () => {
      const { page } = visit();
      await open(page).sendButton.click();
      await until('the label is below the navigation bar', async () => {
        const label = open(page).form.locator('label').first();
        const [bar, first] = [await page.locator('header').boundingBox(), await label.boundingBox()];
        return bar !== null && first !== null && first.y >= bar.y + bar.height;
      });
    });

    it('shows each text in its own direction', async () => {
      const { page } = visit();
      await open(page).fill(values);
      const directionOf = (name: Field) =>
        open(page)
          .field(name)
          .evaluate((element) => getComputedStyle(element).direction);
      expect(await Promise.all(names.map(directionOf))).to.deep.equal(['rtl', 'ltr', 'ltr', 'ltr', 'rtl']);
    });

    it('stores the trimmed text, emails an acknowledgement and notifies the staff', async () => {
      const { page } = visit();
      await takeTime(page);
      await open(page).sendButton.click();
      await open(page).toasts.getByText(sentToast).waitFor();

      const leads = await stack().leadsOf(values.email);
      expect(leads.map(({ kind, answers }) => ({ kind, answers }))).to.deep.equal([
        { kind: 'contact', answers: { ...values, firstName: 'نورة' } },
      ]);

      const thanks = await stack().mailTo(values.email);
      expect(thanks.subject).to.equal(`${brand.name} has received your message`);
      const words = await stack().textOf(thanks);
      expect(words).to.contain('get back to you soon').and.not.to.contain('نورة').and.not.to.contain('script');

      const notice = await stack().noticeOf(leads[0]?.id ?? 'none');
      expect(notice.subject).to.match(/^New contact message, /);
      expect(notice.text).not.to.contain(values.email);
    });

    it('repeats the guide below its button, which hides the other one on phones', async () => {
      const { page } = visit();
      const { form } = open(page);
      await form.getByText(formGuideTexts.received).waitFor();
      const guide = page.getByRole('heading', { name: formGuideTexts.heading, exact: true });
      expect(await guide.isVisible(), 'beside the form').to.equal(true);
      await page.setViewportSize({ width: 390, height: 844 });
      await until('the guide is not repeated below it', async () => !(await guide.isVisible()));
    });
  });

  it(
    'stores one lead and shows no message if it is sent by a double click',
    onPage('/', async ({ page }) => {
      const { fill, typed, toasts, form, sendButton } = open(page);
      const values = example();
      await fill(values);
      await sendButton.dblclick();
      await toasts.getByText(sentToast).waitFor();
      await until('an empty form', async () => (await typed()).email === '');
      expect(await stack().leadsOf(values.email)).to.have.length(1);
      expect(await form.locator('[aria-invalid="true"]').count()).to.equal(0);
    }),
  );

  it(
    'shows the messages of the API beside their fields, and can then be sent',
    onPage(
      '/',
      async ({ page }) => {
        const values = example();
        const { fill, put, stateOf, sendButton, toasts } = open(page);
        await routeOnce(page, `**${api}`, (route) =>
          // A page that is older than the rules sends this.
          route.continue({ postData: JSON.stringify({ ...values, email: 'noura@example', message: 'short' }) }),
        );
        await fill(values);
        await sendButton.click();
        await toasts.getByText(failedToast).waitFor();
        expect(await stateOf('email')).to.deep.equal({ message: 'Invalid email address', isInvalid: true });
        expect(await stateOf('message')).to.deep.equal({
          message: 'Message must be at least 10 characters',
          isInvalid: true,
        });
        await put('email', `new-${values.email}`);
        await put('message', `${values.message} And soon.`);
        await sendButton.click();
        await toasts.getByText(sentToast).waitFor();
        expect(await stack().leadsOf(`new-${values.email}`)).to.have.length(1);
        expect(await stack().leadsOf(values.email)).to.have.length(0);
      },
      { failing: [api] },
    ),
  );
});
