import { endRoutes } from '../../src/browser/browser.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import { contactMessage, deleteLeads, storeLeads, storeLeadsOfManyDays } from '@dune-tide/testkit/leads';
import { figures, heading, onStaffPage, untilAt } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const path = '/admin/dashboard';
const statsCall = 'GET /api/admin/stats';
const activityCall = 'GET /api/admin/recent-activity';

/** Returns the cards' label, number and growth. */
const cards = (page: Page) =>
  page
    .locator('dl > div')
    .evaluateAll((all) =>
      all.map((card) => [
        card.querySelector('dt')?.textContent,
        ...[...card.querySelectorAll('dd > *')].map((part) => part.textContent),
      ]),
    );

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

/** Returns the expected figures, counted from the stored leads. */
async function stored() {
  const { database } = stack();
  const all = await database<{ kind: string; status: string | null }>('leads').select('kind', 'status');
  const inquiries = all.filter(({ kind }) => kind === 'service_inquiry');
  const won = inquiries.filter(({ status }) => status === 'won').length;
  return {
    leads: all.filter(({ kind }) => kind !== 'portfolio_request').length,
    won,
    conversion: inquiries.length === 0 ? 0 : Math.round((won / inquiries.length) * 1000) / 10,
    members: (await database('staff').where({ is_active: true })).length,
  };
}

describe('The dashboard', () => {
  before(() => storeLeadsOfManyDays(stack().database, 1_400));
  after(() => deleteLeads(stack().database));

  it(
    'shows the four figures and the samples, or an error with Try again',
    onStaffPage(
      path,
      async ({ page, count }) => {
        await figures(page).waitFor();
        const { leads, won, conversion, members } = await stored();
        expect(leads, 'enough for a thousands separator').to.be.above(999);
        expect(won).to.be.above(0);
        expect(await cards(page)).to.deep.equal([
          ['Total Leads', leads.toLocaleString('en-US'), '+12%'],
          ['Active Projects', String(won), '+5%'],
          ['Team Members', String(members), '0%'],
          ['Conversion Rate', `${conversion}%`, '+8%'],
        ]);
        expect(await page.getByRole('tab').allInnerTexts()).to.deep.equal([
          'Overview',
          'CRM & Leads',
          'Team',
          'Recipes',
        ]);
        for (const name of ['Recent Activity', 'Upcoming Tasks']) {
          expect(await page.getByRole('region', { name }).getByRole('listitem').count()).to.equal(5);
        }
        expect([count(statsCall), count(activityCall)]).to.deep.equal([1, 1]);

        let asked = 0;
        await page.route('**/api/admin/stats', (route) => {
          asked++;
          return asked <= 2 ? route.fulfill({ status: 500, json: {} }) : route.fallback();
        });
        await page.getByRole('button', { name: 'Refresh' }).click();
        await page.getByText('Could not refresh the figures. They may be out of date.').waitFor();
        expect(asked, 'no retries').to.equal(1);
        await figures(page).waitFor();
        await page.reload();
        await page.getByText('Could not load the figures.', { exact: true }).waitFor();
        expect(asked, 'no retries').to.equal(2);
        await page.getByRole('button', { name: 'Try again' }).click();
        await figures(page).waitFor();
      },
      { failing: ['/api/admin/stats'] },
    ),
  );

  it(
    'opens the pages from its tabs with the keyboard',
    onStaffPage(path, async ({ page }) => {
      for (const [index, [name, button, target]] of (
        [
          ['CRM & Leads', 'Go to CRM & Leads', '/admin/leads'],
          ['Team', 'Go to Team', '/admin/team'],
          ['Recipes', 'Go to Recipes', '/admin/recipes'],
        ] as const
      ).entries()) {
        await tab(page, 'Overview').focus();
        for (let steps = 0; steps <= index; steps++) await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
        await page.getByRole('tabpanel', { name }).getByRole('link', { name: button }).press('Enter');
        await untilAt(page, target);
        await tab(page, 'Overview').waitFor({ state: 'detached' });
        await page.goBack();
        await page.getByRole('tab', { name, exact: true, selected: true }).waitFor();
      }
    }),
  );

  it(
    'keeps the layout while the figures load',
    onStaffPage(
      path,
      async ({ page }) => {
        await page.getByText('Total Leads').waitFor();
        expect(await page.locator('dl').getAttribute('aria-busy')).to.equal('true');
        const { height } = (await page.locator('dl').boundingBox())!;
        await endRoutes(page);
        await page.context().unroute('**/api/admin/stats');
        await page.reload();
        await figures(page).waitFor();
        expect((await page.locator('dl').boundingBox())!.height).to.be.closeTo(height, 1);
      },
      { prepare: (context) => context.route('**/api/admin/stats', () => undefined) },
    ),
  );
});

