import { expectAccessibleEverywhere, typeText, withAxe } from '../../src/browser/accessibility.ts';
import { onPage, ownAddress, stack, untouched, withPage } from '../../src/browser/browser-suite.ts';
import { formOn } from '../../src/browser/form-page.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeFormBehaviour } from '../../src/browser/form-behaviour.ts';

const path = '/kingrose';

const labels = {
  name: /^Full Name/,
  email: /^Email/,
  company: /^Organization\/Company/,
  phone: /^Phone/,
  organizationType: /^Organization Type/,
  investmentRange: /^AI Investment Range/,
  timeframe: /^Implementation Timeframe/,
  specificSolutions: /^Primary Interest/,
  currentChallenges: /biggest challenges/,
  aiGoals: /AI outcomes/,
} as const;

const open = (page: Page) => formOn(page, 'Discovery request', labels);

const example = () => ({
  name: 'Faisal al-Otaibi',
  email: ownAddress(),
  company: 'Sabkha Capital',
  phone: '+966 11 555 0134',
  organizationType: 'Private Equity',
  investmentRange: '$10,000-$20,000',
  timeframe: '3-4 months',
  specificSolutions: 'Automated Due Diligence Tools',
  currentChallenges: 'Data rooms take our analysts three weeks.',
  aiGoals: 'A first reading within a day, with sources.',
});

const sent = {
  title: 'Discovery Request Submitted!',
  text: "We'll contact you within 24 hours to schedule your ROI assessment session.",
};

const noteScrolls = `window.scrolls = [];
const scrollIntoView = Element.prototype.scrollIntoView;
Element.prototype.scrollIntoView = function (options) {
  window.scrolls.push({ id: this.id, behavior: options?.behavior });
  scrollIntoView.call(this, options);
};`;

const headings = (page: Page, section: string, level: number) =>
  page.locator(`#${section}`).getByRole('heading', { level }).allTextContents();

