import {
  expectAccessible,
  expectAccessibleEverywhere,
  tabTo,
  typeText,
  withAxe,
} from '../../src/browser/accessibility.ts';
import { onPage, ownAddress, stack, untouched } from '../../src/browser/browser-suite.ts';
import { formOn } from '../../src/browser/form-page.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeFormBehaviour } from '../../src/browser/form-behaviour.ts';

const api = '/api/service-inquiry';
const sentTitle = 'Inquiry Submitted!';

interface ServicePage {
  readonly path: string;
  readonly title: string;
  readonly serviceType: string;
  readonly form: string;
  readonly submit: string;
  /** Texts that the page must contain, mainly its claims. */
  readonly says: readonly string[];
  /** Labels and options of the selects, word for word. */
  readonly lists: Readonly<Record<'service' | 'budget' | 'timeframe' | 'urgency', readonly [string, ...string[]]>>;
}

const ugcCreatives: ServicePage = {
  path: '/services/ugc-creatives',
  title: 'UGC Creatives',
  serviceType: 'UGC Creatives',
  form: 'Request your campaign quote',
  submit: 'Request Quote',
  says: ['500+', 'verified creators', '340%', 'engagement', '180%', 'conversion', '30-day campaign support'],
  lists: {
    service: [
      'Service',
      'Video Testimonials',
      'Product Unboxing Videos',
      'Tutorial & How-to Content',
      'Brand Story Videos',
      'Social Media Campaigns',
      'Influencer Partnerships',
      'Product Reviews',
      'Behind-the-Scenes Content',
    ],
    budget: ['Budget', '$2,000-$5,000', '$5,000-$10,000', '$10,000-$25,000', '$25,000-$50,000', '$50,000+'],
    timeframe: ['Timeframe', '1-2 weeks', '3-4 weeks', '1-2 months', '3-6 months', '6+ months'],
    urgency: [
      'Urgency',
      'Low - Flexible timeline',
      'Medium - Standard priority',
      'High - Rush delivery needed',
      'Critical - ASAP required',
    ],
  },
};

const servicePages: readonly ServicePage[] = [
  ugcCreatives,
  {
    path: '/services/mvp-development',
    title: 'Development Services',
    serviceType: 'MVP Development',
    form: 'Request your development quote',
    submit: 'Request Quote',
    says: ['4-8', 'weeks', 'Internal AI tools', 'Custom dashboards', 'AI pilot projects'],
    lists: {
      service: [
        'Service',
        'Web Application MVP',
        'Mobile App MVP (iOS/Android)',
        'SaaS Platform MVP',
        'E-commerce Platform',
        'API & Backend Development',
        'AI/ML Integration',
        'Internal AI Tools Development',
        'Custom Dashboard Creation',
        'AI Pilot Projects',
        'Blockchain Application',
        'IoT Solution MVP',
      ],
      budget: ['Budget', '$5,000-$15,000', '$15,000-$30,000', '$30,000-$50,000', '$50,000-$100,000', '$100,000+'],
      timeframe: ['Timeframe', '4-6 weeks', '6-8 weeks', '2-3 months', '3-6 months', '6+ months'],
      urgency: [
        'Urgency',
        'Low - Quality over speed',
        'Medium - Balanced approach',
        'High - Fast delivery needed',
        'Critical - Launch ASAP',
      ],
    },
  },
  {
    path: '/services/lead-generation',
    title: 'Lead Generation',
    serviceType: 'Lead Generation',
    form: 'Request your lead strategy',
    submit: 'Request Strategy',
    says: ['95%', 'targeting accuracy', '300%', 'more qualified leads', '45%', 'better conversion in 90 days'],
    lists: {
      service: [
        'Service',
        'LinkedIn Lead Generation',
        'B2B Email Marketing',
        'Cold Outreach Campaigns',
        'Sales Funnel Development',
        'Lead Qualification Systems',
        'CRM Integration & Automation',
        'Multi-Channel Campaigns',
        'Lead Nurturing Workflows',
      ],
      budget: [
        'Monthly budget',
        '$1,500-$3,000/month',
        '$3,000-$5,000/month',
        '$5,000-$10,000/month',
        '$10,000-$20,000/month',
        '$20,000+/month',
      ],
      timeframe: ['Duration', '2-4 weeks setup', '1-2 months', '3-6 months', '6-12 months', '12+ months'],
      urgency: [
        'Priority',
        'Low - Strategy focused',
        'Medium - Steady growth',
        'High - Aggressive scaling',
        'Critical - Need leads now',
      ],
    },
  },
  {
    path: '/services/consulting',
    title: 'Strategic Consulting',
    serviceType: 'Consulting',
    form: 'Request your consultation',
    submit: 'Request Consultation',
    says: ['150%', 'average ROI in 12 months', 'A 5-step engagement'],
    lists: {
      service: [
        'Area',
        'Digital Strategy Consulting',
        'Business Growth Planning',
        'Marketing Optimization',
        'Technology Roadmapping',
        'Process Automation',
        'Performance Analytics',
        'Competitive Analysis',
        'Market Research & Insights',
      ],
      budget: ['Budget', '$2,500-$5,000', '$5,000-$10,000', '$10,000-$25,000', '$25,000-$50,000', '$50,000+'],
      timeframe: ['Timeline', '2-4 weeks', '1-2 months', '3-6 months', '6-12 months', 'Ongoing partnership'],
      urgency: [
        'Priority',
        'Low - Strategic planning',
        'Medium - Standard timeline',
        'High - Urgent decisions needed',
        'Critical - Crisis management',
      ],
    },
  },
];

