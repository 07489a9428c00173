import { brand } from '@dune-tide/domain/brand';
import { maxLength } from '@dune-tide/domain/limits';
import { expectAccessible, withAxe } from '../../src/browser/accessibility.ts';
import { takeTime } from '../../src/browser/browser.ts';
import { onPage, ownAddress, stack } from '../../src/browser/browser-suite.ts';
import { failingTries, sendThroughFailures } from '../../src/browser/form-behaviour.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';

const api = '/api/contact';
const sentToast = "Your message has been sent successfully. We'll get back to you soon.";
const failedToast = 'Failed to send message. Please try again.';

/** The labels of the fields by their names. */
const labels = {
  firstName: /^First name/,
  lastName: /^Last name/,
  email: /^Email/,
  service: /^Service/,
  message: /^Message/,
} as const;
type Field = keyof typeof labels;
type Values = Readonly<Record<Field, string>>;
const names = Object.keys(labels) as Field[];

const form = (page: Page) => page.getByRole('form', { name: 'Contact' });
const field = (page: Page, name: Field) => form(page).getByLabel(labels[name]);
const sendButton = (page: Page) => form(page).locator('button[type="submit"]');
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });

const example = (changes: Partial<Values> = {}): Values => ({
  firstName: 'Noura',
  lastName: 'al-Harbi',
  email: ownAddress(),
  service: 'mvp',
  message: 'We are launching a line of oud perfumes.',
  ...changes,
});

async function put(page: Page, name: Field, value: string): Promise<void> {
  if (name === 'service') await field(page, name).selectOption(value);
  else await field(page, name).fill(value);
}

async function fill(page: Page, values: Values): Promise<void> {
  for (const name of names) await put(page, name, values[name]);
}

async function typed(page: Page): Promise<Values> {
  const entries = await Promise.all(names.map(async (name) => [name, await field(page, name).inputValue()] as const));
  return Object.fromEntries(entries) as Values;
}

/** What a reader of the screen hears of a field: its message and whether it is faulty. */
async function stateOf(page: Page, name: Field): Promise<{ message: string; isInvalid: boolean }> {
  // A hint stands before it.
  const [message] = ((await field(page, name).getAttribute('aria-describedby')) ?? '').split(' ').slice(-1);
  return {
    message: (await page.locator(`[id="${message}"]`).textContent()) ?? '',
    isInvalid: (await field(page, name).getAttribute('aria-invalid')) === 'true',
  };
}

const fine = { message: '', isInvalid: false };

/** The rules of specification §5, each at its boundary: the longest that is refused and the shortest that is taken. */
const rules: readonly { name: Field; message: string; refused: readonly string[]; taken: readonly string[] }[] = [
  { name: 'firstName', message: 'First name is required', refused: ['', '   '], taken: ['N'] },
  { name: 'lastName', message: 'Last name is required', refused: ['', '\u00a0'], taken: ['H'] },
  {
    name: 'email',
    message: 'Invalid email address',
    refused: ['', 'noura', 'noura@example', 'a@b.co, c@d.co'],
    taken: ['a@b.co'],
  },
  { name: 'service', message: 'Please select a service', refused: [''], taken: ['ugc', 'mvp', 'leadgen', 'all'] },
  {
    name: 'message',
    message: 'Message must be at least 10 characters',
    refused: ['', '123456789', ' 123456789 ', '🌊'.repeat(9)],
    taken: ['1234567890', '🌊'.repeat(10)],
  },
];

