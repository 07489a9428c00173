import { brand } from '@dune-tide/domain/brand';
import { composeProjectDetails } from '@dune-tide/domain/forms/project-inquiry';
import { axe, expectAccessibleEverywhere, tabTo } from '@dune-tide/e2e/support/accessibility';
import { stack } from '@dune-tide/e2e/support/browser-suite';
import {
  contactMessage,
  deleteLeads,
  storeLeads,
  storeLeadsOfManyDays,
  type TestLead,
} from '@dune-tide/e2e/support/leads';
import { endSessions, expectOpen, onStaffPage, sendSignIn } from '@dune-tide/e2e/support/staff';
import { expectWithinWindow } from '@dune-tide/e2e/support/toasts';
import { until } from '@dune-tide/e2e/support/until';
import { expect } from 'chai';
import type { BrowserContext, Page, Route } from 'playwright-core';

const path = '/admin/leads';
const lists = ['/api/admin/contacts', '/api/admin/service-inquiries', '/api/admin/careers'] as const;
const [contactsPath, inquiriesPath, careersPath] = lists;
const tabNames = ['All', 'Contact Forms', 'Service Inquiries', 'Career Applications'] as const;

const dialog = (page: Page) => page.getByRole('dialog');
const toasts = (page: Page) => page.getByRole('region', { name: /Notifications/ });
const tab = (page: Page, name: (typeof tabNames)[number]) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
/** Turns to a tab, and waits until its list has taken the other's place. */
async function choose(page: Page, name: (typeof tabNames)[number]): Promise<void> {
  await tab(page, name).click();
  await page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }).waitFor();
}
const rows = (page: Page) => page.locator('tbody tr');
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });

/** The texts of the rows that are there, cell by cell, without the actions. */
async function cells(page: Page): Promise<string[][]> {
  await rows(page).first().waitFor();
  return page.evaluate(() =>
    [...document.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll<HTMLElement>('td:not(:last-child)')].map((cell) => cell.innerText),
    ),
  );
}

/** The fields of the open lead. */
async function fields(page: Page): Promise<Record<string, string>> {
  await dialog(page).locator('dl').waitFor();
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('[role="dialog"] dt')].map((label) => [
        label.innerText,
        (label.nextElementSibling as HTMLElement).innerText.trim(),
      ]),
    ),
  );
}

/** The calls to the API that a page makes, as path and search. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/') && pathname !== '/api/admin/session') calls.push(pathname + search);
  });
  return calls;
}

/** Answers the first calls of a path with these statuses, and hands the others on. */
function answering(api: string, statuses: readonly number[], { from = 0 } = {}) {
  const made: string[] = [];
  return {
    made,
    prepare: async (context: BrowserContext) => {
      await context.route(
        (url) => url.pathname === api,
        async (route: Route) => {
          made.push(new URL(route.request().url()).search);
          const status = statuses[made.length - 1 - from];
          await (status === undefined ? route.continue() : route.fulfill({ status, json: { status } }));
        },
      );
    },
  };
}

const text = '<img src="/nowhere.png" onerror="alert(1)"><script>alert(1)</script> & "quotes" \u202Eright';
const answers = {
  businessDescription: 'We roast coffee\nin Woodstock.',
  projectDescription: 'We want a shop.',
  specificFeatures: 'Subscriptions and gift cards.',
  successCriteria: 'A third of sales online.',
  competitors: 'The roaster next door.',
};
const inquiryAnswers = {
  service: 'Video Testimonials',
  serviceType: 'UGC Creatives',
  urgency: 'Critical - ASAP required',
  budget: '$50,000+',
  timeframe: '1-2 weeks',
  projectDetails: 'Ten films.\n\nThen ten more.',
};
const id = (last: string) => `0192f0c1-2b7e-7c3a-9d53-6f2a10b7c${last}`;
const at = (time: string) => new Date(`2026-03-07T${time}Z`);

/** Newest first; three came in at one moment, of which the ids decide. */
const few: readonly (TestLead & { readonly id: string })[] = [
  {
    id: id('009'),
    kind: 'career_application',
    email: 'zoe@example.com',
    createdAt: at('12:00:00.001'),
    answers: {
      firstName: 'Zoë',
      lastName: 'Botha',
      phone: '+27 21 555 0101',
      position: 'other',
      experience: 'senior',
      portfolioUrl: 'https://work.example.com/zoe',
      coverLetter: 'Dear studio,\n\nI finish what I begin.',
    },
  },
  {
    id: id('008'),
    kind: 'service_inquiry',
    email: 'thabo@example.com',
    status: 'qualified',
    createdAt: at('12:00:00.000'),
    updatedAt: at('15:30:00.000'),
    answers: {
      name: 'Thabo Nkosi',
      company: 'Cape Roasters',
      phone: '+27 21 555 0102',
      goals: 'More calls.',
      ...inquiryAnswers,
    },
  },
  {
    id: id('007'),
    kind: 'contact',
    email: 'noura@example.com',
    createdAt: at('12:00:00.000'),
    answers: { firstName: 'Noura', lastName: 'al-Harbi', service: 'leadgen', message: 'First line\nsecond line' },
  },
  {
    id: id('006'),
    kind: 'career_application',
    email: 'sipho@example.com',
    createdAt: at('12:00:00.000'),
    answers: {
      firstName: 'Sipho',
      lastName: 'Dlamini',
      phone: 'please write',
      position: 'Full Stack Developer',
      experience: 'entry',
      resumeUrl: 'javascript:alert(1)',
      coverLetter: 'Dear studio',
    },
  },
  {
    id: id('005'),
    kind: 'service_inquiry',
    email: 'lerato@example.com',
    createdAt: at('09:00:00.000'),
    answers: {
      ...inquiryAnswers,
      ...answers,
      name: 'Lerato Mokoena',
      service: 'Project Inquiry',
      serviceType: 'MVP Development',
      urgency: 'Low',
      projectDetails: composeProjectDetails(answers),
      goals: answers.successCriteria,
    },
  },
  {
    id: id('004'),
    kind: 'contact',
    email: '"<b>"@example.com',
    createdAt: at('08:00:00.000'),
    answers: { firstName: text, lastName: text, service: 'all', message: text },
  },
  {
    id: id('003'),
    kind: 'service_inquiry',
    email: 'html@example.com',
    status: 'lost',
    createdAt: at('07:00:00.000'),
    answers: {
      name: text,
      company: text,
      phone: text,
      service: text,
      serviceType: text,
      urgency: text,
      budget: text,
      timeframe: text,
      projectDetails: text,
      goals: text,
    },
  },
  {
    id: id('002'),
    kind: 'career_application',
    email: 'html@example.com',
    createdAt: at('06:00:00.000'),
    answers: {
      firstName: text,
      lastName: text,
      phone: text,
      position: text,
      experience: 'mid',
      portfolioUrl: `https://${text}`,
      resumeUrl: `javascript:${text}`,
      coverLetter: text,
    },
  },
  {
    id: id('001'),
    kind: 'portfolio_request',
    email: 'priya@example.com',
    createdAt: at('05:00:00.000'),
    answers: { source: 'portfolio_view' },
  },
];

