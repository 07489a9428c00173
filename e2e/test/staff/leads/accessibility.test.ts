import { tabTo, withAxe } from '../../../src/browser/accessibility.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { deleteLeads } from '@dune-tide/testkit/leads';
import { fields, leadId, leadsPath, rows, storeFewLeads } from '../../../src/browser/leads-page.ts';
import {
  closeDialog,
  dialog,
  expectAccessibleInBoth,
  focused,
  onStaffPage,
  press,
  toasts,
  untilClosed,
} from '../../../src/browser/staff.ts';
import { expect } from 'chai';

describe('The leads page with a few leads', () => {
  before(storeFewLeads);
  after(() => deleteLeads(stack().database));

  describe('accessibility', () => {
    const mark = (sign: { spam_sign: string | null }) =>
      stack()
        .database('leads')
        .where({ id: leadId('005') })
        .update(sign);
    afterEach(() => mark({ spam_sign: null }));

    it(
      'of the table, the details and the email dialog passes axe',
      onStaffPage(
        `${leadsPath}?spam=with`,
        async ({ page }) => {
          await rows(page).first().waitFor();
          await page.getByRole('checkbox', { name: 'Select Noura al-Harbi' }).click();
          await expectAccessibleInBoth(page, 'the table with a selection');
          await page.getByRole('link', { name: 'View Lerato Mokoena' }).click();
          await fields(page);
          await expectAccessibleInBoth(page, 'the details');
          await press(dialog(page), 'Send Email');
          await dialog(page).getByLabel('Subject').fill('');
          await press(dialog(page), 'Send');
          await dialog(page).getByText('Subject is required').waitFor();
          await press(dialog(page), 'Cancel');
          await expectAccessibleInBoth(page, 'the email dialog with a fault and the question');
          await press(dialog(page), 'Discard');
          await closeDialog(page);
          await page.goto(new URL(`${leadsPath}?q=nothing&status=qualified`, page.url()).href);
          await page.getByText('No leads match.').waitFor();
          await press(page, 'Save view');
          await expectAccessibleInBoth(page, 'a new view without matches');
          await closeDialog(page);
          await press(page, 'Edit views');
          await expectAccessibleInBoth(page, 'the views');
        },
        { ...withAxe, prepare: () => mark({ spam_sign: 'too_fast' }) },
      ),
    );

    it(
      'by keyboard: open, write and close, while the focus enters, stays in and leaves the dialog',
      onStaffPage(leadsPath, async ({ page }) => {
        await rows(page).first().waitFor();
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
        await dialog(page).locator('dl').first().waitFor();
        expect(await focused(page)).to.equal('Send Email');
        await closeDialog(page);
        expect(await focused(page)).to.equal('View Noura al-Harbi');

        await tabTo(page, 'Email Noura al-Harbi');
        await page.keyboard.press('Enter');
        await dialog(page).getByLabel('Message').waitFor();
        await page.keyboard.type('Dear Noura');
        await tabTo(page, 'Send');
        await page.keyboard.press('Enter');
        await toasts(page).getByText('Email sent to noura@example.com successfully.').waitFor();
        await untilClosed(page);
        expect(await focused(page)).to.equal('Email Noura al-Harbi');
      }),
    );
  });
});
