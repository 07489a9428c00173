import { caseStudyHeads } from '@dune-tide/domain/content/case-study-heads';
import { caseStudyPage } from '@dune-tide/domain/content/case-study-page';
import { careers } from '@dune-tide/domain/content/careers';
import { formGuideTexts } from '@dune-tide/domain/content/form-guides';
import { home } from '@dune-tide/domain/content/home';
import { kingrose } from '@dune-tide/domain/content/kingrose';
import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import type { Service } from '@dune-tide/domain/content/service';
import { serviceHeads } from '@dune-tide/domain/content/service-heads';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { thumbOn, type Effort, type Thumb } from '../../src/browser/thumb.ts';
import { onPage, ownAddress, stack } from '../../src/browser/browser-suite.ts';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

type Values = readonly (readonly [label: RegExp, value: string])[];

/** The way of one person from the home page to a form that is sent. */
interface Errand {
  readonly task: string;
  /** Leads to the form and returns it. */
  readonly findForm: (page: Page, thumb: Thumb) => Promise<Locator>;
  /** The required fields, in the order of the form. */
  readonly values: (email: string) => Values;
  /** Some of the stored answers. */
  readonly stored?: Readonly<Record<string, string>>;
}

/** The most presses from the home page to the first field of any form (docs/PRODUCT.md, "Navigation bar"). */
const longestWay = 5;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function chooseInMenu(page: Page, thumb: Thumb, name: string, leadsTo: Locator): Promise<void> {
  await thumb.press(page.getByRole('button', { name: 'Open menu' }));
  await thumb.press(page.getByRole('navigation', { name: 'Mobile' }).getByRole('link', { name, exact: true }), leadsTo);
}

const contact: Errand = {
  task: 'asks a question',
  async findForm(page, thumb) {
    await chooseInMenu(page, thumb, 'Contact', page.locator('#contact'));
    return page.getByRole('form', { name: 'Contact' });
  },
  values: (email) => [
    [/^First name/, 'Mona'],
    [/^Last name/, 'al-Qahtani'],
    [/^Email/, email],
    [/^Service/, 'all'],
    [/^Message/, 'Do you also work with shops in Abha?'],
  ],
};

/** The required fields of a service page, with the first option of each selection. */
function inquiryValues(slug: Service['slug'], email: string): Values {
  const { service, budget, timeframe, urgency } = servicePages[slug];
  return [
    [/^Name/, 'Thabo Molefe'],
    [/^Email/, email],
    ...[service, budget, timeframe, urgency].map(
      ({ label, options: [first] }) => [new RegExp(`^${label}`), first?.value ?? ''] as const,
    ),
    [/^Project details/, 'We run four shops and want to know what to start with.'],
  ];
}

const inquiry = (slug: Service['slug']): Errand => ({
  task: `asks for ${serviceHeads[slug].title}`,
  async findForm(page, thumb) {
    const { form, title } = servicePageContents[slug];
    await thumb.press(page.getByRole('link', { name: home.hero.scrollToServices }), page.locator('#services'));
    await thumb.press(
      page.getByRole('link', { name: `${home.services.learnMore} about ${serviceHeads[slug].title}` }),
      heading(page, title),
    );
    await thumb.press(page.locator('main').getByRole('link', { name: form.submit }), page.locator('#request'));
    return page.getByRole('form', { name: form.heading });
  },
  values: (email) => inquiryValues(slug, email),
  stored: { serviceType: servicePages[slug].serviceType },
});

const discovery: Errand = {
  task: 'of a VC firm asks for a discovery session',
  async findForm(page, thumb) {
    await chooseInMenu(page, thumb, 'KingRose', heading(page, kingrose.hero.headline));
    await thumb.press(page.getByRole('link', { name: kingrose.hero.toContact }), page.locator('#contact'));
    return page.getByRole('form', { name: 'Discovery request' });
  },
  values: (email) => [
    [/^Full Name/, 'Fahd al-Rashid'],
    [/^Email/, email],
    [/^Organization\/Company/, 'Nafud Ventures'],
    [/^Organization Type/, 'VC Firm'],
    [/^AI Investment Range/, '$10,000-$20,000'],
    [/^Implementation Timeframe/, '3-4 months'],
    [/^Primary Interest/, 'Portfolio Monitoring & Deal Tracking'],
    [/biggest challenges/, 'Board reports arrive in nine formats.'],
    [/AI outcomes/, 'One view of all holdings every Monday.'],
  ],
};

