import { onStaffPage, untilAt } from '@dune-tide/e2e/support/staff-suite';
import { until } from '@dune-tide/e2e/support/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const path = '/admin/dashboard';
const statsCall = 'GET /api/admin/stats';
const activityCall = 'GET /api/admin/recent-activity';

/** The cards as they are read: label, figure and growth. */
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

describe('The dashboard', () => {
  it(
    'shows the four figures with their fixed growth, and the samples',
    onStaffPage(path, async ({ page, api }) => {
      await page.getByText('1,284').waitFor();
      expect(await cards(page)).to.deep.equal([
        ['Total Leads', '1,284', '+12%'],
        ['Active Projects', '17', '+5%'],
        ['Team Members', '4', '0%'],
        ['Conversion Rate', '12.5%', '+8%'],
      ]);
      expect(await page.getByRole('tab').allInnerTexts()).to.deep.equal(['Overview', 'CRM & Leads', 'Team', 'Recipes']);
      for (const name of ['Recent Activity', 'Upcoming Tasks']) {
        expect(await page.getByRole('region', { name }).getByRole('listitem').count()).to.equal(5);
      }
      expect([api.count(statsCall), api.count(activityCall)]).to.deep.equal([1, 1]);
    }),
  );

  it(
    'leads from its tabs to the pages, by the keyboard',
    onStaffPage(path, async ({ page }) => {
      for (const [name, button, target] of [
        ['CRM & Leads', 'Go to CRM & Leads', '/admin/leads'],
        ['Team', 'Go to Team', '/admin/team'],
        ['Recipes', 'Go to Recipes', '/admin/recipes'],
      ] as const) {
        await tab(page, 'Overview').focus();
        while (!(await tab(page, name).evaluate((each) => each === document.activeElement))) {
          await page.keyboard.press('ArrowRight');
        }
        await page.keyboard.press('Enter');
        await page.getByRole('tabpanel', { name }).getByRole('link', { name: button }).press('Enter');
        await untilAt(page, target);
        await page.goBack();
        await tab(page, 'Overview').waitFor();
      }
    }),
  );

  it(
    'keeps the places of the figures while they are on their way',
    onStaffPage(
      path,
      async ({ page }) => {
        await page.getByText('Total Leads').waitFor();
        expect(await page.locator('dl').getAttribute('aria-busy')).to.equal('true');
        const { height } = (await page.locator('dl').boundingBox())!;
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.context().unroute('**/api/admin/stats');
        await page.reload();
        await page.getByText('1,284').waitFor();
        expect((await page.locator('dl').boundingBox())!.height).to.be.closeTo(height, 1);
      },
      { prepare: (context) => context.route('**/api/admin/stats', () => undefined) },
    ),
  );

  it(
    'says so when the figures cannot be loaded, asks once, and asks again when told',
    onStaffPage(
      path,
      async ({ page }) => {
        let asked = 0;
        await page.route('**/api/admin/stats', (route) => {
          asked++;
          return asked === 1 ? route.fulfill({ status: 500, json: {} }) : route.fallback();
        });
        await page.getByRole('button', { name: 'Refresh' }).click();
        await page.getByText('The figures could not be loaded.').waitFor();
        expect(asked, 'no retries').to.equal(1);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('1,284').waitFor();
      },
      { failing: ['/api/admin/stats'] },
    ),
  );
});

describe('What was read', () => {
  it(
    'is asked for anew by Refresh only: not by time, focus, the connection or a return to the page',
    onStaffPage(
      path,
      async ({ page, api, context }) => {
        await page.getByText('1,284').waitFor();
        api.stats.totalLeads = 1285;
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
        await page.getByText('1,284').waitFor();
        expect([api.count(statsCall), api.count(activityCall)]).to.deep.equal([1, 1]);
        await page.getByRole('button', { name: 'Refresh' }).click();
        await page.getByText('1,285').waitFor();
        await until('both calls', () => api.count(activityCall) === 2);
        expect(api.count(statsCall)).to.equal(2);
        expect(api.count('GET /api/admin/session')).to.equal(1);
      },
      { hasOwnClock: true },
    ),
  );
});
