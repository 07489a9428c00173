import { expectAccessibleEverywhere, typeText, withAxe } from '../../src/browser/accessibility.ts';
import { hold, movePointer, untilInteractive } from '../../src/browser/browser.ts';
import { firstVisit, onPage, ownAddress, stack, untouched, withPage } from '../../src/browser/browser-suite.ts';
import { formOn } from '../../src/browser/form-page.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeFormBehaviour } from '../../src/browser/form-behaviour.ts';

const path = '/careers';

const labels = {
  firstName: /^First name/,
  lastName: /^Last name/,
  email: /^Email/,
  phone: /^Phone number/,
  position: /^Position/,
  experience: /^Experience level/,
  portfolio: /^Portfolio/,
  coverLetter: /^Cover letter/,
} as const;

const open = (page: Page) => formOn(page, 'Job application', labels);

const example = () => ({
  firstName: 'Thandi',
  lastName: 'Nkosi',
  email: ownAddress(),
  phone: '+27 21 555 0134',
  position: 'Full Stack Developer',
  experience: 'mid',
  portfolio: 'https://example.com/thandi',
  coverLetter: 'I have built two booking systems and would like to build the third with you.',
});

const sent = {
  title: 'Application Submitted!',
  text: "Thank you for your interest. We'll review your application and get back to you soon.",
};

/** The open positions on the page. */
const postings = [
  ['Senior UGC Content Creator', 'Creative', 'Riyadh', 'Full-time', '15,000-25,000 SAR'],
  ['Full Stack Developer', 'Development', 'Cape Town / Remote', 'Full-time', 'R45,000-R65,000'],
  ['Lead Generation Specialist', 'Marketing', 'Riyadh', 'Full-time', '12,000-20,000 SAR'],
  ['Junior Developer Internship', 'Development', 'Riyadh / Cape Town', 'Internship', 'Paid'],
] as const;

const posting = (page: Page, title: string) =>
  page.locator('#open-positions li').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

const applyButton = (page: Page, title: string) => page.getByRole('button', { name: `Apply Now ${title}` });

/** Waits until the application form is at the top of the window, below the navigation bar. */
const untilAtForm = (page: Page): Promise<unknown> =>
  until('the application form at the top of the window', async () => {
    const top = await page.locator('#application-form').evaluate((element) => element.getBoundingClientRect().top);
    return Math.abs(top) < 84;
  });

const noteScrolls = `window.scrolls = [];
const scrollIntoView = Element.prototype.scrollIntoView;
Element.prototype.scrollIntoView = function (options) {
  window.scrolls.push({ id: this.id, behavior: options?.behavior });
  scrollIntoView.call(this, options);
};`;

const scrolls = (page: Page) =>
  page.evaluate(() => (window as unknown as { scrolls: { id: string; behavior: string }[] }).scrolls);

