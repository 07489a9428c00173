import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { brand } from '@dune-tide/domain/brand';
import { leadSearchIndex } from '@dune-tide/db/leads';
import { deleteLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { stack } from '../../../src/browser/browser-suite.ts';
import { fields, leadId, leadPath, leadsPath, rows, storeFewLeads } from '../../../src/browser/leads-page.ts';
import { dialog, onStaffPage, press, untilAt, untilClosed, untilToast } from '../../../src/browser/staff.ts';

describe('The leads page with a few leads', () => {
  before(async () => {
    await storeFewLeads();
    // The worker expects that leads are stored when they are received; these are months old.
    await leadSearchIndex(stack().database).fillOlder();
  });
  after(() => deleteLeads(stack().database));

  it(
    'finds a lead with the keyboard, and the address keeps the search on every way back',
    onStaffPage(leadsPath, async ({ page }) => {
      const field = page.getByRole('combobox', { name: 'Search leads' });
      const untilFound = () => until('only Zoë', async () => (await rows(page).count()) === 1);
      await rows(page).first().waitFor();
      await page.keyboard.press('/');
      await until('the field has the focus', () => field.evaluate((each) => each === document.activeElement));
      await page.keyboard.type('zoe bot');
      await untilFound();
      await untilAt(page, `${leadsPath}?q=zoe+bot`);
      await page.reload();
      await untilFound();
      await page.getByRole('link', { name: 'View Zoë Botha' }).click();
      await dialog(page).getByText('Lead 1 of 1').waitFor();
      await page.goBack();
      await untilClosed(page);
      await page.getByRole('link', { name: 'Recipes' }).click();
      await page.getByRole('heading', { name: 'Recipe Management' }).waitFor();
      await page.goBack();
      await untilFound();
      expect(await field.inputValue()).to.equal('zoe bot');
    }),
  );

  it(
    'opens a lead with a click on its row, in a new tab with Control, but not while text is selected',
    onStaffPage(leadsPath, async ({ page, context }) => {
      const address = page.getByRole('table').getByText('noura@example.com');
      // Waits until the row has stopped moving.
      await address.hover();
      const { x, y, width } = (await address.boundingBox()) ?? expect.fail();
      await page.mouse.move(x + 2, y + 8);
      await page.mouse.down();
      await page.mouse.move(x + width - 10, y + 8);
      await page.mouse.up();
      expect(await page.evaluate(() => String(getSelection()))).to.include('@example');
      expect(new URL(page.url()).pathname).to.equal(leadsPath);
      await page.evaluate(() => getSelection()?.empty());

      await address.click({ modifiers: ['Control'] });
      // Playwright misses some tabs that open in the background on a busy machine, so the browser is asked.
      const browser = await (context.browser() ?? expect.fail()).newBrowserCDPSession();
      await until('a tab with the details', async () =>
        (await browser.send('Target.getTargets')).targetInfos.some(({ url }) => url.endsWith(leadPath(leadId('007')))),
      );
      await browser.detach();
      expect(new URL(page.url()).pathname).to.equal(leadsPath);
      await address.click();
      await dialog(page).getByText('First line').waitFor();
    }),
  );

  it(
    'gives a lead its own address, so that open, Back, Forward and close use the history',
    onStaffPage(leadsPath, async ({ page, count }) => {
      await rows(page).first().waitFor();
      await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
      expect(await fields(page)).to.include({ 'First name': 'Noura', Message: 'First line\nsecond line' });
      expect(new URL(page.url()).pathname).to.equal(leadPath(leadId('007')));
      expect(await page.title()).to.equal(`Noura al-Harbi – Leads – ${brand.name} Admin`);
      const names = dialog(page).getByRole('heading', { level: 2 }).locator('bdi > span');
      const directions = await names.evaluateAll((all) => all.map((part) => getComputedStyle(part).unicodeBidi));
      expect(directions, 'the direction of one name does not affect the other').to.deep.equal([
        'plaintext',
        'plaintext',
      ]);
      await page.goBack();
      await untilClosed(page);
      expect(new URL(page.url()).pathname).to.equal(leadsPath);
      await page.goForward();
      await press(dialog(page), 'Send Email');
      await dialog(page).getByLabel('Message').fill('Half a letter');
      await page.goBack();
      await press(dialog(page), 'Discard');
      expect(await fields(page), 'Back from the reply shows the details').to.include({ 'First name': 'Noura' });
      // The second Escape precedes the history event of the first.
      await page.evaluate(() => {
        for (const key of ['Escape', 'Escape']) {
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        }
      });
      await untilClosed(page);
      expect(new URL(page.url()).pathname).to.equal(leadsPath);
      expect(count('GET /api/admin/contacts'), 'the table is not requested again').to.equal(1);
    }),
  );

  it(
    'copies the address of a lead',
    onStaffPage(
      leadPath(leadId('009')),
      async ({ page }) => {
        await dialog(page).getByRole('button', { name: 'Copy the address' }).click();
        await dialog(page).getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
        expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('zoe@example.com');
      },
      { prepare: (context) => context.grantPermissions(['clipboard-read', 'clipboard-write']) },
    ),
  );

  it(
    'stores the leads of the filter in a file',
    onStaffPage(`${leadsPath}?status=qualified`, async ({ page }) => {
      await rows(page).first().waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')]);
      await untilToast(page, '1 lead exported.');
      expect(download.suggestedFilename()).to.match(/^leads-\d{4}-\d\d-\d\d\.csv$/);
      const text = await readFile(await download.path(), 'utf8');
      expect(text).to.match(/^\uFEFF"kind",/);
      expect(text).to.contain('Thabo Nkosi').and.not.contain('Botha');
    }),
  );

  it(
    'changes several leads together and undoes it',
    onStaffPage(leadsPath, async ({ page }) => {
      const statuses = () =>
        stack().database('leads').whereIn('id', ['007', '009'].map(leadId)).orderBy('id').pluck<string[]>('status');
      await rows(page).first().waitFor();
      await page.getByRole('checkbox', { name: 'Select Zoë Botha' }).click();
      await page.getByRole('link', { name: 'View Noura al-Harbi' }).focus();
      await page.keyboard.press('x');
      const bar = page.getByRole('region', { name: 'Change the selected leads' });
      await bar.getByText('2 leads selected').waitFor();
      await press(bar, 'Status');
      await page.getByRole('menuitem', { name: 'Won' }).dblclick();
      await page.getByText('2 leads changed').waitFor();
      expect(await statuses()).to.deep.equal(['won', 'won']);
      await press(page, 'Undo');
      await untilToast(page, 'The change is undone.');
      expect(await statuses()).to.deep.equal(['new', 'new']);
    }),
  );

  it(
    'orders saved views with the pointer',
    onStaffPage(leadsPath, async ({ page, account }) => {
      const views = () => stack().database('lead_views').where({ staff_id: account.id });
      await views().insert(
        ['First', 'Second', 'Third'].map((name, position) => ({
          id: randomUUID(),
          staff_id: account.id,
          name,
          search: 'status=new',
          position,
        })),
      );
      await page.reload();
      await page.getByRole('link', { name: 'Third', exact: true }).waitFor();
      await press(page, 'Edit views');
      const entries = dialog(page).getByRole('listitem');
      const handle = entries.nth(2).locator('.handle');
      // Waits until the dialog has stopped moving.
      await handle.hover();
      const [from, to] = await Promise.all([handle, entries.first()].map((each) => each.boundingBox()));
      await page.mouse.down();
      await page.mouse.move((from?.x ?? 0) + 8, (to?.y ?? 0) + 30, { steps: 5 });
      await page.mouse.move((from?.x ?? 0) + 8, (to?.y ?? 0) + 6, { steps: 2 });
      await page.mouse.up();
      expect(await entries.allInnerTexts()).to.deep.equal(['Third', 'First', 'Second']);
      await until('the order is stored', async () => {
        const names = await views().orderBy('position').pluck<string[]>('name');
        return names.join() === 'Third,First,Second';
      });
    }),
  );
});