const project: Errand = {
  task: 'starts a project',
  async findForm(page, thumb) {
    await thumb.press(
      page.getByRole('link', { name: home.hero.startProject }).first(),
      heading(page, 'Project Inquiry'),
    );
    return page.getByRole('form', { name: 'Project Inquiry' });
  },
  values: (email) => [
    [/^Name/, 'Lerato Mokoena'],
    [/^Email/, email],
    [/^Service type/, 'Mobile App Development'],
    [/^Budget range/, "Let's discuss"],
    [/^Timeframe/, 'Flexible'],
    [/^Urgency level/, 'Medium'],
    [/^Business description/, 'We roast coffee and run four cafés.'],
    [/^Project description/, 'An app to order ahead.'],
    [/^Specific features/, 'Ordering, payment, stamps.'],
    [/^Success criteria/, 'A third of the orders come through it.'],
    [/^Competitors/, 'The two big chains in town.'],
  ],
};

const applicationValues = (email: string): Values => [
  [/^First name/, 'Sipho'],
  [/^Last name/, 'Nkosi'],
  [/^Email/, email],
  [/^Phone number/, '+27 21 555 0134'],
  [/^Experience level/, 'entry'],
  [/^Cover letter/, 'I have built two booking systems and would like to build the third with you.'],
];

/** The careers page is linked in the footer only, below the contact section. */
async function openCareers(page: Page, thumb: Thumb): Promise<void> {
  await chooseInMenu(page, thumb, 'Contact', page.locator('#contact'));
  await thumb.press(
    page.locator('footer').getByRole('link', { name: 'Careers' }),
    heading(page, careers.hero.headline),
  );
}

const apply = (task: string, jump: string, section: string, button: string): Errand => ({
  task,
  async findForm(page, thumb) {
    await openCareers(page, thumb);
    await thumb.press(page.getByRole('link', { name: jump }), page.locator(section));
    await thumb.press(page.getByRole('button', { name: button }), page.locator('#application-form'));
    return page.getByRole('form', { name: 'Job application' });
  },
  values: applicationValues,
});

const portfolio: Errand = {
  task: 'asks for the portfolio',
  async findForm(page, thumb) {
    await thumb.press(page.getByRole('link', { name: home.hero.viewWork }), page.locator('#portfolio'));
    await thumb.press(page.getByRole('button', { name: home.portfolio.viewAll }));
    return page.getByRole('form', { name: 'Portfolio request' });
  },
  values: (email) => [[/^Email/, email]],
};

const likeACaseStudy: Errand = {
  task: 'reads a case study and starts a project like it',
  async findForm(page, thumb) {
    const { title } = caseStudyHeads['tamra-market'];
    await thumb.press(page.getByRole('link', { name: home.hero.viewWork }), page.locator('#portfolio'));
    await thumb.press(page.getByRole('link', { name: title }), heading(page, title));
    await thumb.press(page.getByRole('link', { name: caseStudyPage.start }), page.locator('#request'));
    return page.getByRole('form', { name: servicePageContents['mvp-development'].form.heading });
  },
  values: (email) => inquiryValues('mvp-development', email),
};

const errands: Readonly<Record<string, Errand>> = {
  Mona: contact,
  Thabo: inquiry('mvp-development'),
  Aisha: inquiry('ugc-creatives'),
  Pieter: inquiry('lead-generation'),
  Huda: inquiry('consulting'),
  Fahd: discovery,
  Lerato: project,
  Sipho: apply('applies for a job', careers.hero.toPositions, '#open-positions', 'Apply Now Full Stack Developer'),
  Noor: apply('applies for a training program', careers.hero.toTraining, '#training-programs', careers.training.apply),
  Yara: portfolio,
  Jonas: likeACaseStudy,
};

const phone = { width: 390, height: 844, isPhone: true } as const;

describe('On a phone, from the home page to a form that is sent', () => {
  const table = new Map<string, { readonly toForm: Effort; readonly inAll: Effort }>();

  for (const [person, { task, findForm, values, stored = {} }] of Object.entries(errands)) {
    it(
      `${person} ${task}`,
      onPage(
        '/',
        async ({ page }) => {
          const thumb = thumbOn(page);
          const form = await findForm(page, thumb);
          await form.waitFor();
          const toForm = thumb.effort();
          expect(toForm.presses, 'presses to the form').to.be.at.most(longestWay);
          const email = ownAddress();
          await thumb.fillIn(form, values(email));
          await thumb.press(form.locator('[type="submit"]'));
          await page
            .getByText(formGuideTexts.received)
            .or(page.getByRole('heading', { name: 'Portfolio Sent!' }))
            .waitFor();
          const leads = await stack().leadsOf(email);
          expect(leads).to.have.length(1);
          expect(leads[0]?.answers).to.include(stored);
          table.set(`${person} ${task}`, { toForm, inAll: thumb.effort() });
        },
        phone,
      ),
    );
  }

  after(() => {
    const row = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
    const rows = [...table].map(([name, { toForm, inAll }]) =>
      row(name, toForm.screens.toFixed(1), toForm.presses, inAll.screens.toFixed(1), inAll.presses),
    );
    process.stdout.write(
      row('errand', 'screens to the form', 'presses to the form', 'screens in all', 'presses in all') +
        row('---', '--:', '--:', '--:', '--:') +
        rows.join(''),
    );
  });
});
