import { randomUUID } from 'node:crypto';
import { withAxe } from '../../../src/browser/accessibility.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { leadPath, leadsPath, rows } from '../../../src/browser/leads-page.ts';
import {
  closeDialog,
  dialog,
  expectAccessibleInBoth,
  focused,
  onStaffPage,
  press,
  untilClosed,
  untilToast,
  type StaffVisit,
} from '../../../src/browser/staff.ts';
import { brand } from '@dune-tide/domain/brand';
import { contactMessage, deleteLeads, storeLeads, type TestLead } from '@dune-tide/testkit/leads';
import { addAccount, type TestAccount } from '@dune-tide/testkit/staff-accounts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

const hour = 60 * 60_000;

/** Returns a contact message that was received some hours ago. */
function message(
  firstName: string,
  hours: number,
  more: Partial<TestLead> = {},
): TestLead & Required<Pick<TestLead, 'id' | 'createdAt'>> {
  const email = `${firstName.toLowerCase()}@example.com`;
  const fields = { ...contactMessage.fields, firstName, lastName: 'Nasser' };
  return {
    ...contactMessage,
    id: randomUUID(),
    email,
    fields,
    createdAt: new Date(Date.now() - hours * hour),
    ...more,
  };
}

const stored = (id: string) => stack().database('leads').where({ id }).first();

/** Counts the clicks, keys and shortcuts of the user. */
function countPresses({ page }: Pick<StaffVisit, 'page'>) {
  let presses = 0;
  return {
    click: async (target: Locator) => {
      presses += 1;
      await target.click();
    },
    key: async (key: string) => {
      presses += 1;
      await page.keyboard.press(key);
    },
    /** Returns the presses since the last call. */
    counted: () => {
      const count = presses;
      presses = 0;
      return count;
    },
  };
}

/** Returns whether a time was on the day before, in the studio's time zone. */
function isYesterday(time: Date): boolean {
  const days = new Intl.DateTimeFormat('en', { timeZone: brand.timeZone, dateStyle: 'short' });
  return days.format(time) === days.format(new Date(Date.now() - 24 * hour));
}

const work = (page: Page) => dialog(page).getByRole('region', { name: 'Work on this lead' });
const history = (page: Page) => dialog(page).getByRole('region', { name: 'History' });
const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: `${name} Nasser` });
const statusIn = (place: Locator) => place.getByRole('button', { name: /: change the status of/ });
const entry = (page: Page, name: string) => page.getByRole('menuitemradio', { name, exact: true });

