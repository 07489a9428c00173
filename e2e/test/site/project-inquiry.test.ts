import { tabTo, typeText } from '../../src/browser/accessibility.ts';
import { hold } from '../../src/browser/browser.ts';
import { onPage, ownAddress, stack } from '../../src/browser/browser-suite.ts';
import { formOn } from '../../src/browser/form-page.ts';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

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
type Field = keyof typeof labels;

const open = (page: Page) => formOn(page, 'Project Inquiry', labels);

/** Tries to change every field with the keyboard, or by choosing an option. The focus does not move by itself. */
async function changeAll(page: Page): Promise<void> {
  const { field } = open(page);
  for (const name of Object.keys(labels) as Field[]) {
    const isGroup = name === 'urgency';
    const control = isGroup ? field(name).locator('input:not(:checked)').first() : field(name);
    if (isGroup) await control.click();
    else await control.focus();
    // In a select, letters and arrows choose other entries.
    await page.keyboard.press('ArrowUp');
    if (!isGroup) await page.keyboard.type('A1');
    const hasFocus = isGroup ? field(name).locator(':focus') : field(name).and(page.locator(':focus'));
    expect(await hasFocus.count(), `the focus on ${name}`).to.equal(1);
  }
}

/** It has every kind of field that a public form can have. */
describe('The project inquiry', () => {
  it(
    'can be completed with the keyboard, and is sent as it was even if keys are pressed in the meantime',
    onPage('/project-inquiry', async ({ page }) => {
      const values = {
        name: 'Lerato Mokoena',
        email: ownAddress(),
        company: 'Cape Roasters',
        phone: '+27 21 555 0199',
        serviceType: 'Not Sure - Need Consultation',
        budget: "Let's discuss",
        timeframe: 'Flexible',
        urgency: 'Critical',
        businessDescription: 'We roast coffee and run four cafés.',
        projectDescription: 'An app to order ahead.',
        specificFeatures: 'Ordering, payment, stamps.',
        successCriteria: 'A third of the orders come through it.',
        competitors: 'The two big chains in town.',
      };
      for (const [name, value] of Object.entries(values)) {
        await tabTo(page, name);
        if (name === 'urgency') for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowDown');
        else await typeText(page, value);
      }
      await tabTo(page, 'Submit Project Inquiry');
      const release = await hold(page, '/api/service-inquiry');
      await page.keyboard.press('Enter');
      const { form, typed, toasts } = open(page);
      await form.getByRole('button', { name: 'Submitting...' }).waitFor();
      expect(await typed()).to.deep.equal(values);
      await changeAll(page);
      expect(await typed(), 'after all were changed').to.deep.equal(values);
      release();
      await toasts.getByText('Project Inquiry Submitted!').waitFor();
      const [lead, ...others] = await stack().leadsOf(values.email);
      expect(lead?.kind).to.equal('service_inquiry');
      expect(lead?.answers).to.include({ ...values, service: 'Project Inquiry', goals: values.successCriteria });
      expect(others).to.deep.equal([]);
    }),
  );
});
