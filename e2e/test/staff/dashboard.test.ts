import { isDeepStrictEqual } from 'node:util';
import { endRoutes } from '../../src/browser/browser.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import { contactMessage, deleteLeads, storeLeads, storeLeadsOfManyDays } from '@dune-tide/testkit/leads';
import { accountTable, figures, heading, onStaffPage, refresh, untilAt, untilLoaded } from '../../src/browser/staff.ts';
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
    'shows the four figures with real growth, or an error with Try again',
    onStaffPage(
      path,
      async ({ page, count }) => {
        await figures(page).waitFor();
        const { leads, won, conversion, members } = await stored();
        expect(leads, 'enough for a thousands separator').to.be.above(999);
        expect(won).to.be.above(0);
        await untilLoaded(page);
        const shown = await cards(page);
        expect(shown.map((card) => card.slice(0, 2))).to.deep.equal([
          ['Total Leads', leads.toLocaleString('en-US')],
          ['Active Projects', String(won)],
          ['Team Members', String(members)],
          ['Conversion Rate', `${conversion}%`],
        ]);
        const { growth } = (await (await page.request.get(new URL('/api/admin/trends', page.url()).href)).json()) as {
          growth: { totalLeads: number };
        };
        expect(Number.parseFloat(shown[0]?.[2]?.replace(',', '') ?? '')).to.equal(growth.totalLeads);
        expect(await page.getByRole('tab').allInnerTexts()).to.deep.equal([
          'Overview',
          'CRM & Leads',
          'Team',
          'Recipes',
        ]);
        expect(await page.getByText('Sample entries').count()).to.equal(0);
        expect(await page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem').count()).to.equal(14);
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

describe('The dashboard of a new studio', () => {
  before(() => deleteLeads(stack().database));
  after(() => deleteLeads(stack().database));

  it(
    'shows the fixed growth and the samples',
    onStaffPage(path, async ({ page }) => {
      await figures(page).waitFor();
      for (const name of ['Recent Activity', 'Upcoming Tasks']) {
        const part = page.getByRole('region', { name });
        await part.getByText('Sample entries').waitFor();
        expect(await part.getByRole('listitem').count()).to.equal(5);
      }
      await untilLoaded(page);
      expect((await cards(page)).map(([, , growth]) => growth)).to.deep.equal(['+12%', '+5%', '0%', '+8%']);
      await page.getByText('No answer was due in the last 30 days.').waitFor();
    }),
  );
});

describe('The leads that need an answer', () => {
  const hours = (count: number) => new Date(Date.now() - count * 60 * 60_000);
  before(async () => {
    const { database } = stack();
    await deleteLeads(database);
    await storeLeads(database, [
      { ...contactMessage, createdAt: hours(30) },
      { ...contactMessage, createdAt: hours(26) },
      { ...contactMessage, createdAt: hours(22) },
      { ...contactMessage, createdAt: hours(1) },
      { ...contactMessage, createdAt: hours(40), answeredAt: hours(39), status: 'contacted' },
    ]);
  });
  after(() => deleteLeads(stack().database));

  const entrance = (page: Page, name: RegExp) =>
    page.getByRole('region', { name: 'Needs an answer' }).getByRole('link', { name });

  it(
    'are counted, listed as tasks, and linked to their list',
    onStaffPage(path, async ({ page }) => {
      await figures(page).waitFor();
      const needed = page.getByRole('region', { name: 'Needs an answer' });
      await needed.getByText('33.3% answered in time, median 1 h (last 30 days)').waitFor();
      const counts = ['2 Overdue', '1 Due soon', '1 Waiting', '4 Unowned'].map((text) => text.replace(' ', '\n'));
      // The announcement with the counts can arrive later than the rate.
      await until('the counts', async () => isDeepStrictEqual(await needed.getByRole('link').allInnerTexts(), counts));
      const tasks = page.getByRole('region', { name: 'Upcoming Tasks' }).getByRole('listitem');
      await tasks.first().waitFor();
      expect(await tasks.count()).to.equal(4);
      expect(await tasks.first().innerText()).to.match(/overdue by 6\u{A0}h/u);
      expect(await tasks.last().innerText()).to.match(/due in 2[23]\u{A0}h/u);

      for (const [name, search, count] of [
        [/Overdue/, '?response=overdue', 2],
        [/Due soon/, '?response=soon', 1],
        [/Unowned/, '?response=overdue&response=soon&response=waiting&owner=none', 4],
      ] as const) {
        await entrance(page, name).press('Enter');
        await untilAt(page, `/admin/leads${search}`);
        await until('the rows', async () => (await page.locator('tbody tr').count()) === count);
        await page.goBack();
      }
      await entrance(page, /Overdue/).click();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await until('all rows', async () => (await page.locator('tbody tr').count()) === 5);
    }),
  );
});

describe('The charts', () => {
  before(() => storeLeadsOfManyDays(stack().database, 400));
  after(() => deleteLeads(stack().database));

  it(
    'have a table for screen readers and links to the leads, and are loaded on this page only',
    onStaffPage('/admin/team', async ({ page }) => {
      const scripts: string[] = [];
      page.on('request', (request) => {
        if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
      });
      await accountTable(page).waitFor();
      const isOfCharts = (script: string) => /\/Charts-/.test(script);
      expect(
        await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
      ).to.not.satisfy((names: string[]) => names.some(isOfCharts));
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
      const perWeek = page.getByRole('table', { name: 'Leads per week, last 12 weeks' });
      await perWeek.waitFor();
      expect(scripts.some(isOfCharts)).to.equal(true);
      expect(await perWeek.getByRole('row').count()).to.equal(13);
      expect(
        await page
          .getByRole('table', { name: /^Leads by status/ })
          .getByRole('row')
          .count(),
      ).to.equal(6);
      expect(
        await page
          .getByRole('table', { name: /^Answered in time/ })
          .getByRole('row')
          .count(),
      ).to.equal(13);
      const region = page.getByRole('region', { name: 'Leads per week' });
      expect(await region.locator('svg rect').count()).to.be.above(10);
      const inquiries = region.getByRole('listitem').filter({ hasText: 'Service Inquiries' });
      const count = Number(/[\d,]+$/.exec(await inquiries.innerText())?.[0].replace(',', ''));
      expect(count).to.be.above(0);
      await inquiries.getByRole('link').click();
      const table = page.getByRole('table');
      await page.getByText(`${count} leads`, { exact: true }).waitFor();
      // With the row of the heads.
      expect(await table.getAttribute('aria-rowcount')).to.equal(String(count + 1));
    }),
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
      await heading(page, 'CRM & Lead Management').waitFor();
      await refresh(page);
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
        await untilLoaded(page);
        await storeLeads(stack().database, [contactMessage]);
        await page.clock.fastForward(48 * 60 * 60_000);
        await page.evaluate(() => {
          window.dispatchEvent(new Event('focus'));
          document.dispatchEvent(new Event('visibilitychange'));
        });
        await context.setOffline(true);
        await context.setOffline(false);
        await page.getByRole('link', { name: 'Team', exact: true }).click();
        await accountTable(page).waitFor();
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

describe('Every list of the staff area', () => {
  const asOf = (page: Page) => page.getByText(/^As of/).innerText();
  const headings: Readonly<Record<string, string>> = {
    Leads: 'CRM & Lead Management',
    'Automatic emails': 'Automatic emails',
    Recipes: 'Recipe Management',
    Team: 'Team',
  };

  it(
    'shows when its data was loaded, also after it was opened again, and the new time after Refresh',
    onStaffPage(
      path,
      async ({ page }) => {
        const setTime = (time: string) => page.clock.setSystemTime(`2026-03-05T${time}:00Z`);
        const shows = (name: string, time: string) =>
          until(`${name} shows ${time}`, async () => (await asOf(page)) === `As of ${time}`);
        const open = async (name: string): Promise<void> => {
          await page.getByRole('navigation', { name: 'Staff area' }).getByRole('link', { name }).click();
          await heading(page, headings[name]).waitFor();
          await page.getByText(/^As of/).waitFor();
          // A press while the page loads has no effect, and what loads late would show the next time.
          await untilLoaded(page);
        };

        await figures(page).waitFor();
        await setTime('14:05');
        for (const name of Object.keys(headings)) {
          await open(name);
          await shows(name, '14:05');
        }
        await setTime('14:20');
        for (const name of Object.keys(headings).toReversed()) {
          await open(name);
          // This page alone is loaded each time (docs/PRODUCT.md, "Fresh data").
          await shows(name, name === 'Automatic emails' ? '14:20' : '14:05');
          await refresh(page);
          await shows(name, '14:20');
        }

        await setTime('14:35');
        await open('Team');
        await page.route('**/api/admin/team', (route) => route.fulfill({ status: 503, json: {} }));
        await refresh(page);
        await page.getByText('Could not refresh the list. It may be out of date. Try again.').waitFor();
        await shows('Team', '14:20');
      },
      { hasOwnClock: true, failing: ['/api/admin/team'] },
    ),
  );
});
