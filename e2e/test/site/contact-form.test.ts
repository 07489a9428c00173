import { brand } from '@dune-tide/domain/brand';
import { maxLength } from '@dune-tide/domain/limits';
import { takeTime } from '../../src/browser/browser.ts';
import { onPage, ownAddress, stack, untouched } from '../../src/browser/browser-suite.ts';
import { describeFormBehaviour } from '../../src/browser/form-behaviour.ts';
import { fine, formOn } from '../../src/browser/form-page.ts';
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
  for (const colorScheme of ['light', 'dark'] as const) {
    it(
      `has a readable button that looks pending while it sends, in ${colorScheme} colours`,
      onPage(
        '/',
        async ({ page }) => {
          await page.route(`**${api}`, () => undefined);
          await open(page).fill(example());
          await open(page).sendButton.hover();
          const pointedAt = await coloursOf(page);
          await open(page).sendButton.click();
          await open(page).form.getByRole('button', { name: 'Sending...' }).waitFor();
          const pending = await coloursOf(page);
          expect(contrast(pending.label, pending.surface)).to.be.at.least(4.5);
          expect(
            contrast(pending.surface, pointedAt.surface),
            'it differs from a button that can be pressed',
          ).to.be.at.least(3);
        },
        { colorScheme },
      ),
    );
  }

  it(
    'has its labelled fields, all required, and the expected services',
    onPage(
      '/',
      async ({ page }) => {
        const { field, optionsOf } = open(page);
        for (const name of names) {
          expect(await field(name).count(), name).to.equal(1);
          expect(await field(name).getAttribute('required'), name).not.to.equal(null);
        }
        expect(await optionsOf('service')).to.deep.equal([
          ['ugc', 'UGC Brand Creatives'],
          ['mvp', 'MVP Development'],
          ['leadgen', 'Lead Generation Systems'],
          ['all', 'All Services'],
        ]);
        const autocomplete = await Promise.all(names.map((name) => field(name).getAttribute('autocomplete')));
        expect(autocomplete.slice(0, 3)).to.deep.equal(['given-name', 'family-name', 'email']);
      },
      untouched,
    ),
  );

  describeFormBehaviour({
    path: '/',
    api,
    open,
    label: 'Send Message',
    pendingLabel: 'Sending...',
    sent: { text: sentToast },
    failed: failedToast,
    emailMessage: 'Invalid email address',
    example,
  });

  describe('its rules', () => {
    it(
      'prevent sending, and focus each invalid field in turn',
      onPage('/', async ({ page }) => {
        const { sendButton, put } = open(page);
        let requests = 0;
        page.on('request', (request) => (requests += request.url().endsWith(api) ? 1 : 0));
        await sendButton.click();
        const values = example();
        for (const name of names) {
          const focused = await page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name);
          expect(focused, `the first invalid field is ${name}`).to.equal(name);
          await put(name, values[name]);
          if (name !== 'message') await sendButton.click();
        }
        expect(requests).to.equal(0);
      }),
    );

    it(
      'show the first invalid field and its label below the navigation bar',
      onPage('/', async ({ page }) => {
        await open(page).sendButton.click();
        await until('the label is below the navigation bar', async () => {
          const label = open(page).form.locator('label').first();
          const [bar, first] = [await page.locator('header').boundingBox(), await label.boundingBox()];
          return bar !== null && first !== null && first.y >= bar.y + bar.height;
        });
      }),
    );

    it(
      'accept 5,000 characters, and reject one more with a message and without truncating',
      onPage('/', async ({ page }) => {
        const longest = 'x'.repeat(maxLength.text);
        const values = example({ message: `${longest}x` });
        await open(page).fill(values);
        await open(page).sendButton.click();
        expect(await open(page).stateOf('message')).to.deep.equal({
          message: 'Message must be at most 5,000 characters',
          isInvalid: true,
        });
        expect(await open(page).field('message').inputValue()).to.have.length(5_001);
        await open(page).put('message', longest);
        await open(page).sendButton.click();
        await open(page).toasts.getByText(sentToast).waitFor();
        const [lead] = await stack().leadsOf(values.email);
        expect(lead?.answers['message']).to.equal(longest);
      }),
    );
  });

  it(
    'stores the trimmed text, emails an acknowledgement and notifies the staff',
    onPage('/', async ({ page }) => {
      const message = 'مرحبا 🌊 "Zoë" \u202bx\u202c <script>alert(1)</script>\n\n\'; DROP TABLE leads; --';
      const values = example({ firstName: ' نورة ', lastName: "O'Neill <b>", service: 'all', message });
      await open(page).fill(values);
      const directionOf = (name: Field) =>
        open(page)
          .field(name)
          .evaluate((element) => getComputedStyle(element).direction);
      expect(await Promise.all(names.map(directionOf)), 'each text has its own direction').to.deep.equal([
        'rtl',
        'ltr',
        'ltr',
        'ltr',
        'rtl',
      ]);
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
    }),
  );

  describe('sent twice', () => {
    const hastes: Readonly<Record<string, (page: Page) => Promise<void>>> = {
      'by a double click': (page) => open(page).sendButton.dblclick(),
      'by two presses of Enter': async (page) => {
        await open(page).field('lastName').focus();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
      },
      'by two submits in one moment': (page) =>
        open(page).form.evaluate((element) => {
          (element as HTMLFormElement).requestSubmit();
          (element as HTMLFormElement).requestSubmit();
        }),
      'by a double click that the response is faster than': (page) =>
        open(page).form.evaluate(async (element) => {
          const sent = element as HTMLFormElement;
          sent.requestSubmit();
          while (sent.querySelector('textarea')?.value !== '') await new Promise((resolve) => setTimeout(resolve));
          sent.requestSubmit();
        }),
    };
    for (const [how, send] of Object.entries(hastes)) {
      it(
        `${how} stores one lead and shows no field message`,
        onPage('/', async ({ page }) => {
          const { fill, typed, toasts, stateOf } = open(page);
          const values = example();
          await fill(values);
          await send(page);
          await toasts.getByText(sentToast).waitFor();
          await until('an empty form', async () => (await typed()).email === '');
          expect(await stack().leadsOf(values.email)).to.have.length(1);
          for (const name of names) expect(await stateOf(name), name).to.deep.equal(fine);
        }),
      );
    }

    it(
      'one after the other stores two leads with different keys',
      onPage('/', async ({ page }) => {
        const { fill, typed, sendButton } = open(page);
        const values = example();
        for (let times = 1; times <= 2; times++) {
          await fill(values);
          await sendButton.click();
          await until('a lead', async () => (await stack().leadsOf(values.email)).length === times);
          await until('an empty form', async () => (await typed()).email === '');
        }
        const keys = (await stack().leadsOf(values.email)).map(({ idempotency_key }) => idempotency_key);
        expect(new Set(keys).size).to.equal(2);
      }),
    );
  });

  describe('rejected by the API', () => {
    it(
      'shows the message of the API beside each field until the field changes',
      onPage(
        '/',
        async ({ page }) => {
          const values = example();
          let tries = 0;
          await page.route(`**${api}`, (route) =>
            // A page that is older than the rules sends this.
            ++tries === 1
              ? route.continue({ postData: JSON.stringify({ ...values, email: 'noura@example', message: 'short' }) })
              : route.continue(),
          );
          await open(page).fill(values);
          await open(page).sendButton.click();
          await open(page).toasts.getByText(failedToast).waitFor();
          expect(await open(page).stateOf('email')).to.deep.equal({
            message: 'Invalid email address',
            isInvalid: true,
          });
          expect(await open(page).stateOf('message')).to.deep.equal({
            message: 'Message must be at least 10 characters',
            isInvalid: true,
          });
          expect(await open(page).stateOf('firstName')).to.deep.equal(fine);
          expect(await open(page).typed()).to.deep.equal(values);
          await until('the first invalid field has the focus', () =>
            page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name === 'email'),
          );

          const trace = open(page).form.getByText(failedToast);
          expect(await trace.isVisible()).to.equal(true);
          await open(page).put('message', `${values.message} And soon.`);
          expect(await trace.count(), 'removed by the first change').to.equal(0);
          expect(await open(page).stateOf('message'), 'the message was about the previous text').to.deep.equal(fine);
          await open(page).put('lastName', '');
          await open(page).sendButton.click();
          expect(await open(page).stateOf('message'), 'unaffected by another invalid field').to.deep.equal(fine);
          await open(page).put('lastName', values.lastName);
          await open(page).sendButton.click();
          await open(page).toasts.getByText(sentToast).waitFor();
          const leads = await stack().leadsOf(values.email);
          expect(leads.map(({ answers: fields }) => fields['message'])).to.deep.equal([`${values.message} And soon.`]);
        },
        { failing: [api] },
      ),
    );
  });
});