describe('Careers and Training', () => {
  describe('prerendered', () => {
    const visit = withPage(path, untouched);

    it('has a hero with three benefit tiles', async () => {
      const { page } = visit();
      expect(await page.getByRole('heading', { level: 1 }).count()).to.equal(1);
      const tiles = page.locator('section').first().getByRole('listitem');
      expect(await tiles.count()).to.equal(3);
    });

    it('lists the four positions with all their details', async () => {
      const { page } = visit();
      const titles = page.locator('#open-positions').getByRole('heading', { level: 3 });
      expect(await titles.allTextContents()).to.deep.equal(postings.map(([title]) => title));
      for (const [title, ...facts] of postings) {
        expect(await posting(page, title).locator('dt').allTextContents()).to.deep.equal([
          'Department',
          'Location',
          'Type',
          'Salary',
        ]);
        expect(await posting(page, title).locator('dd').allTextContents(), title).to.deep.equal(facts);
        expect(await posting(page, title).locator('ul li').count(), title).to.be.at.least(3);
      }
    });

    it('lists the three training programs', async () => {
      const { page } = visit();
      const programs = page.locator('#training-programs > div > ul > li');
      const shown = await programs.evaluateAll((entries) =>
        entries.map((entry) => [
          entry.querySelector('h3')?.textContent ?? '',
          /\d+ weeks/.exec(entry.textContent ?? '')?.[0] ?? '',
        ]),
      );
      expect(shown).to.deep.equal([
        ['UGC Mastery Program', '8 weeks'],
        ['MVP Development Bootcamp', '12 weeks'],
        ['Lead Generation Certification', '6 weeks'],
      ]);
      for (const program of await programs.all()) {
        expect(await program.getByRole('img').getAttribute('aria-label')).to.match(/layers, one for each week/);
        expect(await program.locator('ol li').count()).to.be.at.least(3);
      }
    });

    it('has a form without a resume field, in which all fields but one are required', async () => {
      const { page } = visit();
      const { form, field } = open(page);
      const names = await form
        .locator(':is(input, select, textarea):not([aria-hidden="true"], [aria-hidden="true"] *)')
        .evaluateAll((fields) => fields.map((each) => each.getAttribute('name')));
      expect(names).to.deep.equal(Object.keys(labels));
      for (const name of Object.keys(labels) as (keyof typeof labels)[]) {
        const isRequired = (await field(name).getAttribute('required')) !== null;
        expect(isRequired, name).to.equal(name !== 'portfolio');
      }
    });

    it('has the expected options in its form', async () => {
      const { page } = visit();
      const { optionsOf } = open(page);
      expect(await optionsOf('position')).to.deep.equal([
        ['Senior UGC Content Creator', 'Senior UGC Content Creator'],
        ['Full Stack Developer', 'Full Stack Developer'],
        ['Lead Generation Specialist', 'Lead Generation Specialist'],
        ['Junior Developer Internship', 'Junior Developer Internship'],
        ['other', 'Other / General Application'],
      ]);
      expect(await optionsOf('experience')).to.deep.equal([
        ['entry', 'Entry Level (0-2 years)'],
        ['mid', 'Mid Level (2-5)'],
        ['senior', 'Senior Level (5+)'],
        ['lead', 'Lead/Manager (8+)'],
      ]);
    });
  });

  describe('open positions', () => {
    it(
      'select their position in the form and scroll there on Apply Now',
      onPage(path, async ({ page }) => {
        for (const [title] of postings) {
          await page.evaluate(() => window.scrollTo(0, 0));
          await applyButton(page, title).click();
          await untilAtForm(page);
          await until(`${title} is chosen`, async () => (await open(page).field('position').inputValue()) === title);
          expect(await page.evaluate(() => document.activeElement?.id)).to.equal('application-form');
          await page.keyboard.press('Tab');
          expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).to.equal('firstName');
        }
      }),
    );

    it(
      'keep typed text on Apply Now and select the last position, even if it was selected before',
      onPage(path, async ({ page }) => {
        const { put, typed, field } = open(page);
        await put('firstName', 'Thandi');
        await put('coverLetter', 'A beginning');
        for (const title of [postings[1][0], postings[2][0]]) {
          await applyButton(page, title).click();
          await until('the position is chosen', async () => (await field('position').inputValue()) === title);
        }
        await put('position', 'other');
        await applyButton(page, postings[2][0]).click();
        await until(
          'the position is selected again',
          async () => (await field('position').inputValue()) === postings[2][0],
        );
        expect(await typed()).to.include({ firstName: 'Thandi', coverLetter: 'A beginning' });
      }),
    );

    it(
      'select the position of an early Apply Now when the form has loaded, even over a draft',
      onPage(
        path,
        async ({ page }) => {
          const { put, field } = open(page);
          const script = '/assets/CareerApplicationForm-*.js';
          await untilInteractive(page);
          await put('firstName', 'Thandi');
          await put('position', 'other');
          const release = await hold(page, script);
          const asked = page.waitForRequest(`**${script}`);
          await page.reload();
          await movePointer(page);
          await asked;
          await applyButton(page, postings[2][0]).click();
          await untilAtForm(page);
          release();
          await until('the position is chosen', async () => (await field('position').inputValue()) === postings[2][0]);
          await until('the draft is restored', async () => (await field('firstName').inputValue()) === 'Thandi');
          expect(await field('position').inputValue()).to.equal(postings[2][0]);
        },
        firstVisit,
      ),
    );

    describe('with Apply Now and animations enabled', () => {
      const visit = withPage(path, { reducedMotion: 'no-preference', scripts: [noteScrolls] });

      it('select the position before any other event', async () => {
        const { page } = visit();
        const title = postings[1][0];
        const chosen = await applyButton(page, title).evaluate(async (button: HTMLButtonElement) => {
          button.click();
          // Runs before the next event, but after every microtask of the press.
          for (let turns = 0; turns < 20; turns++) await Promise.resolve();
          return document.querySelector<HTMLSelectElement>('[name="position"]')?.value;
        });
        expect(chosen).to.equal(title);
        await untilAtForm(page);
      });

      it('scroll smoothly, and without animation after the visitor enables reduced motion', async () => {
        const { page } = visit();
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await applyButton(page, postings[3][0]).click();
        await untilAtForm(page);
        expect(await scrolls(page)).to.deep.equal([
          { id: 'application-form', behavior: 'smooth' },
          { id: 'application-form', behavior: 'auto' },
        ]);
      });
    });
  });

  describe('application form', () => {
    describeFormBehaviour({
      path,
      api: '/api/careers',
      open,
      label: 'Submit Application',
      pendingLabel: 'Submitting Application...',
      sent,
      failed: 'Failed to submit application. Please try again.',
      example,
      emailMessage: 'Invalid email address',
    });

    it(
      'stores what was typed, and no value for an empty portfolio',
      onPage(path, async ({ page }) => {
        const { fill, sendButton, toasts } = open(page);
        const values = {
          ...example(),
          portfolio: '',
          coverLetter: 'مرحبا 🌊 <b>"Zoë"</b>\n\'; DROP TABLE leads; -- I can say more.',
        };
        await fill(values);
        await sendButton.click();
        await toasts.getByText(sent.title).waitFor();
        const [lead] = await stack().leadsOf(values.email);
        const { portfolio: _portfolio, ...rest } = values;
        expect(lead?.kind).to.equal('career_application');
        expect(lead?.answers).to.deep.equal(rest);
      }),
    );

    it(
      'can be completed with the keyboard, starting with Apply Now',
      onPage(path, async ({ page }) => {
        const values = example();
        await applyButton(page, 'Lead Generation Specialist').focus();
        await page.keyboard.press('Enter');
        await untilAtForm(page);
        const inOrder = [values.firstName, values.lastName, values.email, values.phone, undefined, 'Senior', undefined];
        for (const text of [...inOrder, values.coverLetter]) {
          await page.keyboard.press('Tab');
          if (text !== undefined) await typeText(page, text);
        }
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await open(page).toasts.getByText(sent.title).waitFor();
        const [lead] = await stack().leadsOf(values.email);
        expect(lead?.answers).to.include({ position: 'Lead Generation Specialist', experience: 'senior' });
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
    'is readable without JavaScript and states that the form needs it',
    onPage(
      path,
      async ({ page }) => {
        for (const [title] of postings) expect(await posting(page, title).isVisible()).to.equal(true);
        expect(await page.locator('#application-form').textContent()).to.contain('needs JavaScript');
      },
      { javaScriptEnabled: false },
    ),
  );
});