/** As a browser's address bar has them; the server knows none of them. */
const unknownIds = [id('fff'), 'abc', '%00', '..%2f..%2fstats'];

const callFor = (lead: string) => `/api/admin/leads/${encodeURIComponent(decodeURIComponent(lead))}`;

const shown = (lead: string) => `${path}/${lead}`;

describe('The leads page', () => {
  after(() => deleteLeads(stack().database));

  describe('without leads', () => {
    before(() => deleteLeads(stack().database));

    it(
      'says so on each tab',
      onStaffPage(path, async ({ page }) => {
        await page.getByText('No leads yet.').waitFor();
        for (const [name, words] of [
          ['Contact Forms', 'No contact submissions yet.'],
          ['Service Inquiries', 'No service inquiries yet.'],
          ['Career Applications', 'No career applications yet.'],
        ] as const) {
          await choose(page, name);
          expect(await page.getByText(words, { exact: true }).isVisible(), name).to.equal(true);
          expect(await tab(page, name).textContent()).to.equal(`${name}0`);
        }
      }),
    );
  });

  describe('with a lead that is taken for spam', () => {
    const suspect: TestLead & { readonly id: string } = {
      id: id('0aa'),
      kind: 'contact',
      email: 'khalid@example.com',
      answers: { firstName: 'Khalid', lastName: 'Nasser', service: 'mvp', message: 'I fill in forms quickly.' },
    };
    const chip = (page: Page) => page.getByText('Possible spam', { exact: true });
    const owed = (): Promise<string[]> =>
      stack().database('follow_ups').where({ lead_id: suspect.id }).orderBy('kind').pluck('kind');

    beforeEach(async () => {
      const { database } = stack();
      await deleteLeads(database);
      await storeLeads(database, [suspect, contactMessage]);
      await database('leads').where({ id: suspect.id }).update({ spam_sign: 'too_fast' });
    });

    it(
      'marks it in the table and in its details, and lets it go with Not spam',
      onStaffPage(path, async ({ page, count }) => {
        const row = rows(page).filter({ hasText: 'Khalid Nasser' });
        await row.getByText('Possible spam').waitFor();
        expect(await chip(page).count()).to.equal(1);
        for (const name of ['Contact Forms', 'All'] as const) {
          await choose(page, name);
          await row.getByText('Possible spam').waitFor();
        }

        await row.getByRole('link', { name: 'View Khalid Nasser' }).click();
        await dialog(page)
          .getByText('It was sent faster than people fill in a form. No email was sent for it.')
          .waitFor();
        await tabTo(page, 'Not spam');
        await page.keyboard.press('Enter');
        await toasts(page).getByText('Follow-ups are on their way.', { exact: true }).waitFor();

        await until('the mark is gone, in the table as well', async () => (await chip(page).count()) === 0);
        expect(await dialog(page).getByRole('button', { name: 'Not spam' }).count()).to.equal(0);
        await until('the focus is on a button that stays', () =>
          page.evaluate(() => document.activeElement?.textContent === 'Send Email'),
        );
        expect(await owed()).to.deep.equal(['acknowledgement', 'staff_notice']);
        expect((await stack().mailTo(suspect.email)).envelope.to).to.deep.equal([suspect.email]);
        expect(count('GET /api/admin/contacts'), 'reads of the list').to.equal(1);
      }),
    );

    it(
      'says when it could not be let go, and keeps the mark and the button',
      onStaffPage(
        `${path}/${suspect.id}`,
        async ({ page }) => {
          await page.route('**/release', (route) => route.fulfill({ status: 503, json: { status: 503 } }));
          await dialog(page).getByRole('button', { name: 'Not spam' }).click();
          await toasts(page).getByText('The lead could not be released. Please try again.', { exact: true }).waitFor();
          expect(await dialog(page).getByText('Possible spam', { exact: true }).isVisible()).to.equal(true);
          await page.unroute('**/release');
          await dialog(page).getByRole('button', { name: 'Not spam' }).click();
          await toasts(page).getByText('Follow-ups are on their way.', { exact: true }).waitFor();
          expect(await owed()).to.deep.equal(['acknowledgement', 'staff_notice']);
        },
        { failing: [`/api/admin/leads/${suspect.id}/release`] },
      ),
    );
  });

  describe('with a few leads', () => {
    before(async () => {
      await deleteLeads(stack().database);
      await storeLeads(stack().database, few);
    });

    it(
      'shows all of them, the newest first over the three sources, under its title, tabs and columns',
      onStaffPage(path, async ({ page }) => {
        await page.getByRole('heading', { level: 1, name: 'CRM & Lead Management' }).waitFor();
        expect((await cells(page)).slice(0, 5)).to.deep.equal([
          ['Career Application', 'Zoë Botha', 'zoe@example.com', 'Other / General Application', 'New', 'Mar 07, 2026'],
          ['Service Inquiry', 'Thabo Nkosi', 'thabo@example.com', 'Video Testimonials', 'Qualified', 'Mar 07, 2026'],
          ['Contact Form', 'Noura al-Harbi', 'noura@example.com', 'Lead Generation Systems', 'New', 'Mar 07, 2026'],
          ['Career Application', 'Sipho Dlamini', 'sipho@example.com', 'Full Stack Developer', 'New', 'Mar 07, 2026'],
          [
            'Service Inquiry',
            'Lerato Mokoena',
            'lerato@example.com',
            'MVP Development\nProject Inquiry',
            'New',
            'Mar 07, 2026',
          ],
        ]);
        expect(await rows(page).count()).to.equal(8);
        expect(await page.getByRole('table').getAttribute('aria-rowcount')).to.equal('9');
        expect(await page.getByRole('row').evaluateAll((all) => all.map((row) => row.ariaRowIndex))).to.deep.equal([
          '1',
          '2',
          '3',
          '4',
          '5',
          '6',
          '7',
          '8',
          '9',
        ]);
        expect(await page.getByRole('tab').allTextContents()).to.deep.equal([
          'All8',
          'Contact Forms2',
          'Service Inquiries3',
          'Career Applications3',
        ]);

        const columns = async () => page.getByRole('columnheader').allTextContents();
        expect(await columns()).to.deep.equal([
          'Type',
          'Name',
          'Email',
          'Service/Position',
          'Status',
          'Date',
          'Actions',
        ]);
        await choose(page, 'Contact Forms');
        expect(await columns()).to.deep.equal(['Name', 'Email', 'Service', 'Message', 'Date', 'Actions']);
        expect((await cells(page))[0]).to.deep.equal([
          'Noura al-Harbi',
          'noura@example.com',
          'Lead Generation Systems',
          'First line second line',
          'Mar 07, 2026',
        ]);
        await choose(page, 'Service Inquiries');
        expect(await columns()).to.deep.equal(['Name', 'Email', 'Service', 'Urgency', 'Status', 'Date', 'Actions']);
        expect((await cells(page)).slice(0, 2)).to.deep.equal([
          [
            'Thabo Nkosi\nCape Roasters',
            'thabo@example.com',
            'Video Testimonials\n$50,000+',
            'Critical',
            'Qualified',
            'Mar 07, 2026',
          ],
          [
            'Lerato Mokoena',
            'lerato@example.com',
            'MVP Development\nProject Inquiry · $50,000+',
            'Low',
            'New',
            'Mar 07, 2026',
          ],
        ]);
        await choose(page, 'Career Applications');
        expect(await columns()).to.deep.equal(['Name', 'Email', 'Position', 'Experience', 'Date', 'Actions']);
        expect((await cells(page))[0]).to.deep.equal([
          'Zoë Botha\n+27 21 555 0101',
          'zoe@example.com',
          'Other / General Application',
          'Senior Level (5+)',
          'Mar 07, 2026',
        ]);

        await page.reload();
        await rows(page).first().waitFor();
        expect(await tab(page, 'Career Applications').getAttribute('aria-selected'), 'the tab stays').to.equal('true');
        await page.getByRole('link', { name: 'Back to Dashboard' }).click();
        await page.waitForURL('**/admin/dashboard');
      }),
    );

    for (const [width, height] of [
      [1440, 900],
      [1280, 800],
      [1100, 800],
    ] as const) {
      it(
        `is a table under a head that names each column, with every entry whole, in a window of ${width} px`,
        onStaffPage(
          path,
          async ({ page }) => {
            for (const name of tabNames) {
              await choose(page, name);
              await rows(page).first().waitFor();
              for (const head of await page.getByRole('columnheader').all()) {
                const { x, width: own } = (await head.boundingBox())!;
                expect(own, 'a head that is seen').to.be.above(20);
                const column = await head.evaluate((element) => [...element.parentElement!.children].indexOf(element));
                const cell = (await rows(page).first().getByRole('cell').nth(column).boundingBox())!;
                expect(x + own, `${await head.innerText()} above its cells`).to.be.closeTo(cell.x + cell.width, 1);
              }
              const cut = await rows(page)
                .filter({ hasNotText: '<script>' })
                .locator('.line:visible')
                .evaluateAll((all) =>
                  all.filter((line) => line.scrollWidth > line.clientWidth).map((line) => line.textContent),
                );
              expect(cut, name).to.deep.equal([]);
            }
            expect((await rows(page).first().boundingBox())!.height).to.be.below(60);
          },
          { width, height },
        ),
      );
    }

    it(
      'says on paper which leads they are, and prints no rows that are still to come',
      onStaffPage(path, async ({ page }) => {
        await page.route(`**${contactsPath}`, () => undefined);
        await page.reload();
        await page.getByRole('status', { name: 'Loading leads' }).waitFor();
        await page.emulateMedia({ media: 'print' });
        expect(await page.getByText('All leads', { exact: true }).isVisible()).to.equal(true);
        expect(await page.getByRole('heading', { level: 1 }).isVisible()).to.equal(true);
        expect(await page.locator('.MuiSkeleton-root:visible').count()).to.equal(0);
      }),
    );

    it(
      'is a compact list with the same cells in a narrow window',
      onStaffPage(
        path,
        async ({ page }) => {
          const visible = (await cells(page)).slice(0, 1).map((row) => row.filter((cell) => cell !== ''));
          expect(visible).to.deep.equal([
            [
              'Career Application',
              'Zoë Botha',
              'zoe@example.com',
              'Other / General Application',
              'New',
              'Mar 07, 2026',
            ],
          ]);
          expect(await page.getByRole('cell').count()).to.equal(8 * 7);
          expect(await page.getByRole('columnheader').allTextContents()).to.include('Service/Position');
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390);
        },
        { width: 390 },
      ),
    );

    describe('the details', () => {
      it(
        'are at an address of their own: open, Back, forward and closing move through the history',
        onStaffPage(path, async ({ page }) => {
          await cells(page);
          const calls = callsOf(page);
          await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
          expect(await fields(page)).to.deep.equal({
            'First name': 'Noura',
            'Last name': 'al-Harbi',
            Email: 'noura@example.com',
            Service: 'Lead Generation Systems',
            Status: 'New',
            Received: 'Mar 07, 2026 12:00',
            Message: 'First line\nsecond line',
          });
          expect(new URL(page.url()).pathname).to.equal(shown(id('007')));
          expect(await page.title()).to.equal(`Noura al-Harbi – Leads – ${brand.name} Admin`);
          await page.goBack();
          await dialog(page).waitFor({ state: 'detached' });
          expect(new URL(page.url()).pathname).to.equal(path);
          expect(await page.title()).to.equal(`Leads – ${brand.name} Admin`);
          await page.goForward();
          await dialog(page).getByRole('button', { name: 'Send Email' }).click();
          await dialog(page).getByLabel('Message').fill('Half a letter');
          await page.goBack();
          await dialog(page).waitFor({ state: 'detached' });
          await page.goForward();
          expect(await fields(page), 'begins with the details again').to.include({ 'First name': 'Noura' });
          // The second Escape comes before the history has answered the first.
          await page.evaluate(() => {
            for (const key of ['Escape', 'Escape']) {
              document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            }
          });
          await dialog(page).waitFor({ state: 'detached' });
          expect(new URL(page.url()).pathname).to.equal(path);
          expect(calls, 'what the table has is not asked for again').to.deep.equal([]);
        }),
      );

      it(
        'of an inquiry and of applications show each field, those of a project inquiry its answers once, and links only where they lead to the web',
        onStaffPage(shown(id('008')), async ({ page }) => {
          expect(await fields(page)).to.deep.equal({
            Name: 'Thabo Nkosi',
            Email: 'thabo@example.com',
            Company: 'Cape Roasters',
            'Phone number': '+27 21 555 0102',
            Service: 'Video Testimonials',
            'Service type': 'UGC Creatives',
            'Budget range': '$50,000+',
            Timeframe: '1-2 weeks',
            'Urgency level': 'Critical - ASAP required',
            Status: 'Qualified',
            Received: 'Mar 07, 2026 12:00',
            Updated: 'Mar 07, 2026 15:30',
            'Project details': 'Ten films.\n\nThen ten more.',
            Goals: 'More calls.',
          });
          const hrefs = () =>
            dialog(page)
              .locator('dl a')
              .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
          expect(await hrefs()).to.deep.equal(['mailto:thabo@example.com', 'tel:+27215550102']);
          await dialog(page).getByRole('button', { name: 'Close' }).last().click();
          await dialog(page).waitFor({ state: 'detached' });

          await page.getByRole('link', { name: 'View Zoë Botha' }).click();
          expect(await fields(page)).to.deep.equal({
            'First name': 'Zoë',
            'Last name': 'Botha',
            Email: 'zoe@example.com',
            'Phone number': '+27 21 555 0101',
            Position: 'Other / General Application',
            'Experience level': 'Senior Level (5+)',
            Portfolio: 'https://work.example.com/zoe',
            Resume: 'Not given',
            Status: 'New',
            Received: 'Mar 07, 2026 12:00',
            'Cover letter': 'Dear studio,\n\nI finish what I begin.',
          });
          const link = dialog(page).getByRole('link', { name: 'https://work.example.com/zoe' });
          expect(await link.getAttribute('rel')).to.equal('noopener noreferrer nofollow');
          await page.keyboard.press('Escape');
          await dialog(page).waitFor({ state: 'detached' });

          await page.getByRole('link', { name: 'View Sipho Dlamini' }).click();
          expect(await fields(page)).to.include({ Resume: 'javascript:alert(1)', 'Phone number': 'please write' });
          expect(await hrefs(), 'neither is a link').to.deep.equal(['mailto:sipho@example.com']);
          await page.keyboard.press('Escape');
          await dialog(page).waitFor({ state: 'detached' });

          await page.getByRole('link', { name: 'View Lerato Mokoena' }).click();
          const all = await fields(page);
          expect(Object.keys(all).slice(12)).to.deep.equal([
            'Business description',
            'Project description',
            'Specific features',
            'Success criteria',
            'Competitors',
          ]);
          expect(all).to.include({ 'Business description': answers.businessDescription, Company: 'Not given' });
        }),
      );

      const failing = answering(`/api/admin/leads/${id('001')}`, [503]);
      it(
        'opened from a mail, of a portfolio request too, are loaded by their id; after a failure by Try again; and give way to the email dialog, and at last to the table',
        onStaffPage(
          shown(id('001')),
          async ({ page }) => {
            await dialog(page).getByText('The lead could not be loaded.').waitFor();
            expect(failing.made).to.have.length(1);
            await tryAgain(page).click();
            const request = {
              Email: 'priya@example.com',
              Source: 'portfolio_view',
              Status: 'New',
              Received: 'Mar 07, 2026 05:00',
            };
            expect(await fields(page)).to.deep.equal(request);

            await dialog(page).getByRole('button', { name: 'Send Email' }).click();
            expect(await dialog(page).getByLabel('Subject').inputValue()).to.equal(`Re: Your inquiry - ${brand.name}`);
            await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
            await toasts(page).getByText('Email sent to priya@example.com successfully.', { exact: true }).waitFor();
            expect(await fields(page)).to.deep.equal(request);

            await page.keyboard.press('Escape');
            await dialog(page).waitFor({ state: 'detached' });
            expect(new URL(page.url()).pathname).to.equal(path);
            expect(await rows(page).count()).to.equal(8);
          },
          { prepare: failing.prepare, failing: [`/api/admin/leads/${id('001')}`] },
        ),
      );

      it(
        'tell of each time that the address is copied, and no longer than it takes to see it',
        onStaffPage(
          shown(id('009')),
          async ({ page }) => {
            const copy = dialog(page).getByRole('button', { name: 'Copy the address' });
            await copy.waitFor();
            const icon = await copy.innerHTML();
            for (const time of ['first', 'second']) {
              await copy.click();
              await dialog(page).getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
              expect(await copy.innerHTML(), `after the ${time} copy`).to.not.equal(icon);
              await dialog(page).getByText('Copied', { exact: true }).waitFor({ state: 'detached' });
              expect(await copy.innerHTML()).to.equal(icon);
            }
            expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('zoe@example.com');
            await dialog(page)
              .locator('dd')
              .getByRole('status')
              .evaluate((status) => {
                const heard: string[] = [];
                Object.assign(window, { heard });
                new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true });
              });
            for (const copies of [1, 2]) {
              await copy.click();
              await page.waitForFunction((expected) => {
                const { heard } = window as unknown as { heard: string[] };
                return heard.filter((each) => each === 'Copied').length === expected;
              }, copies);
            }
          },
          { prepare: (context) => context.grantPermissions(['clipboard-read', 'clipboard-write']) },
        ),
      );

      it(
        'of no lead say so, whatever the address is',
        onStaffPage(
          path,
          async ({ page }) => {
            for (const wrong of unknownIds) {
              const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === callFor(wrong));
              await page.evaluate((address) => {
                history.pushState(null, '', address);
                dispatchEvent(new PopStateEvent('popstate'));
              }, shown(wrong));
              expect((await answered).status()).to.equal(404);
              await dialog(page).getByText('There is no such lead.').waitFor();
            }
            await dialog(page).getByRole('button', { name: 'Show all leads' }).click();
            await dialog(page).waitFor({ state: 'detached' });
            expect(new URL(page.url()).pathname).to.equal(path);
          },
          {
            failing: unknownIds.map(callFor),
          },
        ),
      );
    });

    it(
      'shows markup in any field as text, in the tables and the details',
      onStaffPage(path, async ({ page }) => {
        const expectAsText = async (what: string, all: readonly string[], atLeast: number) => {
          const marked = all.filter((value) => value.includes('<script>'));
          expect(
            marked.every((value) => value.includes(text)),
            what,
          ).to.equal(true);
          expect(marked.length, what).to.be.at.least(atLeast);
          expect(await page.locator('[role="dialog"], tbody').locator('img, script').count(), what).to.equal(0);
        };
        for (const [name, atLeast] of [
          ['Contact Forms', 2],
          ['Service Inquiries', 2],
          ['Career Applications', 2],
          ['All', 5],
        ] as const) {
          await choose(page, name);
          await expectAsText(name, (await cells(page)).flat(), atLeast);
        }
        for (const lead of ['004', '003', '002']) {
          await page.locator(`a[href="${shown(id(lead))}"]`).click();
          await expectAsText(lead, Object.values(await fields(page)), 3);
          const links = await dialog(page)
            .locator('a')
            .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
          expect(links.join(' ')).not.to.match(/javascript|alert/);
          await page.keyboard.press('Escape');
          await dialog(page).waitFor({ state: 'detached' });
        }
      }),
    );

    describe('the email dialog', () => {
      const subjects = {
        'Noura al-Harbi': ['noura@example.com', `Re: Lead Generation Systems - ${brand.name}`, 'Hello Noura,'],
        'Thabo Nkosi': ['thabo@example.com', `Re: Video Testimonials - ${brand.name}`, 'Hello Thabo Nkosi,'],
        'Zoë Botha': ['zoe@example.com', `Re: Other / General Application - ${brand.name}`, 'Hello Zoë,'],
      } as const;

      it(
        'begins with a subject and a greeting for each kind, closes by Send with its toast and no call, by Cancel, by Escape and by the backdrop',
        onStaffPage(path, async ({ page }) => {
          await rows(page).first().waitFor();
          const calls = callsOf(page);
          for (const [name, [address, subject, greeting]] of Object.entries(subjects)) {
            await page.getByRole('button', { name: `Email ${name}` }).click();
            expect(await dialog(page).getByLabel('To').inputValue()).to.equal(address);
            expect(await dialog(page).getByLabel('Subject').inputValue()).to.equal(subject);
            expect((await dialog(page).getByLabel('Message').inputValue()).split('\n')[0]).to.equal(greeting);
            await dialog(page).getByLabel('Message').fill('We would like to talk.');
            await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
            await toasts(page).getByText('Email Sent', { exact: true }).waitFor();
            await toasts(page).getByText(`Email sent to ${address} successfully.`, { exact: true }).waitFor();
            await dialog(page).waitFor({ state: 'detached' });
          }

          const open = async () => {
            await page.getByRole('button', { name: 'Email Noura al-Harbi' }).click();
            await dialog(page).getByLabel('Subject').waitFor();
          };
          const backdrop = () => page.mouse.click(12, 880);
          for (const close of [
            () => dialog(page).getByRole('button', { name: 'Cancel' }).click(),
            () => page.keyboard.press('Escape'),
            backdrop,
          ]) {
            await open();
            await close();
            await dialog(page).waitFor({ state: 'detached' });
          }
          expect(calls).to.deep.equal([]);
        }),
      );
    });

    describe('a reply', () => {
      const message = (page: Page) => dialog(page).getByLabel('Message');
      const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
      const focusedName = (page: Page) =>
        page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent);
      const question = (page: Page) => dialog(page).getByText('Discard what you have written?');
      const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
        Escape: (page) => page.keyboard.press('Escape'),
        Cancel: (page) => press(page, 'Cancel'),
        Close: (page) => press(page, 'Close'),
        'the backdrop': (page) => page.mouse.click(12, 880),
      };

      for (const [place, open, left] of [
        [
          'over the table',
          (page: Page) => page.getByRole('button', { name: 'Email Noura al-Harbi' }).click(),
          (page: Page) => dialog(page).waitFor({ state: 'detached' }),
        ],
        [
          'in place of the details',
          async (page: Page) => {
            if ((await dialog(page).count()) === 0)
              await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
            await press(page, 'Send Email');
          },
          (page: Page) => dialog(page).locator('dl').waitFor(),
        ],
      ] as const) {
        it(
          `${place} is given up only by those who say so`,
          onStaffPage(path, async ({ page }) => {
            await rows(page).first().waitFor();
            await open(page);
            for (const [way, leave] of Object.entries(ways)) {
              const letter = `Half a letter, left by ${way}`;
              await message(page).fill(letter);
              await leave(page);
              await question(page).waitFor();
              expect(await focusedName(page)).to.equal('Keep editing');
              await page.keyboard.press('Enter');
              await question(page).waitFor({ state: 'detached' });
              expect(await message(page).inputValue()).to.equal(letter);
              expect(await focusedName(page), `the focus after ${way}`).to.be.oneOf(['subject', 'body']);
            }
            await expectOpen(page);
            await page.keyboard.press('Escape');
            await press(page, 'Discard');
            await left(page);
            await open(page);
            expect(await message(page).inputValue()).to.match(/^Hello Noura,/);
          }),
        );
      }

      it(
        'is asked about when Escape follows the last key at once',
        onStaffPage(shown(id('007')), async ({ page }) => {
          await press(page, 'Send Email');
          await message(page).evaluate(async (field: HTMLTextAreaElement) => {
            // Past the setter of React, which takes only what the browser has put there for a change.
            Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'Half a letter');
            field.dispatchEvent(new InputEvent('input', { bubbles: true }));
            await Promise.resolve();
            field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
          });
          await question(page).waitFor();
        }),
      );

      it(
        'is still there after the session has ended, for its lead only, until it is sent',
        onStaffPage(
          shown(id('007')),
          async ({ page, account }) => {
            page.on('dialog', (leaving) => void leaving.accept());
            await press(page, 'Send Email');
            await message(page).fill('Half a letter');
            await endSessions(account);
            await page.reload();
            await page.waitForURL('**/admin/login?**');
            await sendSignIn(page, account);
            await press(page, 'Send Email');
            expect(await message(page).inputValue()).to.equal('Half a letter');
            await page.goBack();
            await page.goto(new URL(shown(id('009')), stack().siteUrl).href);
            await press(page, 'Send Email');
            expect(await message(page).inputValue()).to.match(/^Hello Zoë,/);
            await page.goto(new URL(shown(id('007')), stack().siteUrl).href);
            await press(page, 'Send Email');
            await press(page, 'Send');
            await toasts(page).getByText('Email sent to noura@example.com successfully.').waitFor();
            await press(page, 'Send Email');
            expect(await message(page).inputValue()).to.match(/^Hello Noura,/);
          },
          { failing: ['/api/admin/session'] },
        ),
      );

      it(
        'needs a subject and a message, and Enter in the subject goes on to the message',
        onStaffPage(
          path,
          async ({ page }) => {
            await page.getByRole('button', { name: 'Email Noura al-Harbi' }).click();
            const subject = dialog(page).getByLabel('Subject');
            await subject.press('Enter');
            expect(await focusedName(page)).to.equal('body');
            await expectOpen(page);
            await subject.fill('');
            await message(page).fill(' \n ');
            await press(page, 'Send');
            for (const fault of ['Subject is required', 'Message is required']) {
              await dialog(page).getByText(fault, { exact: true }).waitFor();
            }
            expect(await focusedName(page)).to.equal('subject');
            expect(await toasts(page).innerText()).to.equal('');
            await expectAccessibleEverywhere(page, 'the faults');
            await press(page, 'Cancel');
            await question(page).waitFor();
            await expectAccessibleEverywhere(page, 'the question');
            await press(page, 'Keep editing');
            await subject.fill('Your films');
            await message(page).fill('Dear Noura');
            await press(page, 'Send');
            await toasts(page).getByText('Email sent to noura@example.com successfully.').waitFor();
          },
          { scripts: [axe] },
        ),
      ).timeout(90_000);
    });

    describe('the toast for the longest of addresses', () => {
      const address = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}museum`;
      before(() =>
        storeLeads(stack().database, [{ ...contactMessage, email: address, createdAt: at('13:00:00.000') }]),
      );
      after(() => stack().database('leads').where({ email: address }).delete());

      for (const width of [1440, 390]) {
        it(
          `keeps it and its button in a window of ${width} px`,
          onStaffPage(
            path,
            async ({ page }) => {
              await rows(page).first().getByRole('button').click();
              await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
              await toasts(page).getByText(`Email sent to ${address} successfully.`, { exact: true }).waitFor();
              await expectWithinWindow(page);
              const card = toasts(page).locator('[data-tone]');
              expect(await card.evaluate((element) => element.scrollWidth - element.clientWidth)).to.equal(0);
              await toasts(page).getByRole('button', { name: 'Dismiss notification' }).click();
              await toasts(page).getByText('Email Sent', { exact: true }).waitFor({ state: 'detached' });
            },
            { width },
          ),
        );
      }
    });

    describe('reads', () => {
      it(
        'each list once, and never again by itself; Refresh reads them anew',
        onStaffPage(
          path,
          async ({ page, context }) => {
            await rows(page).first().waitFor();
            const calls = callsOf(page);
            await context.setOffline(true);
            await context.setOffline(false);
            await page.evaluate(() => {
              for (const name of ['focus', 'online']) window.dispatchEvent(new Event(name));
              document.dispatchEvent(new Event('visibilitychange'));
            });
            await page.clock.runFor('01:00:00');
            await page.getByRole('link', { name: 'Recipes' }).click();
            await page.getByRole('heading', { name: 'Recipe Management' }).waitFor();
            const before = calls.filter((call) => lists.some((list) => call.startsWith(list)));
            await page.getByRole('link', { name: 'Leads' }).click();
            await rows(page).first().waitFor();
            await choose(page, 'Contact Forms');
            expect(before.concat(calls.filter((call) => lists.some((list) => call.startsWith(list))))).to.deep.equal(
              [],
            );

            await storeLeads(stack().database, [
              {
                kind: 'contact',
                email: 'new@example.com',
                answers: { firstName: 'Reem', lastName: 'Qahtani', service: 'ugc', message: 'A new message' },
              },
            ]);
            await page.getByRole('button', { name: 'Refresh' }).click();
            await page.getByText('Reem Qahtani').waitFor();
            expect(await tab(page, 'Contact Forms').textContent()).to.equal('Contact Forms3');
            await until('all lists are read', () => calls.length >= 3);
            expect(calls.filter((call) => call.startsWith('/api/admin/')).sort()).to.include.members([...lists]);
            await stack().database('leads').where({ email: 'new@example.com' }).delete();
          },
          { hasOwnClock: true },
        ),
      );

      const unauthorized = answering(careersPath, [401]);
      it(
        'and leads to the login on a 401, which is not tried again',
        onStaffPage(
          path,
          async ({ page }) => {
            await page.waitForURL('**/admin/login?**');
            expect(new URL(page.url()).searchParams.get('from')).to.equal(path);
            await page.clock.runFor(30_000);
            expect(unauthorized.made).to.have.length(1);
          },
          { prepare: unauthorized.prepare, failing: [careersPath], hasOwnClock: true },
        ),
      );

      const twice = answering(inquiriesPath, [500, 500]);
      it(
        'again after a failure, twice at most without a word',
        onStaffPage(
          path,
          async ({ page }) => {
            expect(await cells(page)).to.have.length(8);
            expect(twice.made).to.have.length(3);
            expect(await page.getByRole('alert').count()).to.equal(0);
          },
          { prepare: twice.prepare, failing: [inquiriesPath] },
        ),
      );

      const thrice = answering(contactsPath, [500, 503, 500]);
      it(
        'then says so, keeps what it has, and reads on with Try again',
        onStaffPage(
          path,
          async ({ page }) => {
            await page.getByText('The leads could not be loaded.').waitFor();
            await expectAccessibleEverywhere(page, 'the failure');
            expect(thrice.made).to.have.length(3);
            await choose(page, 'Career Applications');
            expect(await cells(page), 'the other lists are there').to.have.length(3);
            await choose(page, 'All');
            await tryAgain(page).click();
            expect(await cells(page)).to.have.length(8);
            expect(thrice.made).to.have.length(4);
          },
          { scripts: [axe], prepare: thrice.prepare, failing: [contactsPath] },
        ),
      );

      const refresh = answering(contactsPath, [500, 500, 500], { from: 1 });
      it(
        'and keeps the leads when Refresh fails',
        onStaffPage(
          path,
          async ({ page }) => {
            await rows(page).first().waitFor();
            await page.getByRole('button', { name: 'Refresh' }).click();
            await page.getByText('The leads could not be refreshed. You see them as they were.').waitFor();
            expect(await cells(page)).to.have.length(8);
            await tryAgain(page).click();
            await page.getByRole('alert').waitFor({ state: 'detached' });
            await until('the fifth call', () => refresh.made.length === 5);
            await page.locator('button[aria-busy="false"]', { hasText: 'Refresh' }).waitFor();
            expect(refresh.made).to.have.length(5);
          },
          { prepare: refresh.prepare, failing: [contactsPath] },
        ),
      );
    });

    describe('is for everyone:', () => {
      const mark = (sign: { spam_sign: string | null }) =>
        stack()
          .database('leads')
          .where({ id: id('005') })
          .update(sign);
      afterEach(() => mark({ spam_sign: null }));

      it(
        'axe finds nothing in the table, the details and the email dialog, of a marked lead too, light and dark, wide and narrow',
        onStaffPage(
          path,
          async ({ page }) => {
            await rows(page).first().waitFor();
            await expectAccessibleEverywhere(page, 'the table');
            await page.getByRole('link', { name: 'View Lerato Mokoena' }).click();
            await fields(page);
            await expectAccessibleEverywhere(page, 'the details');
            await dialog(page).getByRole('button', { name: 'Send Email' }).click();
            await expectAccessibleEverywhere(page, 'the email dialog');
          },
          { scripts: [axe], prepare: () => mark({ spam_sign: 'too_fast' }) },
        ),
      ).timeout(90_000);

      it(
        'the keyboard alone opens, writes and closes, and the focus goes in, stays and comes back',
        onStaffPage(path, async ({ page }) => {
          await rows(page).first().waitFor();
          const focused = () =>
            page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
          const staysWithin = async () => {
            for (let presses = 0; presses < 9; presses++) {
              await page.keyboard.press(presses % 4 === 3 ? 'Shift+Tab' : 'Tab');
              expect(await page.evaluate(() => document.activeElement?.closest('#page') !== null)).to.equal(false);
            }
          };
          await tabTo(page, 'View Noura al-Harbi');
          await page.keyboard.press('Enter');
          await dialog(page).waitFor();
          expect(
            await page.evaluate(() => document.activeElement?.closest('[role="dialog"], .MuiDialog-root') !== null),
          ).to.equal(true);
          await staysWithin();
          await tabTo(page, 'Send Email');
          await page.keyboard.press('Enter');
          await dialog(page).getByLabel('Message').waitFor();
          expect(await page.evaluate(() => document.activeElement?.tagName)).to.equal('TEXTAREA');
          await staysWithin();
          await page.keyboard.press('Escape');
          await dialog(page).locator('dl').waitFor();
          expect(await focused()).to.equal('Send Email');
          await page.keyboard.press('Escape');
          await dialog(page).waitFor({ state: 'detached' });
          expect(await focused()).to.equal('View Noura al-Harbi');

          await tabTo(page, 'Email Noura al-Harbi');
          await page.keyboard.press('Enter');
          await dialog(page).getByLabel('Message').waitFor();
          await page.keyboard.type('Dear Noura');
          await tabTo(page, 'Send');
          await page.keyboard.press('Enter');
          await toasts(page).getByText('Email sent to noura@example.com successfully.').waitFor();
          await dialog(page).waitFor({ state: 'detached' });
          expect(await focused()).to.equal('Email Noura al-Harbi');
        }),
      );
    });
  });

  describe('with thousands of leads', () => {
    let inOrder: string[];

    before(async function () {
      await deleteLeads(stack().database);
      await storeLeadsOfManyDays(stack().database, 2_500);
      inOrder = await stack()
        .database('leads')
        .whereNot({ kind: 'portfolio_request' })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .pluck('id');
    });

    it(
      'scrolls through them in order, with as many rows in the document as at the beginning',
      onStaffPage(path, async ({ page }) => {
        expect(inOrder.length).to.be.above(2_000);
        const total = inOrder.length.toLocaleString('en-US');
        await rows(page).first().waitFor();
        expect(await tab(page, 'All').textContent()).to.equal(`All${total}`);
        expect(await page.getByRole('table').getAttribute('aria-rowcount')).to.equal(String(inOrder.length + 1));

        // To the end of what is loaded, again and again: there the pages of the three sources meet.
        const { seen, mostRows } = await page.evaluate(async (wanted) => {
          const found: Record<number, string> = {};
          const deadline = performance.now() + 30_000;
          let most = 0;
          while (found[wanted] === undefined && performance.now() < deadline) {
            const present = [...document.querySelectorAll('tbody tr')];
            most = Math.max(most, present.length);
            for (const row of present) {
              found[Number(row.ariaRowIndex) - 1] = row.querySelector('a')?.pathname.split('/').at(-1) ?? '';
            }
            const last = document.querySelector('tbody')?.getBoundingClientRect().bottom ?? 0;
            window.scrollBy(0, Math.min(last - window.innerHeight / 2, wanted * 54 - window.scrollY));
            await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          }
          return { seen: found, mostRows: most };
        }, 2_000);
        const places = Object.keys(seen).map(Number);
        expect(places.length, 'rows looked at').to.be.above(300);
        for (const place of places) expect(seen[place], `row ${place}`).to.equal(inOrder[place - 1]);
        expect(places, 'the 2,000th row').to.include(2_000);
        expect(mostRows, 'rows at once').to.be.below(60);

        await page
          .getByRole('link', { name: /^View / })
          .nth(12)
          .click();
        await dialog(page).waitFor();
        const place = await page.evaluate(() => window.scrollY);
        await page.goBack();
        await dialog(page).waitFor({ state: 'detached' });
        expect(await page.evaluate(() => window.scrollY), 'one is where one was').to.equal(place);

        const calls = callsOf(page);
        await page.getByRole('button', { name: 'Refresh' }).click();
        await until('the first rows are there again', () => page.locator('tr[aria-rowindex="2"]').isVisible());
        await until('the lists are short again', () => page.evaluate(() => document.body.scrollHeight < 50_000));
        expect(calls.filter((call) => !call.includes('?')).sort(), 'from the top').to.deep.equal([...lists].sort());
      }),
    );

    const further = answering(contactsPath, [500, 500, 500], { from: 1 });
    it(
      'says when a further page cannot be loaded, keeps the rows, and goes on with Try again',
      onStaffPage(
        `${path}?tab=contact`,
        async ({ page }) => {
          await rows(page).first().waitFor();
          await page.keyboard.press('End');
          await page.getByText('Older leads could not be loaded.').waitFor();
          expect(further.made).to.have.length(4);
          expect(further.made[1]).to.match(/^\?cursor=/);
          expect(await page.locator('tr[aria-rowindex="101"]').count()).to.equal(1);
          await tryAgain(page).click();
          await page.locator('tr[aria-rowindex="102"]').waitFor({ state: 'attached' });
          expect(further.made[4], 'the same page').to.equal(further.made[1]);
        },
        { prepare: further.prepare, failing: [contactsPath] },
      ),
    );

    it(
      'keeps the row that has the focus while others are scrolled to',
      onStaffPage(path, async ({ page }) => {
        await rows(page).first().waitFor();
        await page.locator('tr[aria-rowindex="5"] a').focus();
        await page.mouse.wheel(0, 4000);
        await page.locator('tr[aria-rowindex="75"]').waitFor();
        expect(await page.evaluate(() => document.activeElement?.closest('tr')?.ariaRowIndex)).to.equal('5');
      }),
    );
  });
});
