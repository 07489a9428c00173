import { endRoutes } from '../../src/browser/browser.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import { deleteLeads, storeLeadsOfManyDays } from '@dune-tide/testkit/leads';
import { accountTable, figures, onStaffPage, untilAt } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

const path = '/admin/dashboard';

describe('The dashboard', () => {
  before(() => storeLeadsOfManyDays(stack().database, 400));
  after(() => deleteLeads(stack().database));

  it(
    'shows the figures with real growth, and leads to the leads that need an answer',
    onStaffPage(path, async ({ page }) => {
      const answer = async <Body>(name: string): Promise<Body> =>
        (await (await page.request.get(new URL(`/api/admin/${name}`, page.url()).href)).json()) as Body;
      const { totalLeads } = await answer<{ totalLeads: number }>('stats');
      const { growth } = await answer<{ growth: { totalLeads: number } }>('trends');
      await figures(page).waitFor();
      const parts = figures(page).locator('> div').first().locator('dd > *');
      await until('the growth', async () => /^[+-–]?[\d,.]+%$/u.test((await parts.allTextContents())[1] ?? ''));
      const [total = '', change = ''] = await parts.allTextContents();
      expect(total).to.equal(totalLeads.toLocaleString('en-US'));
      expect(Number.parseFloat(change.replace(',', ''))).to.equal(growth.totalLeads);

      const entrance = page.getByRole('region', { name: 'Needs an answer' }).getByRole('link', { name: /Unowned/ });
      const unowned = Number.parseInt(await entrance.innerText(), 10);
      await entrance.press('Enter');
      await untilAt(page, '/admin/leads?response=overdue&response=soon&response=waiting&owner=none');
      await page.getByText(`${unowned} leads`, { exact: true }).waitFor();
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

  it(
    'has charts with tables and links to the leads, which are loaded on this page only',
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