describe('KingRose', () => {
  describe('prerendered', () => {
    const visit = withPage(path, untouched);

    it('shows its seven sections in order, with two niches', async () => {
      const { page } = visit();
      const ids = await page.locator('main section').evaluateAll((sections) => sections.map(({ id }) => id));
      expect(ids).to.deep.equal(['hero', 'about', 'niches', 'services', 'engagement', 'why-partner', 'contact']);

      expect(await headings(page, 'niches', 3)).to.deep.equal(['Investment firms', 'Municipalities']);
    });

    it('shows its prices', async () => {
      const { page } = visit();
      const prices = await page
        .locator('#about dl > div')
        .evaluateAll((entries) =>
          entries.map((entry) => `${entry.querySelector('dd')?.textContent} ${entry.querySelector('dt')?.textContent}`),
        );
      expect(prices).to.deep.equal(['$10k-$20k AI tools', '$15k Municipal solution', '$20k Due diligence example']);
      expect(await page.locator('#hero').textContent()).to.contain('$10k-$20k');
    });

    it('shows six services, five steps and four reasons to partner', async () => {
      const { page } = visit();
      expect(await headings(page, 'services', 3)).to.have.length(6);
      expect(await headings(page, 'engagement', 3)).to.deep.equal([
        'Discovery',
        'Strategic Blueprint',
        'Development',
        'Training',
        'Partnership',
      ]);
      expect(await headings(page, 'why-partner', 3)).to.have.length(4);
    });

    it('has a form of ten fields, all required except the phone', async () => {
      const { page } = visit();
      const { form, field } = open(page);
      const names = await form
        .locator(':is(input, select, textarea):not([aria-hidden="true"], [aria-hidden="true"] *)')
        .evaluateAll((fields) => fields.map((each) => each.getAttribute('name')));
      expect(names).to.deep.equal(Object.keys(labels));
      for (const name of Object.keys(labels) as (keyof typeof labels)[]) {
        const isRequired = (await field(name).getAttribute('required')) !== null;
        expect(isRequired, name).to.equal(name !== 'phone');
      }
      for (const name of ['currentChallenges', 'aiGoals'] as const) {
        expect(await field(name).getAttribute('rows'), name).to.equal('3');
      }
    });

    it('has the expected options in its form', async () => {
      const { page } = visit();
      const { optionsOf } = open(page);
      const lists = [
        [
          'organizationType',
          [
            'VC Firm',
            'Private Equity',
            'Family Office',
            'Municipality/Local Government',
            'Regional Government Agency',
            'Other Investment Firm',
          ],
        ],
        [
          'investmentRange',
          ['$10,000-$20,000', '$20,000-$50,000', '$50,000-$100,000', '$100,000-$250,000', '$250,000+', "Let's discuss"],
        ],
        ['timeframe', ['1-2 months', '3-4 months', '5-6 months', '6-12 months', '12+ months', 'Flexible']],
        [
          'specificSolutions',
          [
            'Portfolio Monitoring & Deal Tracking',
            'Automated Due Diligence Tools',
            'Investment Scenario Planning',
            'Municipal Workflow Automation',
            'Citizen Service Enhancement',
            'Data Analytics Dashboards',
            'AI Strategy Consulting',
            'Multiple Solutions',
          ],
        ],
      ] as const;
      for (const [name, list] of lists) {
        expect(await optionsOf(name), name).to.deep.equal(list.map((label) => [label, label]));
      }
    });
  });

  it(
    'is the only item marked as current in the bar and in the mobile menu',
    onPage(path, async ({ page }) => {
      for (const [name, width] of [
        ['Main', 1440],
        ['Mobile', 390],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        if (name === 'Mobile') await page.getByRole('button', { name: 'Open menu' }).click();
        const items = page.getByRole('navigation', { name }).getByRole('link');
        await items.first().waitFor();
        const marked = await items.evaluateAll((links) =>
          links.flatMap((link) => {
            const current = link.getAttribute('aria-current');
            const line = getComputedStyle(link).textDecorationLine;
            return current === null && line === 'none' ? [] : [[link.textContent, current, line]];
          }),
        );
        expect(marked, name).to.deep.equal([['KingRose', 'page', 'underline']]);
      }
      await page.getByRole('navigation', { name: 'Mobile' }).getByRole('link', { name: 'Home' }).click();
      await until('no item is marked', async () => (await page.locator('header [aria-current]').count()) === 0);
    }),
  );

  it(
    'scrolls from its hero buttons to the form and the services, smoothly unless motion is reduced',
    onPage(
      path,
      async ({ page }) => {
        const expected: unknown[] = [];
        for (const [reducedMotion, behavior] of [
          ['no-preference', 'smooth'],
          ['reduce', 'auto'],
        ] as const) {
          await page.emulateMedia({ reducedMotion });
          for (const [link, section] of [
            ['Request a Discovery Session', 'contact'],
            ['See Our AI Services', 'services'],
          ] as const) {
            await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
            await page.getByRole('link', { name: link, exact: true }).click();
            expected.push({ id: section, behavior });
            const noted = await page.evaluate(() => (window as unknown as { scrolls: unknown[] }).scrolls);
            expect(noted).to.deep.equal(expected);
            await until(
              `#${section} at the top of the window`,
              async () =>
                Math.abs(await page.locator(`#${section}`).evaluate((each) => each.getBoundingClientRect().top)) < 84,
            );
            expect(await page.evaluate(() => document.activeElement?.id)).to.equal(section);
          }
        }
      },
      { reducedMotion: 'no-preference', scripts: [noteScrolls] },
    ),
  );

  describe('discovery form', () => {
    describeFormBehaviour({
      path,
      api: '/api/service-inquiry',
      open,
      label: 'Request Discovery Session',
      pendingLabel: 'Submitting...',
      sent,
      failed: 'Failed to submit request. Please try again.',
      example,
      emailMessage: 'Please enter a valid email address',
    });

    it(
      'accepts the longest values in four-byte characters',
      onPage(path, async ({ page }) => {
        const { fill, sendButton, toasts } = open(page);
        const longest = '🌊'.repeat(5_000);
        const values = { ...example(), currentChallenges: longest, aiGoals: longest };
        await fill(values);
        await sendButton.click();
        await toasts.getByText(sent.title).waitFor();
        const [lead] = await stack().leadsOf(values.email);
        expect(lead?.answers['projectDetails'])
          .to.contain(`Current challenges:\n${longest}`)
          .and.contain(`AI goals:\n${longest}`);
      }),
    );

    it(
      'can be completed with the keyboard and is stored as a service inquiry with the raw fields',
      onPage(path, async ({ page }) => {
        const values = example();
        await page.getByRole('link', { name: 'Request a Discovery Session' }).focus();
        await page.keyboard.press('Enter');
        for (const name of Object.keys(labels) as (keyof typeof labels)[]) {
          await page.keyboard.press('Tab');
          await typeText(page, values[name]);
        }
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await open(page).toasts.getByText(sent.title).waitFor();
        const [lead] = await stack().leadsOf(values.email);
        expect(lead?.kind).to.equal('service_inquiry');
        expect(lead?.answers).to.deep.equal({
          ...values,
          serviceType: 'KingRose Discovery',
          service: 'AI Transformation Discovery',
          budget: '$10,000-$20,000',
          urgency: 'High - Discovery Session',
          projectDetails: [
            'Organization type:\nPrivate Equity',
            'Current challenges:\nData rooms take our analysts three weeks.',
            'AI goals:\nA first reading within a day, with sources.',
            'Area of interest:\nAutomated Due Diligence Tools',
          ].join('\n\n'),
        });
      }),
    );
  });

  it(
    'is accessible, empty and with its messages',
    onPage(
      path,
      async ({ page }) => {
        await expectAccessibleEverywhere(page, 'empty');
        await open(page).sendButton.click();
        await expectAccessibleEverywhere(page, 'with messages');
      },
      withAxe,
    ),
  );

  it(
    'is readable without JavaScript, states that the form needs it, and its hero links work',
    onPage(
      path,
      async ({ page }) => {
        for (const [name, section] of [
          ['Request a Discovery Session', 'contact'],
          ['See Our AI Services', 'services'],
        ] as const) {
          await page.getByRole('link', { name, exact: true }).click();
          const top = () => page.locator(`#${section}`).evaluate((each) => each.getBoundingClientRect().top);
          await until(`#${section} at the top of the window`, async () => Math.abs(await top()) < 84);
        }
        expect(await page.getByRole('heading', { level: 2 }).count()).to.be.at.least(6);
        expect(await page.locator('#contact').textContent()).to.contain('needs JavaScript');
      },
      { javaScriptEnabled: false },
    ),
  );
});
