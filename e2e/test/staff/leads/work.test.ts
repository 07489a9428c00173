import { randomUUID } from 'node:crypto';
import { expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { callsOf, choose, isListCall, leadPath, leadsPath, rows } from '../../../src/browser/leads-page.ts';
import {
  closeDialog,
  dialog,
  focused,
  heading,
  onStaffPage,
  press,
  untilClosed,
  untilToast,
  type StaffVisit,
} from '../../../src/browser/staff.ts';
import { brand } from '@dune-tide/domain/brand';
import { leadSearchIndex } from '@dune-tide/db/leads';
import { contactMessage, deleteLeads, storeLeads, type TestLead } from '@dune-tide/testkit/leads';
import { addAccount, type Credentials, type TestAccount } from '@dune-tide/testkit/staff-accounts';
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

/** Returns a function that changes a lead through the API, signed in with another account. */
async function changingLeads(account: Credentials, id: string): Promise<(change: object) => Promise<void>> {
  const { siteUrl } = stack();
  const send = async (path: string, method: string, body: object, headers: object = {}) => {
    const response = await fetch(`${siteUrl}/api/admin${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', Origin: new URL(siteUrl).origin, ...headers },
    });
    expect(response.status, path).to.equal(200);
    return response;
  };
  const { username, password } = account;
  const { headers } = await send('/login', 'POST', { username, password });
  const cookie = headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  return async (change) => {
    await send(`/leads/${id}`, 'PATCH', change, { Cookie: cookie.join('; ') });
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

  describe('with 120 leads', () => {
    const many = Array.from({ length: 120 }, (_, place) => message(`Visitor${place + 1}`, place + 1));
    beforeEach(async () => {
      await deleteLeads(stack().database);
      await storeLeads(stack().database, many);
    });
    const goThrough = async (page: Page, from: number, to: number) => {
      for (let place = from; place <= to; place += 1) {
        await dialog(page).getByText(`Lead ${place} of 120`, { exact: true }).waitFor();
        if (place < to) await page.keyboard.press('j');
      }
    };

    it(
      'goes through fifty leads with one key each, and returns to the row of the last one',
      onStaffPage(leadsPath, async ({ page }) => {
        await rows(page).first().waitFor();
        await page.keyboard.press('j');
        await page.keyboard.press('Enter');
        await goThrough(page, 1, 50);
        await page.keyboard.press('k');
        await goThrough(page, 49, 49);
        await closeDialog(page);
        await until(
          'the row of the last lead has the focus',
          async () => (await focused(page)) === 'View Visitor49 Nasser',
        );
      }),
    );

    it(
      'loads more rows when the open lead is near the end of the loaded ones',
      onStaffPage('/admin/recipes', async ({ page }) => {
        const calls = callsOf(page);
        await page.goto(new URL(leadPath(many[94]!.id), page.url()).href);
        await goThrough(page, 95, 105);
        const lists = calls.filter((call) => isListCall(new URL(call, page.url())));
        expect(lists).to.have.length(2);
      }),
    );
  });

  describe('a conflict', () => {
    let elsewhere: (change: object) => Promise<void>;
    before(async () => {
      elsewhere = await changingLeads(colleague, omar.id);
    });

    it(
      'in the list shows what the other member did and changes nothing until the user decides',
      onStaffPage(
        leadsPath,
        async ({ page }) => {
          await rowOf(page, 'Omar').waitFor();
          await elsewhere({ status: 'qualified', ownerId: colleague.id });
          await statusIn(rowOf(page, 'Omar')).click();
          await entry(page, 'Won').click();
          const alert = dialog(page).getByRole('alert');
          await alert.getByText('This lead has changed since you opened it').waitFor();
          await alert.getByText('Your change is not saved. Thandi Zulu changed:').waitFor();
          expect(await alert.locator('dt').allTextContents()).to.deep.equal(['Status', 'Owner', 'Answer']);
          expect(await alert.locator('dd').allTextContents()).to.deep.equal([
            'New → Qualified',
            `No owner → ${colleague.name}`,
            'Not answered → Answered',
          ]);
          expect(await stored(omar.id)).to.include({ status: 'qualified', version: 2 });
          await expectAccessibleEverywhere(page, 'a conflict', { part: '[role="dialog"]', widths: [1440, 390] });
          await press(alert, 'Keep their version');
          await untilClosed(page);
          await statusIn(rowOf(page, 'Omar')).getByText('Qualified').waitFor();
          expect(await stored(omar.id)).to.include({ status: 'qualified', version: 2 });
        },
        { ...withAxe, failing: [`/api/admin/leads/${omar.id}`] },
      ),
    );

    it(
      'in the details lets the user make the change anyway, and needs no decision if both did the same',
      onStaffPage(
        leadPath(omar.id),
        async ({ page, count }) => {
          await work(page).getByText('due in 22\u{A0}h').waitFor();
          await elsewhere({ status: 'lost' });
          await press(work(page), 'Assign to me');
          await work(page).getByRole('alert').getByText('New → Lost').waitFor();
          expect(await stored(omar.id)).to.include({ owner_id: null });
          await press(work(page).getByRole('alert'), 'Assign to me');
          await until('the owner is stored', async () => (await stored(omar.id)).owner_id !== null);
          expect(await work(page).getByRole('alert').count()).to.equal(0);

          await elsewhere({ status: 'won' });
          await statusIn(work(page)).click();
          await entry(page, 'Won').click();
          await statusIn(work(page)).getByText('Won').waitFor();
          expect(await work(page).getByRole('alert').count()).to.equal(0);
          expect(count(`PATCH /api/admin/leads/${omar.id}`)).to.equal(3);
        },
        { failing: [`/api/admin/leads/${omar.id}`] },
      ),
    );
  });

  it(
    'sends one change for a double press',
    onStaffPage(leadPath(omar.id), async ({ page, count }) => {
      await work(page).getByRole('button', { name: 'Assign to me' }).dblclick();
      await history(page).getByText('took over the lead').waitFor();
      expect(count(`PATCH /api/admin/leads/${omar.id}`)).to.equal(1);
      expect(await stored(omar.id)).to.include({ version: 2 });
    }),
  );

  describe('a note', () => {
    /** The path of the edited note, which is known once the note is stored. */
    const failing: string[] = [];
    const notes = () => stack().database('lead_events').where({ lead_id: omar.id }).orderBy('at').pluck('kind');

    it(
      'keeps its text while the connection is lost, also for another visit to the lead',
      onStaffPage(
        leadPath(omar.id),
        async ({ page }) => {
          const call = `**/api/admin/leads/${omar.id}/notes`;
          await page.route(call, (route) => route.abort());
          const note = () => history(page).getByRole('textbox', { name: /^Note/ });
          await note().fill('Wants a quote by Monday');
          await press(history(page), 'Add note');
          await history(page).getByText('Everything you wrote is still here').waitFor();
          expect(await note().inputValue()).to.equal('Wants a quote by Monday');
          await closeDialog(page);
          await page.getByRole('link', { name: 'View Omar Nasser' }).click();
          expect(await note().inputValue()).to.equal('Wants a quote by Monday');
          await page.unroute(call);
          await press(history(page), 'Add note');
          await history(page).locator('li[data-kind="note"]').getByText('Wants a quote by Monday').waitFor();
          expect(await notes()).to.deep.equal(['note']);
          expect(await note().inputValue()).to.equal('');
        },
        { failing: [`/api/admin/leads/${omar.id}/notes`] },
      ),
    );

    it(
      'is edited and deleted by its author, who decides between two texts',
      onStaffPage(
        leadPath(omar.id),
        async ({ page, account }) => {
          await history(page).getByRole('textbox', { name: /^Note/ }).fill('First');
          await press(history(page), 'Add note');
          const item = history(page).locator('li[data-kind="note"]');
          await press(item, 'Edit');
          await item.getByRole('textbox', { name: /^Note/ }).fill('Mine');
          const { id } = await stack().database('lead_events').where({ lead_id: omar.id, kind: 'note' }).first('id');
          failing.push(`/api/admin/leads/${omar.id}/notes/${id}`);
          await stack()
            .database('lead_events')
            .insert({
              id: randomUUID(),
              lead_id: omar.id,
              kind: 'note_edited',
              actor_id: account.id,
              actor_name: account.name,
              note_id: id,
              details: { text: 'From the other tab' },
            });
          await press(item, 'Save note');
          await item.getByRole('alert').getByText('You changed this note in another window').waitFor();
          await item.getByRole('alert').getByText('From the other tab').waitFor();
          expect(await item.getByRole('textbox', { name: /^Note/ }).inputValue()).to.equal('Mine');
          await press(item, 'Save my text');
          await item.getByText('Mine', { exact: true }).waitFor();
          await item.getByText(/wrote a note, edited/).waitFor();
          await press(item, 'Delete');
          await press(item, 'Keep');
          await press(item, 'Delete');
          await item.getByRole('group').getByRole('button', { name: 'Delete' }).click();
          await history(page).getByText('deleted a note').waitFor();
          expect(await notes()).to.deep.equal(['note', 'note_edited', 'note_edited', 'note_deleted']);
        },
        { failing },
      ),
    );

    it(
      'of a colleague can only be read',
      onStaffPage(
        leadPath(omar.id),
        async ({ page }) => {
          const item = history(page).locator('li[data-kind="note"]');
          await item.getByText('From a colleague').waitFor();
          expect(await item.getByRole('button').count()).to.equal(0);
        },
        {
          prepare: async () => {
            await stack()
              .database('lead_events')
              .insert({
                id: randomUUID(),
                lead_id: omar.id,
                kind: 'note',
                actor_id: colleague.id,
                actor_name: colleague.name,
                details: { text: 'From a colleague' },
              });
          },
        },
      ),
    );
  });

  it(
    'shows the other leads of the same person and opens them in the dialog',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        await leadSearchIndex(stack().database).fillOlder();
        await page.getByRole('link', { name: 'View Omar Nasser' }).click();
        const others = dialog(page).getByRole('region', { name: 'Also from this person' });
        await others.getByRole('link').first().click();
        await dialog(page).getByText('Lead 4 of 4').waitFor();
        await others.getByRole('link').first().waitFor();
        expect(await others.getByRole('link').count()).to.equal(1);
        await page.goBack();
        await untilClosed(page);
        expect(new URL(page.url()).pathname, 'Back leads to the list').to.equal(leadsPath);
      },
      { prepare: () => storeLeads(stack().database, [message('Rana', 50, { email: 'OMAR@example.com' })]) },
    ),
  );

  describe('the keys', () => {
    it(
      'are typed into fields, and do nothing while a menu is open or after the switch turned them off',
      onStaffPage(leadsPath, async ({ page }) => {
        await rows(page).first().waitFor();
        await page.keyboard.press('j');
        expect(await focused(page)).to.equal('View Omar Nasser');
        await page.keyboard.press('s');
        await entry(page, 'New').waitFor();
        await page.keyboard.press('j');
        await page.keyboard.press('Escape');
        await entry(page, 'New').waitFor({ state: 'detached' });
        expect(await statusIn(rowOf(page, 'Omar')).innerText()).to.equal('New');
        await page.keyboard.press('Enter');
        await history(page).getByRole('textbox', { name: /^Note/ }).click();
        await page.keyboard.type('jkesamn?');
        expect(await history(page).getByRole('textbox', { name: /^Note/ }).inputValue()).to.equal('jkesamn?');
        await closeDialog(page);

        await press(page, 'Keyboard');
        const keys = page.getByRole('dialog', { name: 'Keyboard' });
        await keys.getByRole('switch').or(keys.getByRole('checkbox')).click();
        await closeDialog(page);
        await heading(page).focus();
        await page.keyboard.press('j');
        await page.keyboard.press('?');
        expect(await focused(page)).to.equal('CRM & Lead Management');
        expect(await dialog(page).count()).to.equal(0);
        await page.reload();
        await rows(page).first().waitFor();
        await page.keyboard.press('?');
        expect(await dialog(page).count(), 'the browser remembers the switch').to.equal(0);
        await press(page, 'Keyboard');
        await keys.getByRole('switch').or(keys.getByRole('checkbox')).click();
        await closeDialog(page);
        await page.keyboard.press('?');
        await keys.waitFor();
      }),
    );
  });

  for (const width of [1440, 1024, 768, 390]) {
    it(
      `cuts off nothing in a window of ${width} px, in the list and the details`,
      onStaffPage(
        leadsPath,
        async ({ page }) => {
          await rowOf(page, 'Sami').getByText('overdue by').waitFor();
          const overflow = () => page.evaluate(() => document.documentElement.scrollWidth);
          expect(await overflow()).to.be.at.most(width);
          await choose(page, 'Contact Forms');
          await page.getByRole('link', { name: 'View Omar Nasser' }).click();
          await history(page).getByText('Received').waitFor();
          const wide = await dialog(page).evaluate((paper) =>
            [paper, ...paper.querySelectorAll('section, dl, ol, form')]
              .filter((part) => part.scrollWidth > part.clientWidth + 1)
              .map((part) => part.tagName),
          );
          expect(wide).to.deep.equal([]);
        },
        { width },
      ),
    );
  }

  it(
    'has room for the words in a window of 390 px with text at 200 %, in the list and the details',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        /** Returns the least width of the elements, in rem. */
        const room = async (selector: string) => {
          const places = page.locator(selector);
          await places.first().waitFor();
          const widths = await places.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth / 32));
          return Math.min(...widths);
        };
        expect(await room('[data-column="name"], [data-column="about"]')).to.be.at.least(8);
        await page.getByRole('link', { name: 'View Omar Nasser' }).click();
        expect(await room('[aria-label="Answers"] dd')).to.be.at.least(8);
        expect(await room('[role="dialog"] ol > li')).to.be.at.least(8);
      },
      { width: 390, fontSize: 32 },
    ),
  );

  it(
    'passes axe in the list, its menus, the details, a note and the list of keys',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        await rowOf(page, 'Sami').waitFor();
        await expectAccessibleEverywhere(page, 'the list with clocks');
        await statusIn(rowOf(page, 'Omar')).click();
        await entry(page, 'Won').waitFor();
        await expectAccessibleEverywhere(page, 'the menu of statuses', { part: '[role="menu"]' });
        await page.keyboard.press('Escape');
        await page.getByRole('link', { name: 'View Omar Nasser' }).click();
        await history(page).getByText('Received').waitFor();
        await expectAccessibleEverywhere(page, 'the details', { part: '[role="dialog"]' });
        await history(page).getByRole('textbox', { name: /^Note/ }).fill('Prefers mornings');
        await press(history(page), 'Add note');
        const item = history(page).locator('li[data-kind="note"]');
        await press(item, 'Edit');
        await item.getByRole('textbox', { name: /^Note/ }).fill('Prefers afternoons');
        await expectAccessibleEverywhere(page, 'a note that is edited', { part: '[role="dialog"]' });
        await press(item, 'Cancel');
        await page.keyboard.press('a');
        await entry(page, colleague.name).waitFor();
        await expectAccessibleEverywhere(page, 'the menu of owners', { part: '[role="menu"]' });
        await page.keyboard.press('Escape');
        await closeDialog(page);
        await press(page, 'Keyboard');
        await expectAccessibleEverywhere(page, 'the keys', { part: '[role="dialog"]' });
      },
      { ...withAxe, prepare: () => storeLeads(stack().database, [message('Rana', 50, { ownerId: colleague.id })]) },
    ),
  );
});
