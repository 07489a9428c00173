import { honeypotField } from '@dune-tide/domain/spam';
import { hold, takeTime } from '../../src/browser/browser.ts';
import { firstVisit, onPage, ownAddress, stack } from '../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
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
const tokenCame = (page: Page) => page.waitForResponse('**/api/form-token');

async function fill(page: Page, email: string): Promise<void> {
  await contactField(page, 'firstName').fill('Layla');
  await contactField(page, 'lastName').fill('Haddad');
  await contactField(page, 'email').fill(email);
  await contactField(page, 'service').selectOption('ugc');
  await contactField(page, 'message').fill('We launch in March and need films.');
}

describe('The honeypot', () => {
  it('stands once in every form that anybody may send, as the build paints it', async () => {
    for (const path of paths) {
      const response = await fetch(new URL(path, stack().siteUrl), { signal: AbortSignal.timeout(10_000) });
      expect((await response.text()).split(`name="${honeypotField}"`), path).to.have.length(2);
    }
  });

  it(
    'stands in the portfolio modal, and marks what fills it in there',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      await page.getByRole('button', { name: 'View All Projects' }).click();
      const modal = page.getByRole('dialog');
      await modal.getByRole('textbox').fill(email);
      await modal.locator(`[name="${honeypotField}"]`).evaluate((field: HTMLInputElement) => {
        field.value = 'Cheap watches';
      });
      await modal.locator('[type="submit"]').click();
      await modal.getByText('Portfolio Sent!').waitFor();
      expect(await signOf(email)).to.equal('honeypot');
    }),
  );

  it(
    'is hidden on the screen, in print, from assistive technology and from Tab',
    onPage('/', async ({ page, context }) => {
      for (const media of ['screen', 'print'] as const) {
        await page.emulateMedia({ media });
        const found = await honeypot(page).evaluate((field: HTMLInputElement) => {
          const box = field.parentElement ?? field;
          const { width, height } = box.getBoundingClientRect();
          // Neither by a script nor by the keys with which phones step from field to field.
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
    'marks a program that fills in every field, also before the form’s code is loaded',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        // All at once, as programs do, with the events that they know.
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
    'marks nobody who fills it in by keyboard at leisure',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
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
      expect(await signOf(email)).to.equal(null);
      expect((await stack().mailTo(email)).envelope.to).to.deep.equal([email]);
    }),
  );

  it(
    'marks nobody whose first touch after a reload is the button: the form was filled in before',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      await fill(page, email);
      await page.reload();
      await page.mouse.move(5, 5);
      await page.mouse.move(9, 9);
      await until('the draft is back', async () => (await contactField(page, 'email').inputValue()) === email);
      await contact(page).getByRole('button', { name: 'Send Message' }).click();
      await sent(page).waitFor();
      expect(await signOf(email)).to.equal(null);
    }),
  );

  it(
    'marks nobody whose token came late, on a slow line',
    onPage('/', async ({ page }) => {
      const email = ownAddress();
      const release = await hold(page, '/api/form-token');
      // On a slow machine the page has given it up by then.
      const givenUp = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/form-token'));
      const token = Promise.race([tokenCame(page), givenUp]);
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
    'marks a program that fills it in and sends it in one moment',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        const sending = page.waitForRequest('**/api/contact');
        // One moment also on a slow machine.
        await page.clock.pauseAt(Date.now() + 60_000);
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
            // As a key would: what a script puts into it, React does not see.
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
    'says nothing without a token, and holds nothing up',
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

  it(
    'is asked for once on a page, at the first touch of a form and not before',
    onPage('/', async ({ page }) => {
      let asked = 0;
      page.on('request', (request) => (asked += request.url().endsWith('/api/form-token') ? 1 : 0));
      await page.mouse.wheel(0, 400);
      await page.locator('header a').first().focus();
      expect(asked).to.equal(0);
      const token = tokenCame(page);
      await contactField(page, 'firstName').focus();
      await token;
      await contactField(page, 'message').fill('We launch in March.');
      expect(asked).to.equal(1);
    }),
  );
});
