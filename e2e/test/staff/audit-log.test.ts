import { expectAccessible, withAxe } from '../../src/browser/accessibility.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import { onStaffPage } from '../../src/browser/staff.ts';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

describe('The audit log on the team page', () => {
  it(
    'lists entries and filters them by person and action, with the keyboard',
    onStaffPage(
      '/admin/team',
      async ({ page, account }) => {
        const { database } = stack();
        const other = await addAccount(database, { name: 'Sipho Dlamini', username: 'sipho.audit' });
        try {
          for (const action of ['password_set', 'member_deactivated']) {
            await database('audit_log').insert({ actor: 'staff', actor_id: account.id, action, subject_id: other.id });
          }
          await page.reload();
          const table = page.getByRole('table', { name: 'Audit log' });
          const rows = table.locator('tbody tr');
          await table.getByText('Member deactivated').first().waitFor();
          expect((await rows.first().locator('th, td').allInnerTexts()).slice(0, 3)).to.deep.equal([
            'Member deactivated',
            'Layla Haddad',
            'Sipho Dlamini',
          ]);
          await expectAccessible(page, 'the audit log');

          await page.getByRole('button', { name: 'Person' }).press('Enter');
          await page.keyboard.type('Sipho');
          await page.keyboard.press('Enter');
          await until('the entries of the person', async () => (await rows.count()) === 2);
          await page.getByRole('button', { name: 'Action' }).press('Enter');
          await page.getByRole('menuitemradio', { name: 'Password set' }).press('Enter');
          await until('one entry', async () => (await rows.count()) === 1);
          expect(await rows.first().innerText()).to.include('Password set');
          await page.getByRole('button', { name: /^Action/ }).click();
          await page.getByRole('menuitemradio', { name: 'Backup restored' }).click();
          await page.getByText('No entries match.').waitFor();
        } finally {
          await database('staff').where({ id: other.id }).delete();
        }
      },
      withAxe,
    ),
  );
});
