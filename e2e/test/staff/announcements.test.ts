import { stack } from '../../src/browser/browser-suite.ts';
import { endSessions, figures, onStaffPage } from '../../src/browser/staff.ts';
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
    'are announced above the table, in the title and in the navigation, and loaded by Show only',
    onStaffPage('/admin/leads', async ({ page, count }) => {
      await rows(page).first().waitFor();
      await described(page, 'Leads', '1 need an answer').waitFor();
      const before = await place(page);
      const loads = count(listCall);
      await storeLeads(stack().database, [contactMessage, contactMessage]);
      await page.getByRole('status').getByText('2 new leads').waitFor();
      await until('the title', async () => (await page.title()).startsWith('(2) Leads'));
      await described(page, 'Leads', '3 need an answer').waitFor();
      expect([await rows(page).count(), count(listCall)]).to.deep.equal([1, loads]);
      expect(await place(page)).to.deep.equal(before);

      await page.getByRole('button', { name: 'Show' }).press('Enter');
      await until('the rows', async () => (await rows(page).count()) === 3);
      expect(await page.getByText('new leads').count()).to.equal(0);
      await until('the title', async () => (await page.title()).startsWith('Leads'));
      expect(await page.evaluate(() => document.activeElement?.tagName)).to.equal('H1');
    }),
  );

  it(
    'reach every tab over one connection, also after the tab with the connection is closed',
    onStaffPage('/admin/leads', async ({ page, context, count }) => {
      await described(page, 'Leads', '1 need an answer').waitFor();
      const second = await context.newPage();
      await second.goto(page.url());
      await described(second, 'Leads', '1 need an answer').waitFor();
      expect(count(`GET ${events}`)).to.equal(1);
      await storeLeads(stack().database, [contactMessage]);
      for (const each of [page, second]) await each.getByRole('status').getByText('1 new lead').waitFor();
      await page.goto('about:blank');
      await until('a connection of the second tab', () => count(`GET ${events}`) === 2);
      await storeLeads(stack().database, [contactMessage]);
      await second.getByRole('status').getByText('2 new leads').waitFor();
      await second.close();
    }),
  );

  it(
    'are announced again after a lost connection, and not after the session has ended',
    onStaffPage(
      '/admin/dashboard',
      async ({ page, account, count }) => {
        await figures(page).waitFor();
        await until('a retry', async () => {
          await page.clock.fastForward(10_000);
          return count(`GET ${events}`) === 3;
        });
        await described(page, 'Leads', '1 need an answer').waitFor();
        await endSessions(account);
        await page.route(`**${events}`, (route) => route.fulfill({ status: 401, json: {} }));
        await page.reload();
        await page.getByLabel(/^Username/).waitFor();
        const streams = count(`GET ${events}`);
        await page.clock.fastForward(60 * 60_000);
        expect(count(`GET ${events}`)).to.equal(streams);
      },
      {
        hasOwnClock: true,
        failing: [events, '/api/admin/session'],
        prepare: async (context) => {
          await context.route(`**${events}`, (route) => route.fulfill({ status: 503, json: {} }), { times: 4 });
        },
      },
    ),
  );
});