const last = (entries: readonly string[]): string => entries.at(-1) ?? '';

/** Returns valid values for a page's form. */
const example = ({ lists }: ServicePage) => ({
  name: 'Faisal Qahtani',
  email: ownAddress(),
  company: 'Najd Logistics',
  phone: '+966 11 555 0100',
  service: last(lists.service),
  budget: last(lists.budget),
  timeframe: last(lists.timeframe),
  urgency: last(lists.urgency),
  projectDetails: 'We want to reach the buyers of cold storage.\n\n"In Jeddah" – and beyond 🌊',
  goals: 'Twenty good calls a month.',
});

const opener =
  ({ form, lists }: ServicePage) =>
  (page: Page) =>
    formOn(page, form, {
      name: /^Name/,
      email: /^Email/,
      company: /^Company/,
      phone: /^Phone/,
      service: new RegExp(`^${lists.service[0]}`),
      budget: new RegExp(`^${lists.budget[0]}`),
      timeframe: new RegExp(`^${lists.timeframe[0]}`),
      urgency: new RegExp(`^${lists.urgency[0]}`),
      projectDetails: /^Project details/,
      goals: /^Goals/,
    });

for (const service of servicePages) {
  describe(`The page of ${service.title}`, () => {
    it(
      'shows its claims, what is included, a form with its own options, and a visible link home',
      onPage(
        service.path,
        async ({ page }) => {
          expect(await page.getByRole('heading', { level: 1 }).allTextContents()).to.deep.equal([service.title]);
          expect(await page.title()).to.match(new RegExp(`^${service.title} – `));
          const information = page.getByRole('region', { name: service.title, exact: true });
          const words = await information.innerText();
          for (const claim of service.says) expect(words).to.contain(claim);
          expect(await page.getByRole('heading', { name: 'What’s included' }).isVisible()).to.equal(true);
          expect(await information.locator('ul li').count()).to.be.at.least(3);

          const { form, field, optionsOf } = opener(service)(page);
          for (const name of ['service', 'budget', 'timeframe', 'urgency'] as const) {
            const [, ...entries] = service.lists[name];
            expect(await optionsOf(name)).to.deep.equal(entries.map((entry) => [entry, entry]));
            expect(await field(name).getAttribute('name')).to.equal(name);
          }
          const [left, right] = [await information.boundingBox(), await form.boundingBox()];
          expect(left!.x + left!.width, 'the information is to the left of the form').to.be.at.most(right!.x);
          expect(right!.y, 'beside it, not below').to.be.below(left!.y + left!.height);

          const back = page.getByRole('link', { name: 'Back to Home' });
          await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 3));
          const box = await back.boundingBox();
          expect(box?.y, 'under the navigation bar').to.be.within(70, 130);
          await back.click();
          await page.waitForURL(new URL('/', stack().siteUrl).href);
          await page.getByRole('heading', { level: 1, name: /Impactful digital solutions/ }).waitFor();
        },
        untouched,
      ),
    );

    it(
      "stores what was typed with the page's service type",
      onPage(service.path, async ({ page }) => {
        const { fill, sendButton, toasts } = opener(service)(page);
        const values = example(service);
        await fill(values);
        await sendButton.click();
        await toasts.getByText(sentTitle, { exact: true }).waitFor();
        const leads = await stack().leadsOf(values.email);
        expect(leads.map(({ kind, answers }) => ({ kind, answers }))).to.deep.equal([
          { kind: 'service_inquiry', answers: { ...values, serviceType: service.serviceType } },
        ]);
      }),
    );

    it(
      'is accessible, empty and with its messages',
      onPage(
        service.path,
        async ({ page }) => {
          await expectAccessibleEverywhere(page, 'empty');
          await opener(service)(page).sendButton.click();
          await page.getByText('Name must be at least 2 characters').waitFor();
          await expectAccessible(page, 'with messages');
        },
        withAxe,
      ),
    );
  });
}