describe('Working on leads', () => {
  const [omar, huda, sami] = [message('Omar', 1), message('Huda', 22), message('Sami', 26)] as const;
  let colleague: TestAccount;

  before(async () => {
    colleague = await addAccount(stack().database, { name: 'Thandi Zulu' });
  });
  after(async () => {
    await deleteLeads(stack().database);
    await stack().database('staff').where({ id: colleague.id }).delete();
  });
  beforeEach(async () => {
    await deleteLeads(stack().database);
    await storeLeads(stack().database, [omar, huda, sami]);
  });

  it(
    'takes few presses for each of the sixteen tasks of a day',
    onStaffPage('/admin/dashboard', async (visit) => {
      const { page, account } = visit;
      const { click, key, counted } = countPresses(visit);
      const taken: Record<string, number> = {};
      const task = async (name: string, atMost: number, act: () => Promise<unknown>) => {
        counted();
        await act();
        taken[name] = counted();
        expect(taken[name], name).to.be.at.most(atMost);
      };

      await task('list the unanswered leads of yesterday', 2, async () => {
        const needed = page.getByRole('region', { name: 'Needs an answer' });
        await click(needed.getByRole('link', { name: /Overdue$/ }));
        await click(page.getByRole('link', { name: 'Unanswered from yesterday' }));
        const ofYesterday = [omar, huda, sami].filter(({ createdAt }) => isYesterday(createdAt));
        await page.getByText(`All ${ofYesterday.length} leads`).or(page.getByText('One lead.')).waitFor();
        for (const { email } of ofYesterday) await rows(page).filter({ hasText: email }).waitFor();
        expect(await rows(page).count()).to.equal(ofYesterday.length);
      });
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await rows(page).nth(2).waitFor();
      // Leaves the search field, which has the focus now.
      await page.keyboard.press('Escape');
      await task('see which leads are overdue or due soon', 0, async () => {
        await rowOf(page, 'Omar').getByText('due in 22\u{A0}h').waitFor();
        await rowOf(page, 'Huda').getByText('due in 1\u{A0}h').waitFor();
        await rowOf(page, 'Sami').getByText('overdue by 2\u{A0}h').waitFor();
      });
      await task('find the newest message and mark it as answered', 4, async () => {
        await key('j');
        await key('Enter');
        await click(work(page).getByRole('button', { name: 'Mark as answered' }));
        await work(page)
          .getByText(/^Answered/)
          .waitFor();
      });
      await task('undo a mark made by mistake', 1, async () => {
        await click(work(page).getByRole('button', { name: 'Not answered yet' }));
        await work(page).getByText('due in 22\u{A0}h').waitFor();
      });
      await task('read what happened to the lead', 0, async () => {
        await history(page).getByText('marked it as not answered yet').waitFor();
      });
      await task('write a note, besides its text', 2, async () => {
        await key('n');
        await page.keyboard.type('Called; wants a quote.');
        await key('Control+Enter');
        await history(page).locator('li[data-kind="note"]').getByText('Called; wants a quote.').waitFor();
      });
      await task('open the next lead', 2, async () => {
        // The field has the focus, so a key would be typed into it.
        await click(dialog(page).getByRole('button', { name: 'Next lead' }));
        await dialog(page).getByText('huda@example.com').first().waitFor();
        await dialog(page).getByText('Lead 2 of 3').waitFor();
      });
      await task('take over a lead', 1, async () => {
        await key('m');
        await work(page)
          .getByRole('button', { name: /^Owner: / })
          .filter({ hasNotText: 'No owner' })
          .waitFor();
      });
      await task('hand a lead over', 3, async () => {
        await key('a');
        await click(entry(page, colleague.name));
        await history(page).getByText(`assigned the lead to ${colleague.name}`).waitFor();
        await work(page).getByText(colleague.name, { exact: true }).waitFor();
      });
      await task('go back to the list', 1, async () => {
        await key('Escape');
        await untilClosed(page);
      });
      await until('the row of the last lead has the focus', async () => (await focused(page)) === 'View Huda Nasser');
      await task('mark a lead as won in the list', 2, async () => {
        await click(statusIn(rowOf(page, 'Omar')));
        await click(entry(page, 'Won'));
        await statusIn(rowOf(page, 'Omar')).getByText('Won').waitFor();
      });
      await task('change a status with the keyboard', 4, async () => {
        await page.getByRole('link', { name: 'View Sami Nasser' }).focus();
        await key('s');
        await entry(page, 'New').waitFor();
        await key('l');
        await key('Enter');
        await statusIn(rowOf(page, 'Sami')).getByText('Lost').waitFor();
      });
      await task('write an email to the lead of the row', 1, async () => {
        await key('e');
        await dialog(page).getByLabel('Subject').waitFor();
      });
      await closeDialog(page);
      await task('mark a lead as spam', 2, async () => {
        await click(page.getByRole('link', { name: 'View Sami Nasser' }));
        await click(dialog(page).getByRole('button', { name: 'Mark as spam' }));
        await untilToast(page, 'Waiting emails will not be sent.');
      });
      await task('release a lead', 1, async () => {
        await click(dialog(page).getByRole('button', { name: 'Not spam' }));
        await untilToast(page, 'The emails will be sent now.');
      });
      await closeDialog(page);
      await task('see the keys', 1, async () => {
        await key('?');
        await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
      });
      expect(Object.keys(taken)).to.have.length(16);

      expect(await stored(omar.id)).to.include({ status: 'won' });
      expect((await stored(omar.id)).answered_at).to.be.instanceOf(Date);
      expect(await stored(huda.id)).to.include({ owner_id: colleague.id });
      expect(await stored(sami.id)).to.include({ status: 'lost', spam_sign: null });
      const authors = await stack().database('lead_events').distinct('actor_id').pluck('actor_id');
      expect(authors).to.deep.equal([account.id]);
    }),
  );

  it(
    'goes from lead to lead with a key, also beyond the loaded rows, and returns to the row of the last',
    onStaffPage(leadsPath, async ({ page }) => {
      const many = Array.from({ length: 120 }, (_, place) => message(`Visitor${place + 1}`, place + 1));
      await deleteLeads(stack().database);
      await storeLeads(stack().database, many);
      const goThrough = async (from: number, to: number) => {
        for (let place = from; place <= to; place += 1) {
          await dialog(page).getByText(`Lead ${place} of 120`, { exact: true }).waitFor();
          if (place < to) await page.keyboard.press('j');
        }
      };
      await page.goto(new URL(leadPath(many[89]!.id), page.url()).href);
      await goThrough(90, 105);
      await page.keyboard.press('k');
      await goThrough(104, 104);
      await closeDialog(page);
      await until(
        'the row of the last lead has the focus',
        async () => (await focused(page)) === 'View Visitor104 Nasser',
      );
    }),
  );

  it(
    'passes axe in the list, its menu, a conflict, the details with a note, and the list of keys',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        await rowOf(page, 'Sami').waitFor();
        await expectAccessibleInBoth(page, 'the list with clocks');
        await statusIn(rowOf(page, 'Omar')).click();
        await entry(page, 'Won').waitFor();
        // The menu is outside of the landmarks, above an inert page.
        await expectAccessibleInBoth(page, 'the menu of statuses', ['region']);
        await stack().database('leads').where({ id: omar.id }).update({ status: 'lost', version: 2 });
        await entry(page, 'Won').click();
        await dialog(page).getByText('This lead has changed since you opened it').waitFor();
        await expectAccessibleInBoth(page, 'a conflict');
        await press(dialog(page), 'Keep their version');
        await untilClosed(page);
        await page.getByRole('link', { name: 'View Omar Nasser' }).click();
        await history(page).getByText('Received').waitFor();
        await history(page).getByRole('textbox', { name: /^Note/ }).fill('Prefers mornings');
        await press(history(page), 'Add note');
        const item = history(page).locator('li[data-kind="note"]');
        await press(item, 'Edit');
        await item.getByRole('textbox', { name: /^Note/ }).fill('Prefers afternoons, ');
        await page.keyboard.type('@');
        await item.getByRole('option').first().waitFor();
        await expectAccessibleInBoth(page, 'the details with a note that is edited, and the colleagues to mention');
        await page.keyboard.press('Escape');
        await press(item, 'Cancel');
        await closeDialog(page);
        await press(page, 'Keyboard');
        await expectAccessibleInBoth(page, 'the keys');
      },
      { ...withAxe, failing: [`/api/admin/leads/${omar.id}`] },
    ),
  );
});
