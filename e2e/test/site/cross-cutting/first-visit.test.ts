import { hold, loseResponse, routeOnce, takeTime, untilInteractive } from '../../../src/browser/browser.ts';
import { firstVisit, onPage, ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { takenOverPrefix } from '../../../src/browser/react-internals.ts';
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

/** Maximum size of the scripts before the first interaction, in bytes transferred. */
const budget = 165_000;

/** Records nodes that React removes or adds while it hydrates the page. */
const noteChanges = `window.changes = [];
document.addEventListener('DOMContentLoaded', () => new MutationObserver((records) => {
  for (const { addedNodes, removedNodes } of records)
    for (const node of [...addedNodes, ...removedNodes])
      if (node.nodeType === Node.ELEMENT_NODE) window.changes.push(node.outerHTML.slice(0, 200));
}).observe(document.getElementById('main'), { subtree: true, childList: true }));`;

/** Records styles that are removed from the head, also if they are inserted again. */
const noteMovedStyles = `window.movedStyles = [];
document.addEventListener('DOMContentLoaded', () => new MutationObserver((records) => {
  for (const { removedNodes } of records)
    for (const node of removedNodes) if (node.nodeName === 'STYLE') window.movedStyles.push(node.dataset.emotion);
}).observe(document.head, { childList: true }));`;

const changes = (page: Page) => page.evaluate(() => (window as unknown as { changes: string[] }).changes);
const movedStyles = (page: Page) => page.evaluate(() => (window as unknown as { movedStyles: string[] }).movedStyles);

/** Returns the loaded scripts with their transferred bytes. */
const arrivedScripts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize })),
  );

const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });
const contactField = (page: Page, name: string) => page.locator(`#contact [name="${name}"]`);

async function fillContact(page: Page, email: string): Promise<void> {
  await contactField(page, 'firstName').fill('Layla');
  await contactField(page, 'lastName').fill('Haddad');
  await contactField(page, 'email').fill(email);
  await contactField(page, 'service').selectOption('ugc');
  await contactField(page, 'message').fill('We launch in March and need films.');
}

const contactValues = (page: Page) =>
  page
    .locator('#contact')
    .locator('[name]:not([aria-hidden="true"] *)')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

describe('A first visit', () => {
  for (const path of paths) {
    it(
      `to ${path} starts the application when idle, without changing the prerendered page`,
      onPage(
        path,
        async ({ page }) => {
          const height = () => page.evaluate(() => document.documentElement.scrollHeight);
          const painted = await height();
          await page.locator('html[data-code="running"]').waitFor();
          await until('the application', () =>
            page.evaluate(
              (prefix) => Object.keys(document.querySelector('footer a') ?? {}).some((key) => key.startsWith(prefix)),
              takenOverPrefix,
            ),
          );
          const sizes = new Map((await arrivedScripts(page)).map(({ name, size }) => [name, size]));
          expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).to.be.within(1, budget);

          await untilInteractive(page);
          expect(await changes(page)).to.deep.equal([]);
          expect(await movedStyles(page)).to.deep.equal([]);
          expect(await height()).to.equal(painted);
        },
        { ...firstVisit, startsWhenIdle: true, scripts: [noteChanges, noteMovedStyles] },
      ),
    );
  }

  it(
    'handles a press on a button that precedes the application',
    onPage(
      '/',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Show More', exact: true }).click();
        await page.getByRole('button', { name: 'Show Less', exact: true }).waitFor();
      },
      firstVisit,
    ),
  );

  it(
    'opens the mobile menu at the first tap',
    onPage(
      '/',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Open menu' }).click();
        await page.getByRole('button', { name: 'Close menu' }).waitFor();
        await page.getByRole('navigation', { name: 'Mobile' }).getByRole('link', { name: 'Services' }).waitFor();
      },
      { ...firstVisit, width: 390 },
    ),
  );

  it(
    'scrolls to sections and frosts the bar even if the application cannot be loaded',
    onPage(
      '/',
      async ({ page }) => {
        await page.route('**/assets/start-*.js', (route) => route.abort('aborted'));
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Portfolio' }).click();
        await until('the portfolio is at the top', async () => {
          const top = await page.locator('#portfolio').evaluate((element) => element.getBoundingClientRect().top);
          return Math.abs(top) < 100;
        });
        await page.locator('header[data-frosted="true"]').waitFor();
        expect(await page.evaluate(() => document.activeElement?.id)).to.equal('portfolio');
      },
      { ...firstVisit, isOfflineAtTimes: true },
    ),
  );

  it(
    'checks a field that was left before the application started, but not one still being typed in',
    onPage(
      '/',
      async ({ page }) => {
        const contact = page.getByRole('form', { name: 'Contact' });
        const release = await hold(page, '/assets/*.js');
        await contact.locator('[name="email"]').fill('no-one');
        await contact.locator('[name="message"]').fill('Short');
        release();
        await contact.getByText('Invalid email address').waitFor();
        expect(await contact.locator('[name="email"]').getAttribute('aria-invalid')).to.equal('true');
        expect(await contact.locator('[name="message"]').getAttribute('aria-invalid')).to.not.equal('true');
      },
      firstVisit,
    ),
  );

  it(
    'sends once a form that was submitted before the application started',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        const release = await hold(page, '/assets/*.js');
        await fillContact(page, email);
        await page.getByRole('button', { name: 'Send Message' }).click();
        expect(await stack().leadsOf(email)).to.have.length(0);
        release();
        await toasts(page).getByText('Your message has been sent successfully.').waitFor();
        expect(await stack().leadsOf(email)).to.have.length(1);
        expect(await contactValues(page)).to.deep.equal(['', '', '', '', '']);
      },
      firstVisit,
    ),
  );
});

