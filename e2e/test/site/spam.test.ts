import { honeypotField } from '@dune-tide/domain/spam';
import { hold, pauseClock, takeTime } from '../../src/browser/browser.ts';
import { firstVisit, onPage, ownAddress, stack } from '../../src/browser/browser-suite.ts';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const paths = [
  '/',
  '/careers',
  '/kingrose',
  '/project-inquiry',
  '/services/ugc-creatives',
  '/services/mvp-development',
  '/services/lead-generation',
  '/services/consulting',
];

const honeypot = (page: Page) => page.locator(`form [name="${honeypotField}"]`);
const contact = (page: Page) => page.getByRole('form', { name: 'Contact' });
const contactField = (page: Page, name: string) => contact(page).locator(`[name="${name}"]`);
const sent = (page: Page) =>
  page.getByRole('region', { name: /Notifications/ }).getByText('Your message has been sent successfully.');
const signOf = async (email: string): Promise<unknown> => {
  const signs: unknown[] = await stack().database('leads').where({ email }).pluck('spam_sign');
  expect(signs).to.have.length(1);
  return signs[0];
};
/** Waits for the token. On a slow machine the page cancels its request after a second. */
const tokenCame = (page: Page) =>
  Promise.race([
    page.waitForResponse('**/api/form-token'),
    page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/form-token')),
  ]);

async function fill(page: Page, email: string): Promise<void> {
  await contactField(page, 'firstName').fill('Layla');
  await contactField(page, 'lastName').fill('Haddad');
  await contactField(page, 'email').fill(email);
  await contactField(page, 'service').selectOption('ugc');
  await contactField(page, 'message').fill('We launch in March and need films.');
}

describe('The honeypot', () => {
  it('is present once in every prerendered public form', async () => {
    for (const path of paths) {
      const response = await fetch(new URL(path, stack().siteUrl), {
        signal: AbortSignal.timeout(hangLimitSeconds * 1000),
      });
      expect((await response.text()).split(`name="${honeypotField}"`), path).to.have.length(2);
    }
  });

  it(
    'is hidden on the screen, in print, from assistive technology and from Tab',
    onPage('/', async ({ page, context }) => {
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media });
        const found = await honeypot(page).evaluate((field: HTMLInputElement) => {
          const box = field.parentElement ?? field;
          const { width, height } = box.getBoundingClientRect();
          // Neither a script nor the phone's next-field keys can focus it.
          field.focus();
          const { clipPath, overflow } = getComputedStyle(box);
          return {
            width,
            height,
            clipPath,
            overflow,
            text: box.innerText,
            hasFocus: document.activeElement === field,
          };
        });
        const unseen = { width: 1, height: 1, clipPath: 'inset(50%)', overflow: 'hidden', text: '', hasFocus: false };
        expect(found, media).to.deep.equal(unseen);
      }
      await page.emulateMedia({ media: null });

      const devtools = await context.newCDPSession(page);
      const { root } = await devtools.send('DOM.getDocument');
      const { nodeId } = await devtools.send('DOM.querySelector', {
        nodeId: root.nodeId,
        selector: `[name="${honeypotField}"]`,
      });
      const { nodes } = await devtools.send('Accessibility.getPartialAXTree', { nodeId, fetchRelatives: false });
      expect(nodes.map(({ ignored }) => ignored)).to.deep.equal([true]);

      const names: (string | null)[] = [];
      await contactField(page, 'firstName').focus();
      await page.keyboard.press('Shift+Tab');
      for (const _ of Array.from({ length: 7 })) {
        names.push(await page.evaluate(() => document.activeElement?.getAttribute('name') ?? null));
        await page.keyboard.press('Tab');
      }
      expect(names).to.include.members(['firstName', 'lastName', 'email', 'service', 'message']);
      expect(names).to.not.include(honeypotField);
    }),
  );

  it(
    "marks a program that fills in every field, even before the form's code is loaded",
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        // All in one task with standard events, as programs do.
        await page.evaluate((address) => {
          const values: Readonly<Record<string, string>> = { email: address, service: 'ugc' };
          const form = document.querySelector('#contact form');
          for (const field of form?.querySelectorAll<HTMLInputElement>('input, select, textarea') ?? []) {
            field.value = values[field.name] ?? 'Cheap watches for everyone';
            field.dispatchEvent(new Event('input', { bubbles: true }));
          }
        }, email);
        const kept = await page.evaluate(() => JSON.stringify(sessionStorage));
        expect(kept).to.include(email).and.not.to.include(honeypotField);
        await contact(page).getByRole('button', { name: 'Send Message' }).click();
        await sent(page).waitFor();
        expect(await signOf(email)).to.equal('honeypot');
        const [lead] = await stack().leadsOf(email);
        expect(lead?.answers).to.not.have.property(honeypotField);
        expect(await honeypot(page).inputValue()).to.equal('');
      },
      firstVisit,
    ),
  );
});

