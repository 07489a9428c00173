import { expectAccessibleEverywhere, tabTo, typeText, withAxe } from '../../src/browser/accessibility.ts';
import { onPage, ownAddress, stack, untouched } from '../../src/browser/browser-suite.ts';
import { formOn } from '../../src/browser/form-page.ts';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeFormBehaviour } from '../../src/browser/form-behaviour.ts';

const path = '/project-inquiry';
const api = '/api/service-inquiry';
const sentTitle = 'Project Inquiry Submitted!';

const labels = {
  name: /^Name/,
  email: /^Email/,
  company: /^Company/,
  phone: /^Phone/,
  serviceType: /^Service type/,
  budget: /^Budget range/,
  timeframe: /^Timeframe/,
  urgency: /^Urgency level/,
  businessDescription: /^Business description/,
  projectDescription: /^Project description/,
  specificFeatures: /^Specific features/,
  successCriteria: /^Success criteria/,
  competitors: /^Competitors/,
} as const;

const open = (page: Page) => formOn(page, 'Project Inquiry', labels);

const example = () => ({
  name: 'Lerato Mokoena',
  email: ownAddress(),
  company: 'Cape Roasters',
  phone: '+27 21 555 0199',
  serviceType: 'Not Sure - Need Consultation',
  budget: "Let's discuss",
  timeframe: 'Flexible',
  urgency: 'Critical',
  businessDescription: 'We roast coffee and run four cafés.',
  projectDescription: 'An app to order ahead and to collect stamps.',
  specificFeatures: 'Ordering, payment, stamps, a screen for the barista.',
  successCriteria: 'A third of the morning orders come through the app.',
  competitors: 'The two big chains in town.',
});

describe('The project inquiry', () => {
  it(
    'has a hero with a link to the home page',
    onPage(path, async ({ page }) => {
      expect(await page.getByRole('heading', { level: 1 }).allTextContents()).to.deep.equal(['Project Inquiry']);
      await page.getByRole('link', { name: 'Back to Home' }).click();
      await page.waitForURL(new URL('/', stack().siteUrl).href);
      await page.getByRole('heading', { level: 1, name: /Impactful digital solutions/ }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Project Inquiry' }).waitFor();
    }),
  );

  it(
    'has four groups, the expected options, and a description for each urgency',
    onPage(
      path,
      async ({ page }) => {
        const { form, field, optionsOf } = open(page);
        const steps: Readonly<Record<string, readonly string[]>> = {
          You: ['name', 'email', 'company', 'phone'],
          'Scope and timing': ['serviceType', 'budget', 'timeframe', 'urgency'],
          'The project': ['businessDescription', 'projectDescription', 'specificFeatures'],
          Success: ['successCriteria', 'competitors'],
        };
        const groups = form.getByRole('group').filter({ has: page.getByRole('heading', { level: 2 }) });
        const titles = await groups.getByRole('heading', { level: 2 }).allTextContents();
        expect(titles, 'selections before long texts').to.deep.equal(Object.keys(steps));
        for (const [title, names] of Object.entries(steps)) {
          const step = form.getByRole('group', { name: title, exact: true });
          const found = await step
            .locator('[name]')
            .evaluateAll((fields) => fields.map((each) => each.getAttribute('name')));
          expect([...new Set(found)]).to.deep.equal(names);
        }

        const lists = {
          serviceType: [
            'MVP Development',
            'UGC Content Creation',
            'Lead Generation System',
            'Business Strategy Consulting',
            'Custom Web Development',
            'Mobile App Development',
            'AI Integration',
            'Digital Transformation',
            'Not Sure - Need Consultation',
          ],
          budget: [
            '$2,500-$5,000',
            '$5,000-$10,000',
            '$10,000-$25,000',
            '$25,000-$50,000',
            '$50,000-$100,000',
            '$100,000+',
            "Let's discuss",
          ],
          timeframe: [
            '1-2 weeks',
            '2-4 weeks',
            '4-6 weeks',
            '6-8 weeks',
            '2-3 months',
            '3-6 months',
            '6+ months',
            'Flexible',
          ],
        };
        for (const name of ['serviceType', 'budget', 'timeframe'] as const) {
          expect(await optionsOf(name), name).to.deep.equal(lists[name].map((entry) => [entry, entry]));
        }
        const urgencies = await field('urgency')
          .getByRole('radio')
          .evaluateAll((radios) =>
            radios.map((radio) => [
              (radio as HTMLInputElement).value,
              document.getElementById(radio.getAttribute('aria-describedby') ?? '')?.textContent,
            ]),
          );
        expect(urgencies).to.deep.equal([
          ['Low', 'No fixed date: quality and fit come first'],
          ['Medium', 'A date in mind, with some room to move'],
          ['High', 'A firm date that other plans depend on'],
          ['Critical', 'Work must start right away'],
        ]);
      },
      untouched,
    ),
  );

  it(
    'is stored completely, even if its fields and the texts composed of them exceed the body limit',
    onPage(path, async ({ page }) => {
      const { fill, sendButton, toasts } = open(page);
      const long = '海'.repeat(5000);
      const values = { ...example(), businessDescription: long, projectDescription: long, specificFeatures: long };
      await fill(values);
      await sendButton.click();
      await toasts.getByText(sentTitle).waitFor();
      const [lead] = await stack().leadsOf(values.email);
      expect(lead?.answers).to.include(values);
      expect(lead?.answers['projectDetails']).to.have.length.above(15_000);
      expect(lead?.answers['goals']).to.equal(values.successCriteria);
    }),
  );

  it(
    'can be completed with the keyboard, and sends the fields, the composed texts and the fixed service',
    onPage(path, async ({ page }) => {
      const values = example();
      for (const [name, value] of Object.entries(values)) {
        await tabTo(page, name);
        if (name === 'urgency') for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowDown');
        else await typeText(page, value);
      }
      await tabTo(page, 'Submit Project Inquiry');
      const request = page.waitForRequest(`**${api}`);
      await page.keyboard.press('Enter');
      expect((await request).postDataJSON()).to.deep.equal({
        ...values,
        service: 'Project Inquiry',
        projectDetails:
          'Business description:\nWe roast coffee and run four cafés.\n\n' +
          'Project description:\nAn app to order ahead and to collect stamps.\n\n' +
          'Specific features:\nOrdering, payment, stamps, a screen for the barista.\n\n' +
          'Success criteria:\nA third of the morning orders come through the app.\n\n' +
          'Competitors:\nThe two big chains in town.',
        goals: 'A third of the morning orders come through the app.',
      });
      await open(page).toasts.getByText(sentTitle).waitFor();
      const [lead] = await stack().leadsOf(values.email);
      expect(lead?.kind).to.equal('service_inquiry');
      expect(lead?.answers).to.include({ ...values, service: 'Project Inquiry', goals: values.successCriteria });
    }),
  );

  it(
    'is accessible, empty and with its messages',
    onPage(
      path,
      async ({ page }) => {
        await expectAccessibleEverywhere(page, 'empty');
        await open(page).sendButton.click();
        await page.getByText('Please select urgency level').waitFor();
        await expectAccessibleEverywhere(page, 'with messages');
      },
      withAxe,
    ),
  );

  describeFormBehaviour({
    path,
    api,
    open,
    label: 'Submit Project Inquiry',
    pendingLabel: 'Submitting...',
    sent: { title: sentTitle, text: 'A tailored proposal will follow within 24 hours.' },
    failed: 'Failed to submit project inquiry. Please try again.',
    emailMessage: 'Please enter a valid email address',
    example,
  });
});
