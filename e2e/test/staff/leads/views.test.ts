import { randomUUID } from 'node:crypto';
import { expectAccessibleEverywhere, tabTo, withAxe } from '../../../src/browser/accessibility.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { leadsPath, rows, storeFewLeads } from '../../../src/browser/leads-page.ts';
import { closeDialog, dialog, focused, onStaffPage, press, untilAt, untilClosed } from '../../../src/browser/staff.ts';
import { leadSearchIndex } from '@dune-tide/db/leads';
import { deleteLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const viewList = (page: Page) => page.getByRole('list', { name: 'Views' });
const view = (page: Page, name: string) => viewList(page).getByRole('link', { name, exact: true });
const ownViews = (page: Page) =>
  viewList(page)
    .getByRole('link')
    .allInnerTexts()
    .then((names) => names.slice(5));
const edited = (page: Page) => dialog(page).getByRole('listitem');

async function save(page: Page, name: string): Promise<void> {
  await press(page, 'Save view');
  await dialog(page).getByLabel('Name').fill(name);
  await page.keyboard.press('Enter');
  await untilClosed(page);
  await view(page, name).waitFor();
}

const store = (account: { readonly id: string }, views: Readonly<Record<string, string>>) =>
  stack()
    .database('lead_views')
    .insert(
      Object.entries(views).map(([name, search], position) => ({
        id: randomUUID(),
        staff_id: account.id,
        name,
        search,
        position,
      })),
    );
const storedNames = (account: { readonly id: string }) =>
  stack().database('lead_views').where({ staff_id: account.id }).orderBy('position').pluck<string[]>('name');
const untilStored = (account: { readonly id: string }, names: readonly string[]) =>
  until(`the order ${names.join()}`, async () => (await storedNames(account)).join() === names.join());

describe('Saved views of the leads page', () => {
  before(async () => {
    await storeFewLeads();
    await leadSearchIndex(stack().database).fillOlder();
  });
  after(() => deleteLeads(stack().database));

  it(
    'are saved with a name from what the page shows, and open it again',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        await rows(page).first().waitFor();
        expect(await page.getByRole('button', { name: 'Save view' }).count(), 'nothing to save').to.equal(0);
        await page.goto(`${stack().siteUrl}${leadsPath}?tab=service_inquiry&q=roasters&status=qualified`);
        await press(page, 'Save view');
        await dialog(page).getByText('Service Inquiries · “roasters” · Status: Qualified', { exact: true }).waitFor();
        await expectAccessibleEverywhere(page, 'a new view', { part: '[role="dialog"]' });
        await closeDialog(page);
        await save(page, 'Coffee');
        expect(await view(page, 'Coffee').getAttribute('aria-current')).to.equal('page');
        await view(page, 'Mine').click();
        await page.getByText('No leads match.').waitFor();
        await page.reload();
        await view(page, 'Coffee').click();
        await untilAt(page, `${leadsPath}?tab=service_inquiry&q=roasters&status=qualified`);
        await until('one row', async () => (await rows(page).count()) === 1);
        await press(page, 'Save view');
        await dialog(page).getByLabel('Name').fill('coffee');
        await page.keyboard.press('Enter');
        await dialog(page).getByText('Another view has this name').waitFor();
      },
      { ...withAxe, failing: ['/api/admin/views'] },
    ),
  );

  it(
    'are ordered with the pointer and with keys, and deleted',
    onStaffPage(
      leadsPath,
      async ({ page, account }) => {
        await store(account, { First: 'status=new', Second: 'status=won', Third: 'status=lost' });
        await page.reload();
        await until('three views', async () => (await ownViews(page)).join() === 'First,Second,Third');
        await press(page, 'Edit views');
        await expectAccessibleEverywhere(page, 'the views', { part: '[role="dialog"]' });
        await page.setViewportSize({ width: 1440, height: 900 });

        await tabTo(page, 'Move First down');
        await page.keyboard.press('Enter');
        await untilStored(account, ['Second', 'First', 'Third']);
        expect(await focused(page)).to.equal('Move First down');
        await page.keyboard.press('Space');
        await untilStored(account, ['Second', 'Third', 'First']);
        await dialog(page).getByText('First: 3 of 3').waitFor({ state: 'attached' });
        await page.keyboard.press('Space');
        expect(await focused(page), 'the last one stays').to.equal('Move First down');

        const [handle, target] = await Promise.all(
          [edited(page).nth(2).locator('.handle'), edited(page).first()].map((each) => each.boundingBox()),
        );
        await page.mouse.move((handle?.x ?? 0) + 8, (handle?.y ?? 0) + 8);
        await page.mouse.down();
        await page.mouse.move((handle?.x ?? 0) + 8, (target?.y ?? 0) + 30, { steps: 5 });
        await page.mouse.move((handle?.x ?? 0) + 8, (target?.y ?? 0) + 6, { steps: 2 });
        await page.mouse.up();
        await untilStored(account, ['First', 'Second', 'Third']);
        expect(await edited(page).allInnerTexts()).to.deep.equal(['First', 'Second', 'Third']);

        await press(page, 'Delete Second');
        await untilStored(account, ['First', 'Third']);
        await until('the focus on the next one', async () => (await focused(page)) === 'Delete Third');
        await closeDialog(page);
        expect(await ownViews(page)).to.deep.equal(['First', 'Third']);
        expect(await focused(page)).to.equal('Edit views');
      },
      withAxe,
    ),
  );

  it(
    'keep their order on the page if it could not be stored',
    onStaffPage(
      leadsPath,
      async ({ page, account }) => {
        await store(account, { First: 'status=new', Second: 'status=won' });
        await page.reload();
        await view(page, 'Second').waitFor();
        await page.route('**/api/admin/views', (route) =>
          route.request().method() === 'PATCH' ? route.fulfill({ status: 503, json: {} }) : route.fallback(),
        );
        await press(page, 'Edit views');
        await press(page, 'Move First down');
        await page.getByText('Could not change the order.').waitFor();
        expect(await edited(page).allInnerTexts()).to.deep.equal(['First', 'Second']);
      },
      { failing: ['/api/admin/views'] },
    ),
  );

  it(
    'open with the fields that the page knows',
    onStaffPage(leadsPath, async ({ page, account }) => {
      await store(account, { Old: 'colour=green&status=qualified&sort=colour' });
      await page.reload();
      await view(page, 'Old').click();
      await untilAt(page, `${leadsPath}?status=qualified`);
      await until('one row', async () => (await rows(page).count()) === 1);
      expect(await view(page, 'Old').getAttribute('aria-current')).to.equal('page');
      await press(page, 'Edit views');
      await edited(page).getByText('A part of this filter no longer exists.').waitFor();
      await page.goto(`${stack().siteUrl}${leadsPath}?colour=green&status=qualified`);
      await until('one row', async () => (await rows(page).count()) === 1);
    }),
  );
});