describe('The age of a form', () => {
  it(
    'does not mark a slow visitor, whose page requests one token at the first touch of a form',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      let asked = 0;
      page.on('request', (request) => (asked += request.url().endsWith('/api/form-token') ? 1 : 0));
      await page.mouse.wheel(0, 400);
      await page.locator('header a').first().focus();
      expect(asked).to.equal(0);
      const token = tokenCame(page);
      await contactField(page, 'firstName').focus();
      await token;
      for (const value of ['Layla', 'Haddad', email, 'U', 'We launch in March and need films.']) {
        await page.keyboard.type(value);
        await page.keyboard.press('Tab');
      }
      await takeTime(page);
      await page.keyboard.press('Enter');
      await sent(page).waitFor();
      expect(asked).to.equal(1);
      expect(await signOf(email)).to.equal(null);
      expect((await stack().mailTo(email)).envelope.to).to.deep.equal([email]);
    }),
  );

  it(
    'does not mark a visitor who sends a restored draft as the first action after a reload',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      await fill(page, email);
      await page.reload();
      await page.mouse.move(5, 5);
      await page.mouse.move(9, 9);
      await until('the draft is restored', async () => (await contactField(page, 'email').inputValue()) === email);
      await contact(page).getByRole('button', { name: 'Send Message' }).click();
      await sent(page).waitFor();
      expect(await signOf(email)).to.equal(null);
    }),
  );

  it(
    'does not mark a visitor whose token arrives late on a slow line',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      const release = await hold(page, '/api/form-token');
      const token = tokenCame(page);
      await fill(page, email);
      await takeTime(page);
      release();
      await token;
      await contact(page).getByRole('button', { name: 'Send Message' }).click();
      await sent(page).waitFor();
      expect(await signOf(email)).to.equal(null);
    }),
  );

  it(
    'marks a program that fills in and sends the form in the same moment',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        const sending = page.waitForRequest('**/api/contact');
        // The clock must not advance, even on a slow machine.
        await pauseClock(page);
        await page.evaluate((address) => {
          const values: Readonly<Record<string, string>> = {
            firstName: 'Cheap',
            lastName: 'Watches',
            email: address,
            service: 'ugc',
            message: 'Cheap watches for everyone.',
          };
          const form = document.querySelector<HTMLFormElement>('#contact form');
          for (const [name, value] of Object.entries(values)) {
            const field = form?.elements.namedItem(name) as HTMLInputElement;
            // React ignores a value that a script sets without the native setter and an event.
            Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
            for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
          }
          form?.requestSubmit();
        }, email);
        await sending;
        await page.clock.resume();
        await sent(page).waitFor();
        expect(await signOf(email)).to.equal('too_fast');
      },
      { hasOwnClock: true },
    ),
  );

  it(
    'is unknown without a token, and the form is sent without waiting for one',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        await page.route('**/api/form-token', (route) => route.fulfill({ status: 500, json: {} }));
        await fill(page, email);
        await takeTime(page);
        await contact(page).getByRole('button', { name: 'Send Message' }).click();
        await sent(page).waitFor();
        expect(await signOf(email)).to.equal(null);
      },
      { failing: ['/api/form-token'] },
    ),
  );
});