describe('Loaded data', () => {
  it(
    'matches the leads after a refresh of either page',
    onStaffPage(path, async ({ page }) => {
      await figures(page).waitFor();
      await storeLeads(stack().database, [contactMessage]);
      const total = page.locator('dl dd').first().locator('> *').first();
      await page.getByRole('link', { name: 'Leads', exact: true }).click();
      await page.locator('tbody tr').first().waitFor();
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
      const after = (await stored()).leads.toLocaleString('en-US');
      await until('the new figure', async () => (await total.innerText()) === after);
    }),
  );

  it(
    'is loaded again only by Refresh, not by time, focus, the connection or a return to the page',
    onStaffPage(
      path,
      async ({ page, count, context }) => {
        await figures(page).waitFor();
        const total = page.locator('dl dd').first().locator('> *').first();
        const before = (await stored()).leads.toLocaleString('en-US');
        expect(await total.innerText()).to.equal(before);
        await storeLeads(stack().database, [contactMessage]);
        await page.clock.fastForward(48 * 60 * 60_000);
        await page.evaluate(() => {
          window.dispatchEvent(new Event('focus'));
          document.dispatchEvent(new Event('visibilitychange'));
        });
        await context.setOffline(true);
        await context.setOffline(false);
        await page.getByRole('link', { name: 'Team', exact: true }).click();
        await page.getByRole('table').waitFor();
        await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
        await figures(page).waitFor();
        expect(await total.innerText()).to.equal(before);
        expect([count(statsCall), count(activityCall)]).to.deep.equal([1, 1]);
        await page.getByRole('button', { name: 'Refresh' }).click();
        const after = (await stored()).leads.toLocaleString('en-US');
        await until('the new figure', async () => (await total.innerText()) === after);
        await until('both calls', () => count(activityCall) === 2);
        expect(count(statsCall)).to.equal(2);
        expect(count('GET /api/admin/session')).to.equal(1);
      },
      { hasOwnClock: true },
    ),
  );
});

describe('Every page of the staff area', () => {
  const asOf = (page: Page) => page.getByText(/^As of/).innerText();
  const headings: Readonly<Record<string, string>> = {
    Leads: 'CRM & Lead Management',
    'Automatic emails': 'Automatic emails',
    Recipes: 'Recipe Management',
    Team: 'Team',
    Dashboard: 'Dashboard',
  };

  it(
    'shows when its data was loaded, also after it was opened again, and the new time after Refresh',
    onStaffPage(
      path,
      async ({ page }) => {
        await figures(page).waitFor();
        const setTime = (time: string) => page.clock.setSystemTime(`2026-03-05T${time}:00Z`);
        const shows = (name: string, time: string) =>
          until(`${name} shows ${time}`, async () => (await asOf(page)) === `As of ${time}`);
        const open = async (name: string): Promise<void> => {
          await page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name }).click();
          await heading(page, headings[name]).waitFor();
        };
        const refresh = () => page.getByRole('button', { name: 'Refresh' }).click();

        await setTime('14:05');
        for (const name of Object.keys(headings)) {
          await open(name);
          await page.getByText(/^As of/).waitFor();
          await refresh();
          await shows(name, '14:05');
        }
        await setTime('14:20');
        for (const name of Object.keys(headings).toReversed()) {
          await open(name);
          // This page alone is loaded each time (docs/PRODUCT.md, "Fresh data").
          await shows(name, name === 'Automatic emails' ? '14:20' : '14:05');
          await refresh();
          await shows(name, '14:20');
        }

        await setTime('14:35');
        await open('Team');
        await page.route('**/api/admin/team', (route) => route.fulfill({ status: 503, json: {} }));
        await refresh();
        await page.getByText('Could not refresh the list. It may be out of date. Try again.').waitFor();
        await shows('Team', '14:20');
      },
      { hasOwnClock: true, failing: ['/api/admin/team'] },
    ),
  );
});
