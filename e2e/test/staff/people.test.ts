import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { expect } from 'chai';
import { withAxe } from '../../src/browser/accessibility.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import {
  dialog,
  expectAccessibleInBoth,
  focused,
  focusedField,
  onStaffPage,
  press,
  untilClosed,
} from '../../src/browser/staff.ts';

describe('The page for personal data', () => {
  it(
    'opens from a lead, saves a file, and erases a person with the keyboard alone',
    onStaffPage(
      '/admin/people',
      async ({ page }) => {
        const { database } = stack();
        const email = `visitor-${randomUUID()}@example.com`;
        await storeLeads(database, [
          { ...contactMessage, email },
          { ...contactMessage, email: email.toUpperCase() },
        ]);
        const [id] = await database('leads').where({ email }).pluck<string[]>('id');
        await page.goto(new URL(`/admin/leads/${id}`, page.url()).href);
        await dialog(page).getByRole('link', { name: 'Export or erase this person’s data' }).click();
        await page.getByText(`Held about ${email}`).waitFor();
        await expectAccessibleInBoth(page, 'held');
        const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export as JSON')]);
        expect(download.suggestedFilename()).to.match(/^personal-data-[\d-]+\.json$/);
        const content = JSON.parse(await readFile(await download.path(), 'utf8')) as {
          readonly leads: readonly object[];
        };
        expect(content.leads).to.have.length(2);

        await press(page, 'Erase…');
        await dialog(page)
          .getByLabel(/^Type the email address/)
          .waitFor();
        expect(await focusedField(page)).to.equal('email');
        await page.keyboard.type('other@example.com');
        await page.keyboard.press('Enter');
        await dialog(page).getByText(`This is not ${email}`).first().waitFor();
        await expectAccessibleInBoth(page, 'the question');
        await page.keyboard.press('Control+A');
        await page.keyboard.type(email.toUpperCase());
        await page.keyboard.press('Enter');
        await dialog(page).getByText('Nothing is held about this address any more.').waitFor();
        expect(await focused(page)).to.equal('Close');
        expect(await database('leads').whereRaw('lower(email) = ?', [email])).to.deep.equal([]);
        await expectAccessibleInBoth(page, 'the result');
        await page.keyboard.press('Enter');
        await untilClosed(page);
        await page.getByText('Nothing is held about this address.').waitFor();
      },
      withAxe,
    ),
  );
});