/** Tested on one page, because all four share the form, its rules and its toasts. */
describe('The form of a service page', () => {
  it(
    'can be completed with the keyboard',
    onPage(ugcCreatives.path, async ({ page }) => {
      const values = example(ugcCreatives);
      for (const [name, value] of Object.entries(values)) {
        await tabTo(page, name);
        await typeText(page, value.split('\n')[0] ?? '');
      }
      await tabTo(page, ugcCreatives.submit);
      await page.keyboard.press('Enter');
      await opener(ugcCreatives)(page).toasts.getByText(sentTitle).waitFor();
      const [lead] = await stack().leadsOf(values.email);
      expect(lead?.answers).to.include({ service: values.service, urgency: values.urgency });
    }),
  );

  describeFormBehaviour({
    path: ugcCreatives.path,
    api,
    open: opener(ugcCreatives),
    label: ugcCreatives.submit,
    pendingLabel: 'Submitting...',
    sent: { title: sentTitle, text: "We'll get back to you within 24 hours with a detailed proposal." },
    failed: 'Failed to submit inquiry. Please try again.',
    emailMessage: 'Please enter a valid email address',
    example: () => example(ugcCreatives),
  });

  it(
    'scrolls a text area into view with its label and message when Tab reaches it',
    onPage('/services/ugc-creatives', async ({ page }) => {
      const text = page.locator('form textarea').first();
      await page
        .locator('form select')
        .last()
        .evaluate((before) => before.focus({ preventScroll: true }));
      await text.evaluate((each) => {
        window.scrollBy({ top: each.getBoundingClientRect().top - window.innerHeight + 60, behavior: 'instant' });
      });
      await page.keyboard.press('Tab');
      await until('the whole field is in view', () =>
        text.evaluate((each) => {
          const parts = [each, document.querySelector(`label[for="${each.id}"]`), each.closest('[data-field]')];
          return parts.every((part) => {
            const place = part?.getBoundingClientRect();
            return place !== undefined && place.top > 0 && place.bottom < window.innerHeight + 1;
          });
        }),
      );
      expect(await text.evaluate((each) => each === document.activeElement)).to.equal(true);
    }),
  );
});