/** What is seen of a button, as it stands on its ground: the colours of its surface and of its label. */
const coloursOf = (page: Page): Promise<Record<'surface' | 'label', number[]>> =>
  sendButton(page).evaluate(async (button) => {
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

/** By the formula of WCAG 2.2. */
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
      `has a button that looks pending while it sends, with a label that is read as well as before, where the system is ${colorScheme}`,
      onPage(
        '/',
        async ({ page }) => {
          await page.route(`**${api}`, () => undefined);
          await fill(page, example());
          await sendButton(page).hover();
          const pointedAt = await coloursOf(page);
          await sendButton(page).click();
          await form(page).getByRole('button', { name: 'Sending...' }).waitFor();
          const pending = await coloursOf(page);
          expect(contrast(pending.label, pending.surface)).to.be.at.least(4.5);
          expect(contrast(pending.surface, pointedAt.surface), 'it is told from a button to press').to.be.at.least(3);
        },
        { colorScheme },
      ),
    );
  }

  it(
    'has its fields with their labels, and the services of the list; its rules are silent until a field is changed and left, each speaks then, and is silent again once it is met',
    onPage('/', async ({ page }) => {
      for (const name of names) {
        expect(await field(page, name).count(), name).to.equal(1);
        expect(await field(page, name).getAttribute('required'), name).not.to.equal(null);
      }
      const options = await field(page, 'service')
        .locator('option')
        .evaluateAll((entries) => entries.map((entry) => [(entry as HTMLOptionElement).value, entry.textContent]));
      expect(options.slice(1)).to.deep.equal([
        ['ugc', 'UGC Brand Creatives'],
        ['mvp', 'MVP Development'],
        ['leadgen', 'Lead Generation Systems'],
        ['all', 'All Services'],
      ]);
      expect(options[0]?.[0]).to.equal('');
      const autocomplete = await Promise.all(names.map((name) => field(page, name).getAttribute('autocomplete')));
      expect(autocomplete.slice(0, 3)).to.deep.equal(['given-name', 'family-name', 'email']);

      for (const name of names) {
        await field(page, name).focus();
        await field(page, name).blur();
        expect(await stateOf(page, name), `${name}, as it was`).to.deep.equal(fine);
      }
      await field(page, 'message').focus();
      await page.keyboard.type('short');
      for (const name of names) expect(await stateOf(page, name), name).to.deep.equal(fine);

      for (const { name, message, refused, taken } of rules) {
        for (const [values, expected] of [
          [refused, { message, isInvalid: true }],
          [taken, fine],
        ] as const) {
          for (const value of values) {
            await field(page, name).focus();
            if (value === '') await put(page, name, taken[0] ?? '');
            await put(page, name, value);
            await field(page, name).blur();
            expect(await stateOf(page, name), `${name}: ${JSON.stringify(value)}`).to.deep.equal(expected);
          }
        }
      }
    }),
  );

  describe('its rules', () => {
    it(
      'all speak on sending, the first faulty field has the focus and stands with its label below the bar, nothing is sent',
      onPage('/', async ({ page }) => {
        let requests = 0;
        page.on('request', (request) => (requests += request.url().endsWith(api) ? 1 : 0));
        await sendButton(page).click();
        for (const { name, message } of rules) {
          expect(await stateOf(page, name)).to.deep.equal({ message, isInvalid: true });
        }
        await until('the label stands below the bar', async () => {
          const label = form(page).locator('label').first();
          const [bar, first] = [await page.locator('header').boundingBox(), await label.boundingBox()];
          return bar !== null && first !== null && first.y >= bar.y + bar.height;
        });
        const values = example();
        for (const name of names) {
          const focused = await page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name);
          expect(focused, `the first faulty field is ${name}`).to.equal(name);
          await put(page, name, values[name]);
          if (name !== 'message') await sendButton(page).click();
        }
        expect(requests).to.equal(0);
      }),
    );

    it(
      'take 5,000 characters and refuse one more with a message, cutting nothing off',
      onPage('/', async ({ page }) => {
        const longest = 'x'.repeat(maxLength.text);
        const values = example({ message: `${longest}x` });
        await fill(page, values);
        await sendButton(page).click();
        expect(await stateOf(page, 'message')).to.deep.equal({
          message: 'Message must be at most 5,000 characters',
          isInvalid: true,
        });
        expect(await field(page, 'message').inputValue()).to.have.length(5_001);
        await put(page, 'message', longest);
        await sendButton(page).click();
        await toasts(page).getByText(sentToast).waitFor();
        const [lead] = await stack().leadsOf(values.email);
        expect(lead?.answers['message']).to.equal(longest);
      }),
    );
  });

  it(
    'while it sends, has a disabled button that says Sending...; on success says so and is empty again, without a message beside any field',
    onPage('/', async ({ page }) => {
      let release: (route: Route) => void;
      const held = new Promise<Route>((resolve) => (release = resolve));
      await page.route(`**${api}`, (route) => release(route));
      expect(await sendButton(page).textContent()).to.equal('Send Message');
      const values = example();
      await fill(page, values);
      await sendButton(page).click();
      const route = await held;
      expect(await sendButton(page).textContent()).to.equal('Sending...');
      expect(await sendButton(page).isDisabled()).to.equal(true);
      expect(await typed(page)).to.deep.equal(values);
      await route.continue();
      await toasts(page).getByText(sentToast, { exact: true }).waitFor();
      await form(page).getByRole('button', { name: 'Send Message' }).waitFor();
      expect(await sendButton(page).isEnabled()).to.equal(true);
      await until('an empty form', async () => Object.values(await typed(page)).every((value) => value === ''));
      for (const name of names) expect(await stateOf(page, name), name).to.deep.equal(fine);

      const note = form(page).getByText(sentToast, { exact: true });
      await toasts(page).getByRole('button', { name: 'Dismiss notification' }).click();
      await toasts(page).getByText(sentToast, { exact: true }).waitFor({ state: 'detached' });
      expect(await note.isVisible(), 'it says so when the toast has gone').to.equal(true);
      // Later than a second press of the same click.
      await until('the messages of an empty form', async () => {
        await sendButton(page).click();
        return (await stateOf(page, 'firstName')).isInvalid;
      });
      expect(await note.count(), 'after another try').to.equal(0);
    }),
  );

  it(
    'stores what was typed, blanks around it aside, thanks the visitor and tells the staff',
    onPage('/', async ({ page }) => {
      const message = 'مرحبا 🌊 "Zoë" \u202bx\u202c <script>alert(1)</script>\n\n\'; DROP TABLE leads; --';
      const values = example({ firstName: ' نورة ', lastName: "O'Neill <b>", service: 'all', message });
      await fill(page, values);
      const directionOf = (name: Field) => field(page, name).evaluate((element) => getComputedStyle(element).direction);
      expect(await Promise.all(names.map(directionOf)), 'each text is written its own way').to.deep.equal([
        'rtl',
        'ltr',
        'ltr',
        'ltr',
        'rtl',
      ]);
      await takeTime(page);
      await sendButton(page).click();
      await toasts(page).getByText(sentToast).waitFor();

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
      'by a double click': (page) => sendButton(page).dblclick(),
      'by two presses of Enter': async (page) => {
        await field(page, 'lastName').focus();
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
      },
      'by two submits in one moment': (page) =>
        form(page).evaluate((element) => {
          (element as HTMLFormElement).requestSubmit();
          (element as HTMLFormElement).requestSubmit();
        }),
      'by a double click that the answer is faster than': (page) =>
        form(page).evaluate(async (element) => {
          const sent = element as HTMLFormElement;
          sent.requestSubmit();
          while (sent.querySelector('textarea')?.value !== '') await new Promise((resolve) => setTimeout(resolve));
          sent.requestSubmit();
        }),
    };
    it(
      'by a double click, two presses of Enter or two submits, even around the answer, makes one lead and no message; one after the other, two leads with keys of their own',
      onPage('/', async ({ page }) => {
        const untilEmpty = () => until('an empty form', async () => (await typed(page)).email === '');
        const expectNoMessage = async (when: string) => {
          for (const name of names) expect(await stateOf(page, name), `${name}, ${when}`).to.deep.equal(fine);
        };
        for (const [how, send] of Object.entries(hastes)) {
          const values = example();
          await fill(page, values);
          await send(page);
          await toasts(page).getByText(sentToast).waitFor();
          await untilEmpty();
          expect(await stack().leadsOf(values.email), how).to.have.length(1);
          await expectNoMessage(how);
          await toasts(page).getByRole('button', { name: 'Dismiss notification' }).click();
          await toasts(page).getByText(sentToast).waitFor({ state: 'detached' });
        }

        const values = example();
        for (let times = 1; times <= 2; times++) {
          await fill(page, values);
          await sendButton(page).click();
          await until('a lead', async () => (await stack().leadsOf(values.email)).length === times);
          await untilEmpty();
        }
        const keys = (await stack().leadsOf(values.email)).map(({ idempotency_key }) => idempotency_key);
        expect(new Set(keys).size).to.equal(2);
        await expectNoMessage('one after the other');
      }),
    );
  });

  describe('that fails', () => {
    it(
      failingTries,
      onPage(
        '/',
        async ({ page }) => {
          const values = example();
          await fill(page, values);
          const tried = { api, sendButton: sendButton(page), toasts: toasts(page), failed: failedToast };
          await sendThroughFailures(page, tried, async () => {
            expect(await typed(page)).to.deep.equal(values);
            expect(await sendButton(page).textContent()).to.equal('Send Message');
            const isRefused = (await form(page).getByRole('alert').innerText()) !== '';
            if (isRefused) await expectAccessible(page, 'refused for a while');
          });
          await sendButton(page).click();
          await toasts(page).getByText(sentToast).waitFor();
          expect(await stack().leadsOf(values.email)).to.have.length(1);
        },
        { failing: [api], ...withAxe },
      ),
    );

    it(
      'with 422, shows the API’s own words beside the fields and sends the mended form',
      onPage(
        '/',
        async ({ page }) => {
          const values = example();
          let tries = 0;
          await page.route(`**${api}`, (route) =>
            // As a page would send it that is older than the rules.
            ++tries === 1
              ? route.continue({ postData: JSON.stringify({ ...values, email: 'noura@example', message: 'short' }) })
              : route.continue(),
          );
          await fill(page, values);
          await sendButton(page).click();
          await toasts(page).getByText(failedToast).waitFor();
          expect(await stateOf(page, 'email')).to.deep.equal({ message: 'Invalid email address', isInvalid: true });
          expect(await stateOf(page, 'message')).to.deep.equal({
            message: 'Message must be at least 10 characters',
            isInvalid: true,
          });
          expect(await stateOf(page, 'firstName')).to.deep.equal(fine);
          expect(await typed(page)).to.deep.equal(values);
          await until('the focus is on the first faulty field', () =>
            page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name === 'email'),
          );

          const trace = form(page).getByText(failedToast);
          expect(await trace.isVisible()).to.equal(true);
          await put(page, 'message', `${values.message} And soon.`);
          expect(await trace.count(), 'it is gone with the first change').to.equal(0);
          expect(await stateOf(page, 'message'), 'what the API said was of the text before').to.deep.equal(fine);
          await put(page, 'lastName', '');
          await sendButton(page).click();
          expect(await stateOf(page, 'message'), 'and stays so when another field is faulty').to.deep.equal(fine);
          await put(page, 'lastName', values.lastName);
          await sendButton(page).click();
          await toasts(page).getByText(sentToast).waitFor();
          const leads = await stack().leadsOf(values.email);
          expect(leads.map(({ answers }) => answers['message'])).to.deep.equal([`${values.message} And soon.`]);
        },
        { failing: [api] },
      ),
    );
  });
});
