import { tabTo } from '../../src/browser/accessibility.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import { accountTable, focusedField, onStaffPage, toasts, untilClosed } from '../../src/browser/staff.ts';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

const confirm = '/api/admin/account/confirm';

describe('The team page', () => {
  let nouraId = '';
  /** Calls that a test makes fail. */
  const meant: string[] = [];
  const accounts = () => stack().database<{ username: string; is_active: boolean }>('staff');
  beforeEach(async () => {
    nouraId = (await addAccount(stack().database, { name: 'Noura al-Harbi', username: 'noura' })).id;
    meant.push(confirm, `/api/admin/team/${nouraId}`);
  });
  afterEach(async () => {
    meant.length = 0;
    await accounts().whereIn('username', ['noura', 'amal']).delete();
  });

  it(
    'adds a member with the keyboard',
    onStaffPage('/admin/team', async ({ page }) => {
      await accountTable(page).waitFor();
      await tabTo(page, 'Add Member');
      await page.keyboard.press('Enter');
      await until('the first field', async () => (await focusedField(page)) === 'name');
      await page.keyboard.type('Amal Idris');
      await tabTo(page, 'username');
      await page.keyboard.type('amal');
      await tabTo(page, 'password');
      await page.keyboard.type('a long password');
      await page.keyboard.press('Enter');
      await toasts(page).getByText('Member Added', { exact: true }).waitFor();
      await untilClosed(page);
      await accountTable(page).getByText('Amal Idris').waitFor();
      expect(await accounts().where({ username: 'amal', is_active: true })).to.have.length(1);
      await page.getByRole('table', { name: 'Audit log' }).getByText('Member added').first().waitFor();
    }),
  );

  it(
    'asks for the password again if it was entered long ago, and changes nothing without it',
    onStaffPage(
      '/admin/team',
      async ({ page, account, calls }) => {
        await accountTable(page).waitFor();
        const { database } = stack();
        await database('sessions')
          .where({ staff_id: account.id })
          .update({ password_at: database.raw(`now() - interval '11 minutes'`) });
        const prompt = page.getByRole('dialog', { name: 'Enter your password' });
        const question = page.getByRole('dialog', { name: 'Deactivate Noura al-Harbi?' });

        await tabTo(page, 'Deactivate Noura al-Harbi, noura');
        await page.keyboard.press('Enter');
        await question.getByRole('button', { name: 'Deactivate', exact: true }).click();
        await prompt.waitFor();
        await page.keyboard.press('Escape');
        await question.getByText('This change needs your password. Nothing was changed.').waitFor();
        expect(await accounts().where({ username: 'noura', is_active: true })).to.have.length(1);

        await page.keyboard.press('Enter');
        await prompt.waitFor();
        await until('the field has the focus', async () => (await focusedField(page)) === 'password');
        await page.keyboard.type('not the password');
        await page.keyboard.press('Enter');
        await prompt.getByText('The password is wrong').waitFor();
        await prompt.getByLabel(/^Your password/).fill(account.password);
        await page.keyboard.press('Enter');
        await toasts(page).getByText('Member Deactivated', { exact: true }).waitFor();
        await untilClosed(page);
        expect(await accounts().where({ username: 'noura', is_active: false })).to.have.length(1);
        expect(calls.filter((call) => call === `POST ${confirm}`)).to.have.length(2);
      },
      { failing: meant },
    ),
  );
});
