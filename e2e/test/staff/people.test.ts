import { readFile } from 'node:fs/promises';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere, withAxe } from '../../src/browser/accessibility.ts';
import { routeOnce } from '../../src/browser/browser.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import { dialog, focused, focusedField, onStaffPage, press, toasts, untilClosed } from '../../src/browser/staff.ts';

const path = '/admin/people';

async function show(page: Page, email: string): Promise<void> {
  await page
    .getByRole('main')
    .getByLabel(/^Email/)
    .fill(email);
  await page.keyboard.press('Enter');
  await page.getByText(`Held about ${email}`).waitFor();
}

const confirmation = (page: Page) => dialog(page).getByLabel(/^Type the email address/);
const counts = (page: Page) =>
  dialog(page)
    .locator('dl')
    .innerText()
    .then((text) => text.split('\n').filter((line) => line !== ''));

describe('The page for personal data', () => {
  /** Stores two leads of a new address. */
  async function storePerson(): Promise<string> {
    const email = `visitor-${randomUUID()}@example.com`;
    await storeLeads(stack().database, [
      { ...contactMessage, email },
      { ...contactMessage, email: email.toUpperCase() },
    ]);
    return email;
  }

  it(
    'erases a person only after the address was typed, with the keyboard alone, and shows the counts',
    onStaffPage(path, async ({ page, count }) => {
      const email = await storePerson();
      await show(page, email);
      await press(page, 'Erase…');
      await confirmation(page).waitFor();
      expect(await focusedField(page)).to.equal('email');
      expect(await counts(page)).to.deep.equal(['Leads', 'With all answers', '2']);
      await page.keyboard.type('other@example.com');
      await page.keyboard.press('Enter');
      await dialog(page).getByText(`This is not ${email}`).first().waitFor();
      expect(count('POST /api/admin/people/erase')).to.equal(0);

      await confirmation(page).fill(email.toUpperCase());
      await page.keyboard.press('Enter');
      await dialog(page).getByText('Nothing is held about this address any more.').waitFor();
      expect(await counts(page)).to.deep.equal(['Leads', '2']);
      expect(await focused(page)).to.equal('Close');
      expect(await stack().database('leads').whereRaw('lower(email) = ?', [email])).to.deep.equal([]);
      await page.keyboard.press('Enter');
      await untilClosed(page);
      await page.getByText('Nothing is held about this address.').waitFor();
    }),
  );

  it(
    'keeps the dialog and the address if the erasure fails',
    onStaffPage(
      path,
      async ({ page }) => {
        const email = await storePerson();
        await show(page, email);
        await press(page, 'Erase…');
        await routeOnce(page, '**/people/erase', (route) => route.fulfill({ status: 503, json: {} }));
        await confirmation(page).fill(email);
        await page.keyboard.press('Enter');
        await dialog(page).getByText('Could not erase the data. Please try again.').waitFor();
        expect(await confirmation(page).inputValue()).to.equal(email);
        await press(dialog(page), 'Erase for good');
        await dialog(page).getByText('Nothing is held').waitFor();
      },
      { failing: ['/api/admin/people/erase'] },
    ),
  );

  it(
    'saves a file with the data that is held',
    onStaffPage(path, async ({ page }) => {
      const email = await storePerson();
      await show(page, email);
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export as JSON')]);
      expect(download.suggestedFilename()).to.match(/^personal-data-[\d-]+\.json$/);
      const content = JSON.parse(await readFile(await download.path(), 'utf8')) as {
        readonly leads: readonly object[];
      };
      expect(content.leads).to.have.length(2);
    }),
  );

  it(
    'reports a failed export, and opens from the details of a lead',
    onStaffPage(
      path,
      async ({ page }) => {
        const email = await storePerson();
        const [id] = await stack().database('leads').where({ email }).pluck<string[]>('id');
        await page.goto(new URL(`/admin/leads/${id}`, page.url()).href);
        await dialog(page).getByRole('link', { name: 'Export or erase this person’s data' }).click();
        await page.getByText(`Held about ${email}`).waitFor();
        await routeOnce(page, '**/people/export**', (route) => route.fulfill({ status: 503, json: {} }));
        await press(page, 'Export as JSON');
        await until('the toast', async () => (await toasts(page).innerText()).includes('Could not export the data.'));
      },
      { failing: ['/api/admin/people/export'] },
    ),
  );

  it(
    'is accessible in every state, light and dark, in wide and narrow windows',
    onStaffPage(
      path,
      async ({ page }) => {
        const email = await storePerson();
        const check = async (state: string) => {
          await expectAccessibleEverywhere(page, state);
          await page.setViewportSize({ width: 1440, height: 900 });
        };
        await check('empty');
        await show(page, email);
        await check('held');
        await press(page, 'Erase…');
        await confirmation(page).fill('other@example.com');
        await page.keyboard.press('Enter');
        await dialog(page).getByText('This is not').first().waitFor();
        await check('question');
        await confirmation(page).fill(email);
        await page.keyboard.press('Enter');
        await dialog(page).getByText('Nothing is held').waitFor();
        await check('result');
      },
      withAxe,
    ),
  ).timeout(120_000);
});