/** Returns whether the page has loaded a script that contains Redux. */
const hasRedux = async (page: Page) => {
  const codes = (await arrivedScripts(page)).map(async ({ name }) => (await page.request.get(name)).text());
  return (await Promise.all(codes)).some((code) => code.includes('@@redux'));
};

describe('Redux', () => {
  it(
    'is not loaded by a visitor who reads, scrolls, opens the menu and follows links',
    onPage(
      '/',
      async ({ page }) => {
        await untilInteractive(page);
        await page.getByRole('button', { name: 'Open menu' }).click();
        await page.getByRole('button', { name: 'Close menu' }).click();
        await page.mouse.wheel(0, 3000);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator('#portfolio a[href^="/case-studies/"]').first().click();
        await until('the case study', async () => (await page.title()).includes(': case study'));
        await page.locator('footer').getByRole('link', { name: 'Careers' }).click();
        await page.getByRole('form').waitFor();
        await page.goBack();
        await page.goBack();
        await page.getByRole('form', { name: 'Contact' }).waitFor();
        expect(await hasRedux(page)).to.equal(false);
      },
      { ...firstVisit, width: 390 },
    ),
  );

  it(
    'is loaded with the first letter of a form, which can be sent while it loads',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        await untilInteractive(page);
        const release = await hold(page, '/assets/store-*.js');
        const isUnderWay = page.waitForRequest('**/assets/store-*.js');
        await contactField(page, 'firstName').press('L');
        await isUnderWay;
        await fillContact(page, email);
        await takeTime(page);
        await page.getByRole('button', { name: 'Send Message' }).click();
        await page.getByRole('button', { name: 'Sending...' }).waitFor();
        release();
        await toasts(page).getByText('Your message has been sent successfully.').waitFor();
        expect(await stack().leadsOf(email)).to.have.length(1);
        expect(await hasRedux(page)).to.equal(true);
      },
      firstVisit,
    ),
  );
});

/** Records each text that a script replaces in a field. */
const noteOverwriting = `window.overwritten = [];
for (const { prototype } of [HTMLInputElement, HTMLTextAreaElement]) {
  const { get, set } = Object.getOwnPropertyDescriptor(prototype, 'value');
  Object.defineProperty(prototype, 'value', { configurable: true, get, set(value) {
    if (get.call(this) !== value) window.overwritten.push(get.call(this) + ' -> ' + value);
    set.call(this, value);
  } });
}`;

const overwritten = (page: Page) => page.evaluate(() => (window as unknown as { overwritten: string[] }).overwritten);

