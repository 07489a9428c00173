import { tabTo } from '../../../src/browser/accessibility.ts';
import { endRoutes } from '../../../src/browser/browser.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { contactMessage, deleteLeads, storeLeads, type TestLead } from '@dune-tide/testkit/leads';
import { choose, leadId, leadPath, leadsPath, rows } from '../../../src/browser/leads-page.ts';
import { dialog, onStaffPage, press, untilToast } from '../../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

describe('The leads page with a lead that is classified as spam', () => {
  const suspect: TestLead & { readonly id: string } = {
    id: leadId('0aa'),
    kind: 'contact',
    email: 'khalid@example.com',
    fields: { firstName: 'Khalid', lastName: 'Nasser', service: 'mvp', message: 'I fill in forms quickly.' },
  };
  const chip = (page: Page) => page.getByText('Possible spam', { exact: true });
  const required = (): Promise<string[]> =>
    stack().database('follow_ups').where({ lead_id: suspect.id }).orderBy('kind').pluck('kind');

  after(() => deleteLeads(stack().database));
  beforeEach(async () => {
    const { database } = stack();
    await deleteLeads(database);
    await storeLeads(database, [suspect, contactMessage]);
    await database('leads').where({ id: suspect.id }).update({ spam_sign: 'too_fast' });
  });

  it(
    'marks the lead in the table and the details, and releases it with Not spam',
    onStaffPage(`${leadsPath}?spam=with`, async ({ page, count }) => {
      const row = rows(page).filter({ hasText: 'Khalid Nasser' });
      await row.getByText('Possible spam').waitFor();
      expect(await chip(page).count()).to.equal(1);
      for (const name of ['Contact Forms', 'All'] as const) {
        await choose(page, name);
        await row.getByText('Possible spam').waitFor();
      }

      await row.getByRole('link', { name: 'View Khalid Nasser' }).click();
      await dialog(page)
        .getByText('The form was submitted faster than a person can fill it in. No email was sent for it.')
        .waitFor();
      await tabTo(page, 'Not spam');
      await page.keyboard.press('Enter');
      await untilToast(page, 'The emails will be sent now.');

      await until('the mark is gone, in the table as well', async () => (await chip(page).count()) === 0);
      expect(await dialog(page).getByRole('button', { name: 'Not spam' }).count()).to.equal(0);
      await until('the button keeps the focus', () =>
        page.evaluate(() => document.activeElement?.textContent === 'Mark as spam'),
      );
      expect(await required()).to.deep.equal(['acknowledgement', 'staff_notice']);
      expect((await stack().mailTo(suspect.email)).envelope.to).to.deep.equal([suspect.email]);
      expect(count('GET /api/admin/contacts'), 'reads of the list').to.equal(1);
    }),
  );

  it(
    'hides the lead in the table, where its number leads to it',
    onStaffPage(leadsPath, async ({ page }) => {
      await rows(page).first().waitFor();
      expect(await rows(page).count()).to.equal(1);
      await page.getByText('1 held as possible spam').waitFor();
      await page.getByRole('link', { name: 'Review' }).click();
      await rows(page).filter({ hasText: 'Khalid Nasser' }).waitFor();
      expect(await rows(page).count()).to.equal(1);
      expect(await page.getByRole('link', { name: 'Review' }).count()).to.equal(0);
      await page.getByRole('link', { name: 'Spam', exact: true, includeHidden: false }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: 'Review' }).waitFor();
    }),
  );

  it(
    'shows a failed release and keeps the mark and the button',
    onStaffPage(
      leadPath(suspect.id),
      async ({ page }) => {
        await page.route('**/release', (route) => route.fulfill({ status: 503, json: { status: 503 } }));
        await press(dialog(page), 'Not spam');
        await untilToast(page, 'Could not release the lead. Please try again.');
        expect(await dialog(page).getByText('Possible spam', { exact: true }).isVisible()).to.equal(true);
        await endRoutes(page, '**/release');
        await press(dialog(page), 'Not spam');
        await untilToast(page, 'The emails will be sent now.');
        expect(await required()).to.deep.equal(['acknowledgement', 'staff_notice']);
      },
      { failing: [`/api/admin/leads/${suspect.id}/release`] },
    ),
  );
});
