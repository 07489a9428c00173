import { readFile } from 'node:fs/promises';
import { expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { leadsPath, rows, storeFewLeads } from '../../../src/browser/leads-page.ts';
import { focused, onStaffPage, press, untilToast } from '../../../src/browser/staff.ts';
import { deleteLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** Sends the start of an export and then nothing, until the page cancels it. */
const stall = (page: Page) =>
  page.evaluate(() => {
    const fetchResponse = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const isExport = typeof input === 'string' && input.startsWith('/api/admin/leads.csv');
      if (!isExport) return fetchResponse(input, init);
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`kind\r\n${'contact\r\n'.repeat(3)}`));
          init?.signal?.addEventListener('abort', () => {
            document.title = 'cancelled';
            controller.error(new DOMException('cancelled', 'AbortError'));
          });
        },
      });
      return new Response(body);
    };
  });

describe('The export of leads on the leads page', () => {
  before(storeFewLeads);
  after(() => deleteLeads(stack().database));

  it(
    'stores the leads of the filter in a file',
    onStaffPage(`${leadsPath}?status=qualified&status=lost`, async ({ page }) => {
      await rows(page).first().waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export CSV')]);
      await untilToast(page, '2 leads exported.');
      expect(download.suggestedFilename()).to.match(/^leads-\d{4}-\d\d-\d\d\.csv$/);
      const text = await readFile(await download.path(), 'utf8');
      expect(text).to.match(/^\uFEFFkind,/);
      expect(text).to.contain('Thabo Nkosi').and.not.contain('Botha');
      expect(await focused(page)).to.equal('Export CSV');
    }),
  );

  it(
    'shows its progress, and can be cancelled',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        await rows(page).first().waitFor();
        await stall(page);
        await press(page, 'Export CSV');
        await page.getByText('3 exported').waitFor();
        expect(await page.getByRole('progressbar', { name: 'Export' }).getAttribute('aria-valuenow')).to.equal('37.5');
        await expectAccessibleEverywhere(page, 'an export');
        await press(page, 'Cancel export');
        await page.getByRole('button', { name: 'Export CSV' }).waitFor();
        expect(await page.title()).to.equal('cancelled');
        expect(await focused(page)).to.equal('Export CSV');
      },
      withAxe,
    ),
  );

  it(
    'is reported if it fails, and stores no part of the file',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        await rows(page).first().waitFor();
        let downloads = 0;
        page.on('download', () => downloads++);
        let status = 503;
        await page.route('**/api/admin/leads.csv*', (route) =>
          status === 0 ? route.abort() : route.fulfill({ status, json: {} }),
        );
        await press(page, 'Export CSV');
        await untilToast(page, 'Other exports are running. Please try again in a minute.');
        status = 0;
        await press(page, 'Export CSV');
        await untilToast(page, 'Could not export the leads. Please try again.');
        await until('the button is back', () => page.getByRole('button', { name: 'Export CSV' }).isVisible());
        expect(downloads).to.equal(0);
      },
      { failing: ['/api/admin/leads.csv'] },
    ),
  );
});