/** Returns whether React has hydrated the forms of the page. */
const isTakenOver = (page: Page) =>
  page.evaluate((prefix) => {
    const fields = [...document.querySelectorAll('form [name]')];
    return fields.every((field) => Object.keys(field).some((key) => key.startsWith(prefix)));
  }, takenOverPrefix);

/** Simulates a slow network and processor, on which the application starts slowly. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const throughput = { downloadThroughput: 100_000, uploadThroughput: 100_000 };
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 200, ...throughput });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 2 });
}

describe('Text that is typed while the application starts', () => {
  it(
    'stays unchanged with the caret',
    onPage(
      '/services/consulting',
      async ({ page }) => {
        await slowDown(page);
        await page.reload({ waitUntil: 'commit' });
        await page.locator('footer').waitFor();
        const area = page.locator('form [name="projectDetails"]');
        const selection = page.locator('form [name="budget"]');
        await selection.selectOption({ index: 1 });
        await area.click();
        await page.keyboard.type('in the dunes');
        await page.keyboard.press('Home');
        let typed = '';
        // Type until the form is hydrated, then a little longer.
        for (let more = 12; more > 0; more -= (await isTakenOver(page)) ? 1 : 0) {
          const key = String.fromCharCode(97 + (typed.length % 26));
          await page.keyboard.type(key, { delay: 20 });
          typed += key;
        }
        expect(await area.inputValue()).to.equal(`${typed}in the dunes`);
        expect(
          await area.evaluate((field: HTMLTextAreaElement) => [field === document.activeElement, field.selectionStart]),
        ).to.deep.equal([true, typed.length]);
        expect(await selection.evaluate((field: HTMLSelectElement) => field.selectedIndex)).to.equal(1);
        expect(await overwritten(page)).to.deep.equal([]);
        await page.reload();
        await until('the draft has the same text', async () => (await area.inputValue()) === `${typed}in the dunes`);
      },
      { ...firstVisit, scripts: [noteOverwriting] },
    ),
  );

  it(
    'includes chosen options, even if choosing one loads the form',
    onPage(
      '/project-inquiry',
      async ({ page }) => {
        const urgencies = page.locator('form [name="urgency"]');
        const name = page.locator('form [name="name"]');
        // One press before any script has loaded; the others while the scripts load.
        const chosen = page.locator('form [name="urgency"]:checked');
        await urgencies.nth(1).check();
        const value = await urgencies.nth(1).inputValue();
        await name.focus();
        await until('the form', () => isTakenOver(page));
        await page.keyboard.type('Layla');
        expect(
          await chosen.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
        ).to.deep.equal([value]);
        expect(await name.inputValue()).to.equal('Layla');
        await page.reload();
        await until(
          'the draft has the same text',
          async () => (await chosen.count()) === 1 && (await chosen.inputValue()) === value,
        );
      },
      firstVisit,
    ),
  );
});

describe('A draft', () => {
  it(
    'is restored at the next interaction if a script failed to load, and can be sent',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        await fillContact(page, email);
        const typed = await contactValues(page);
        await routeOnce(page, '**/assets/start-*.js', (route) => route.abort('aborted'));
        const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/start-'));
        await page.reload();
        await lost;
        await untilInteractive(page);
        await until('the typed text', async () => (await contactValues(page)).join() === typed.join());
        await page.getByRole('button', { name: 'Send Message' }).click();
        await page.getByText('Your message has been sent successfully.').first().waitFor();
        expect(await stack().leadsOf(email)).to.have.length(1);
      },
      { isOfflineAtTimes: true },
    ),
  );

  it(
    'that was stored without a response does not store a second lead after a reload',
    onPage(
      '/',
      async ({ page }) => {
        const email = ownAddress();
        await loseResponse(page, '**/api/contact');
        await fillContact(page, email);
        await page.getByRole('button', { name: 'Send Message' }).click();
        await page.getByText('Failed to send message. Please try again.').first().waitFor();
        await page.reload();
        await until('the typed text', async () => (await contactField(page, 'email').inputValue()) === email);
        await page.getByRole('button', { name: 'Send Message' }).click();
        await page.getByText('Your message has been sent successfully.').first().waitFor();
        expect(await stack().leadsOf(email)).to.have.length(1);
      },
      { failing: ['/api/contact'] },
    ),
  );
});
