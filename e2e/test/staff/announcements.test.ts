import { stack } from '../../src/browser/browser-suite.ts';
import { figures, onStaffPage, sendSignIn } from '../../src/browser/staff.ts';
import { contactMessage, deleteLeads, storeLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const events = '/api/admin/events';
const listCall = 'GET /api/admin/contacts';
const rows = (page: Page) => page.locator('tbody tr');
const place = (page: Page) => rows(page).first().boundingBox();
const described = (page: Page, name: string, text: string) =>
  page.locator('nav').getByRole('link', { name, exact: true, description: text });

describe('New leads', () => {
  beforeEach(async () => {
    const { database } = stack();
    await deleteLeads(database);
    await storeLeads(database, [contactMessage]);
  });
  after(() => deleteLeads(stack().database));

  it(
    'are announced above the table in every tab over one connection, also after its tab is closed',
    onStaffPage('/admin/leads', async ({ page, context, count }) => {
      await rows(page).first().waitFor();
      await described(page, 'Leads', '1 need an answer').waitFor();
      const second = await context.newPage();
      await second.goto(page.url());
      await described(second, 'Leads', '1 need an answer').waitFor();
      expect(count(`GET ${events}`)).to.equal(1);
      const before = await place(page);
      const loads = count(listCall);
      await storeLeads(stack().database, [contactMessage, contactMessage]);
      for (const each of [page, second]) await each.getByRole('status').getByText('2 new leads').waitFor();
      await until('the title', async () => (await page.title()).startsWith('(2) Leads'));
      await described(page, 'Leads', '3 need an answer').waitFor();
      expect([await rows(page).count(), count(listCall)]).to.deep.equal([1, loads]);
      expect(await place(page), 'the table does not move').to.deep.equal(before);
      await page.getByRole('button', { name: 'Show' }).press('Enter');
      await until('the rows', async () => (await rows(page).count()) === 3);

      await page.goto('about:blank');
      await until('a connection of the second tab', () => count(`GET ${events}`) === 2);
      await storeLeads(stack().database, [contactMessage]);
      await second.getByRole('status').getByText('3 new leads').waitFor();
      await second.close();
    }),
  );

  it(
    'are announced over one connection in eight tabs without a secure context',
    onStaffPage(
      '/admin/login',
      async ({ page, context, account, count }) => {
        const site = new URL(stack().siteUrl);
        site.hostname = 'studio.lan';
        await page.goto(new URL('/admin/login', site).href);
        expect(await page.evaluate(() => isSecureContext)).to.equal(false);
        await sendSignIn(page, account);
        await figures(page).waitFor();
        await described(page, 'Leads', '1 need an answer').waitFor();
        const others: Page[] = [];
        for (let each = 0; each < 7; each++) {
          const other = await context.newPage();
          await other.goto(new URL('/admin/people', site).href);
          await described(other, 'Leads', '1 need an answer').waitFor();
          others.push(other);
        }
        expect(count(`GET ${events}`)).to.equal(1);
        await page.goto('about:blank');
        await until('a connection of another tab', () => count(`GET ${events}`) === 2);
        await storeLeads(stack().database, [contactMessage]);
        for (const other of others) {
          await described(other, 'Leads', '2 need an answer').waitFor();
          await other.close();
        }
      },
      { isSignedIn: false },
    ),
  );
});
