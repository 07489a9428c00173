import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { callsOf, isListCall, leadsPath, rows, storeFewLeads, tab } from '../../../src/browser/leads-page.ts';
import { focused, onStaffPage, press, untilAt } from '../../../src/browser/staff.ts';
import { leadSearchIndex } from '@dune-tide/db/leads';
import { contactMessage, deleteLeads, storeLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search leads' });
/** Types each character of the text within one task, so that the page's delay cannot pass between two of them. */
const typeWithoutPause = (page: Page, text: string) =>
  field(page).evaluate((input, characters) => {
    input.focus();
    for (const each of characters) document.execCommand('insertText', false, each);
  }, text);
const names = (page: Page) => page.locator('tbody [data-column="name"]').allInnerTexts();
const untilNames = (page: Page, wanted: readonly string[]) =>
  until(`only ${wanted.join(', ')}`, async () => JSON.stringify(await names(page)) === JSON.stringify(wanted));
const filterButton = (page: Page, name: string) =>
  page.getByRole('search', { name: 'Leads' }).getByRole('button', { name: new RegExp(`^${name}`) });

describe('Finding leads', () => {
  before(async () => {
    await storeFewLeads();
    // The worker expects that leads are stored when they are received; these are months old.
    await leadSearchIndex(stack().database).fillOlder();
  });
  after(() => deleteLeads(stack().database));

  it(
    'finds a lead by half a name with the key and marks what was found; the URL keeps the search',
    onStaffPage(leadsPath, async ({ page }) => {
      await rows(page).first().waitFor();
      await page.keyboard.press('/');
      await until('the field has the focus', () => field(page).evaluate((each) => each === document.activeElement));
      await page.keyboard.type('zoe bot');
      await untilNames(page, ['Zoë Botha']);
      await untilAt(page, `${leadsPath}?q=zoe+bot`);
      const marks = page.locator('tbody mark');
      await until('the marks', async () => isDeepStrictEqual(await marks.allInnerTexts(), ['Zoë', 'Bot', 'zoe']));
      await page.getByText('1 lead', { exact: true }).waitFor();
      expect(await tab(page, 'All').textContent(), 'the totals of the tabs stay').to.equal('All 8');

      await page.reload();
      await untilNames(page, ['Zoë Botha']);
      expect(await field(page).inputValue()).to.equal('zoe bot');
      await page.getByRole('link', { name: 'View Zoë Botha' }).click();
      await page.getByRole('dialog').getByText('Lead 1 of 1').waitFor();
      await page.goBack();
      await untilNames(page, ['Zoë Botha']);
      await page.getByRole('link', { name: 'Recipes' }).click();
      await page.getByRole('heading', { name: 'Recipe Management' }).waitFor();
      await page.goBack();
      await untilNames(page, ['Zoë Botha']);
      expect(await field(page).inputValue()).to.equal('zoe bot');
    }),
  );

  it(
    'shows where it has found a word that is not in the row',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        const id = randomUUID();
        const text = `${'A long story. '.repeat(20)}It is about frankincense from Salalah.`;
        const fields = { ...contactMessage.fields, firstName: 'Huda', message: text };
        await storeLeads(stack().database, [{ ...contactMessage, id, fields }]);
        await leadSearchIndex(stack().database).fillOlder();
        try {
          await rows(page).first().waitFor();
          await field(page).fill('huda frankinc');
          await page.getByText('1 lead', { exact: true }).waitFor();
          const found = page.locator('tbody [data-column="found"]');
          await found.getByText('Message:').waitFor();
          expect(await found.locator('bdi').innerText()).to.match(/^…\s?(A )?long story\. It is about frankincense/);
          expect(await page.locator('tbody mark').allInnerTexts()).to.deep.equal(['Huda', 'frankinc']);
          await expectAccessibleEverywhere(page, 'a word that was found in the message');
          await field(page).fill('huda');
          await until('only the name', async () => (await found.count()) === 0);
        } finally {
          await stack().database('leads').where({ id }).delete();
        }
      },
      withAxe,
    ),
  );

  it(
    'combines a search with filters, and shows what was searched when nothing matches',
    onStaffPage(
      `${leadsPath}?tab=service_inquiry`,
      async ({ page }) => {
        await rows(page).first().waitFor();
        await filterButton(page, 'Status').click();
        for (const name of ['Qualified', 'Lost']) {
          await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
        }
        await page.keyboard.press('Escape');
        await filterButton(page, 'Status: Qualified, Lost').waitFor();
        await untilAt(page, `${leadsPath}?tab=service_inquiry&status=qualified&status=lost`);
        await until('two rows', async () => (await rows(page).count()) === 2);
        await field(page).fill('roasters');
        await untilNames(page, ['Thabo Nkosi\nCape Roasters']);
        await filterButton(page, 'Owner').click();
        await page.getByRole('menuitemradio', { name: /\(you\)$/ }).click();
        await page.getByText('No leads match.').waitFor();
        await page.getByText('“roasters” · Status: Qualified or Lost · Owner: Me', { exact: true }).waitFor();
        await expectAccessibleEverywhere(page, 'no matches');
        await page.getByRole('tabpanel').getByRole('button', { name: 'Clear filters' }).last().click();
        await until('all rows of the tab', async () => (await rows(page).count()) === 3);
        await untilAt(page, `${leadsPath}?tab=service_inquiry`);
        expect(await field(page).evaluate((each) => each === document.activeElement)).to.equal(true);
      },
      withAxe,
    ),
  );

  it(
    'waits for a pause in typing, and an old response never replaces a newer one',
    onStaffPage(leadsPath, async ({ page }) => {
      await rows(page).first().waitFor();
      const calls = callsOf(page);
      const releases: (() => void)[] = [];
      await page.route(isListCall, async (route) => {
        if (new URL(route.request().url()).searchParams.get('q') === 'th') {
          await new Promise<void>((resolve) => releases.push(resolve));
        }
        await route.fallback();
      });
      await typeWithoutPause(page, 'th');
      await until('the first search', () => releases.length === 1);
      await typeWithoutPause(page, 'abo');
      await untilNames(page, ['Thabo Nkosi']);
      const first = page.waitForResponse((response) => response.url().includes('q=th&'));
      releases[0]?.();
      await first;
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      expect(await names(page)).to.deep.equal(['Thabo Nkosi']);
      expect(calls.filter((call) => call.includes('q='))).to.deep.equal([
        '/api/admin/leads?q=th&spam=without',
        '/api/admin/leads?q=thabo&spam=without',
      ]);
    }),
  );

  it(
    'keeps what was typed while the connection is lost',
    onStaffPage(
      leadsPath,
      async ({ page, context }) => {
        await rows(page).first().waitFor();
        await context.setOffline(true);
        await field(page).fill('thabo');
        await page.getByText('Could not load the leads.').waitFor();
        expect(await field(page).inputValue()).to.equal('thabo');
        await context.setOffline(false);
        await press(page, 'Try again');
        await untilNames(page, ['Thabo Nkosi']);
      },
      { isOfflineAtTimes: true, failing: ['/api/admin/leads', '/api/admin/events'] },
    ),
  );

  it(
    'has views for what needs an answer, for owners and for spam',
    onStaffPage(leadsPath, async ({ page, account }) => {
      const { database } = stack();
      const [late, early] = [randomUUID(), randomUUID()];
      const message = (id: string, firstName: string, hours: number) => ({
        ...contactMessage,
        id,
        fields: { ...contactMessage.fields, firstName, lastName: 'Khan' },
        createdAt: new Date(Date.now() - hours * 3_600_000),
      });
      await storeLeads(database, [message(late, 'Late', 30), message(early, 'Early', 2)]);
      await database('leads').where({ id: early }).update({ owner_id: account.id });
      const view = (name: string) => page.getByRole('list', { name: 'Views' }).getByRole('link', { name, exact: true });
      await view('Needs an answer').click();
      await untilNames(page, ['Late Khan', 'Early Khan']);
      expect(await view('Needs an answer').getAttribute('aria-current')).to.equal('page');
      await view('Mine').click();
      await untilNames(page, ['Early Khan']);
      await view('Unowned').click();
      await untilNames(page, ['Late Khan']);
      await view('Spam').click();
      await page.getByText('No leads match.').waitFor();
      await page.goBack();
      await untilNames(page, ['Late Khan']);
      await page.getByRole('link', { name: 'View Late Khan' }).focus();
      await page.keyboard.press('m');
      await page.getByText(`Assigned to ${account.name}`).waitFor();
      expect(await names(page), 'no row moves after a change').to.deep.equal(['Late Khan']);
      await view('Mine').click();
      await untilNames(page, ['Early Khan', 'Late Khan']);
      expect(await focused(page)).to.equal('Mine');
    }),
  );
});
