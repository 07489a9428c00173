import { randomUUID } from 'node:crypto';
import { expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
import { pauseClock, routeOnce, untilStep } from '../../../src/browser/browser.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { leadsPath, rows } from '../../../src/browser/leads-page.ts';
import { dialog, onStaffPage, press, untilClosed, untilToast } from '../../../src/browser/staff.ts';
import { contactMessage, deleteLeads, storeLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const many = Array.from({ length: 130 }, (_, place) => ({
  ...contactMessage,
  id: randomUUID(),
  fields: { ...contactMessage.fields, firstName: `Visitor${place + 1}`, lastName: 'Nasser' },
  createdAt: new Date(Date.now() - (place + 1) * 60_000),
}));

const bar = (page: Page) => page.getByRole('region', { name: 'Change the selected leads' });
const box = (page: Page, place: number) =>
  page.getByRole('checkbox', { name: `Select Visitor${place} Nasser`, exact: true });
const withStatus = (status: string) =>
  stack()
    .database('leads')
    .where({ status })
    .count<[{ count: string }]>()
    .then(([row]) => Number(row?.count));

describe('Changing several leads', () => {
  beforeEach(async () => {
    await deleteLeads(stack().database);
    await storeLeads(stack().database, many);
  });
  after(() => deleteLeads(stack().database));

  it(
    'selects with the mouse and a key, changes the status together, and undoes it',
    onStaffPage(
      leadsPath,
      async ({ page, count }) => {
        await rows(page).first().waitFor();
        await box(page, 2).click();
        await box(page, 4).click({ modifiers: ['Shift'] });
        await bar(page).getByText('3 leads selected').waitFor();
        await page.getByRole('link', { name: 'View Visitor6 Nasser', exact: true }).focus();
        await page.keyboard.press('x');
        await bar(page).getByText('4 leads selected').waitFor();
        await expectAccessibleEverywhere(page, 'a selection');
        await press(bar(page), 'Status');
        await page.getByRole('menuitem', { name: 'Won' }).dblclick();
        await page.getByText('4 leads changed').waitFor();
        expect(count('POST /api/admin/leads/bulk')).to.equal(1);
        expect(await withStatus('won')).to.equal(4);
        await rows(page).nth(1).getByText('Won').waitFor();
        expect(await rows(page).nth(1).getByText('due in').count()).to.equal(0);

        await press(page, 'Undo');
        await untilToast(page, 'The change is undone.');
        expect(await withStatus('won')).to.equal(0);
        await rows(page).nth(1).getByText('due in').waitFor();
        expect(await bar(page).count()).to.equal(0);
      },
      withAxe,
    ),
  );

  it(
    'makes a change once after a lost response, and undoes it only where nothing has changed since',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        const { database } = stack();
        const changeElsewhere = (lead: { readonly id: string } | undefined, status: string) =>
          database('leads')
            .where({ id: lead?.id })
            .update({ status, version: database.raw('version + 1') });
        const statuses = () =>
          database('leads')
            .whereIn(
              'id',
              many.slice(0, 3).map(({ id }) => id),
            )
            .orderBy('created_at', 'desc')
            .pluck<string[]>('status');
        const chooseWon = async () => {
          await press(bar(page), 'Status');
          await page.getByRole('menuitem', { name: 'Won' }).click();
        };
        await rows(page).first().waitFor();
        await box(page, 1).click();
        await box(page, 3).click({ modifiers: ['Shift'] });
        await routeOnce(page, '**/api/admin/leads/bulk', async (route) => {
          await route.fetch();
          await route.abort();
        });
        await chooseWon();
        await untilToast(page, 'Could not change all leads. Please try again.');
        await changeElsewhere(many[0], 'lost');
        await chooseWon();
        await page.getByText('3 leads changed').waitFor();
        expect(await statuses()).to.deep.equal(['lost', 'won', 'won']);

        await changeElsewhere(many[1], 'qualified');
        await press(page, 'Undo');
        await untilToast(page, 'The change is undone, except for 2 leads that the team has changed since.');
        expect(await statuses()).to.deep.equal(['lost', 'qualified', 'new']);
      },
      { failing: ['/api/admin/leads/bulk'] },
    ),
  );

  it(
    'offers the undo also after another view was opened, and gives back what the page had not heard of',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        const [first, second] = many.map(({ id }) => id);
        const { database } = stack();
        await rows(page).first().waitFor();
        await database('leads').where({ id: first }).update({ status: 'qualified', answered_at: new Date() });
        await box(page, 1).click();
        await box(page, 2).click();
        await pauseClock(page);
        await press(bar(page), 'Status');
        await page.getByRole('menuitem', { name: 'Lost' }).click();
        const untilShown = (text: string) =>
          untilStep(page, text, () => page.getByText(text, { exact: true }).isVisible());
        await untilShown('2 leads changed');
        await page.getByRole('list', { name: 'Views' }).getByRole('link', { name: 'Mine', exact: true }).click();
        await untilShown('No leads match.');
        await press(page, 'Undo');
        await untilShown('The change is undone.');
        const statusOf = (id?: string) => database('leads').where({ id }).pluck('status');
        expect(await statusOf(first)).to.deep.equal(['qualified']);
        expect(await statusOf(second)).to.deep.equal(['new']);
        expect(await database('leads').where({ id: first }).whereNull('answered_at')).to.deep.equal([]);
      },
      { hasOwnClock: true },
    ),
  );

  it(
    'selects all leads that match, and asks before it changes more than twenty',
    onStaffPage(leadsPath, async ({ page, account, count }) => {
      await rows(page).first().waitFor();
      await box(page, 1).click();
      await press(bar(page), 'Select all 130');
      await bar(page).getByText('130 leads selected').waitFor();
      await press(bar(page), 'Owner');
      await page.getByRole('menuitem', { name: /\(you\)$/ }).click();
      await dialog(page).getByText('Change 130 leads?').waitFor();
      await dialog(page).getByText(`New owner: ${account.name}. Current: No owner (130).`).waitFor();
      expect(count('POST /api/admin/leads/bulk')).to.equal(0);
      await press(dialog(page), 'Change');
      await untilClosed(page);
      await page.getByText('130 leads changed').waitFor();
      await until('the owner is stored', async () => {
        const owned = await stack().database('leads').where({ owner_id: account.id });
        return owned.length === 130;
      });
    }),
  );
});
