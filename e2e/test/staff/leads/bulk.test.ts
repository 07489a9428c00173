import { randomUUID } from 'node:crypto';
import { expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
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
  answers: { ...contactMessage.answers, firstName: `Visitor${place + 1}`, lastName: 'Nasser' },
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
        expect(await withStatus('new')).to.equal(many.length);
        await rows(page).nth(1).getByText('due in').waitFor();
        expect(await bar(page).count()).to.equal(0);
      },
      withAxe,
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
