import { pauseClock, untilStep } from '../../../src/browser/browser.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import {
  cells,
  choose,
  isListCall,
  leadId,
  leadPath,
  leadsPath,
  rows,
  storeFewLeads,
  tabNames,
} from '../../../src/browser/leads-page.ts';
import { printedPages } from '../../../src/browser/printed.ts';
import { dialog, onStaffPage, press, toasts } from '../../../src/browser/staff.ts';
import { resize } from '../../../src/browser/still.ts';
import { expectWithinWindow } from '../../../src/browser/toasts.ts';
import { contactMessage, deleteLeads, storeLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const longName = { firstName: 'Hubert Blaine', lastName: 'Wolfeschlegelsteinhausenbergerdorff-van der Merwe' };
const longAddress = 'hubert.blaine.wolfeschlegelsteinhausenbergerdorff@a-rather-long-company-name.example.com';
/** An address of the maximum length. */
const longestAddress = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}museum`;

/** Returns the name, width and right edge of each column's header, and the right edge of the first cell below it. */
const columnEnds = (page: Page) =>
  page.getByRole('columnheader').evaluateAll((heads) =>
    heads.map((head, column) => {
      const { right: end, width } = head.getBoundingClientRect();
      const cell = document.querySelector('tbody tr')!.children[column]!;
      return { name: head.textContent, width, end, cellEnd: cell.getBoundingClientRect().right };
    }),
  );

describe('The layout of the leads page', () => {
  before(storeFewLeads);
  after(() => deleteLeads(stack().database));

  it(
    'shows each column above its cells, with the complete text of each, and a compact list on a phone',
    onStaffPage(leadsPath, async ({ page }) => {
      for (const width of [1440, 1280, 1100]) {
        await resize(page, width);
        for (const name of tabNames) {
          await choose(page, name);
          await rows(page).first().waitFor();
          for (const { name: head, width: own, end, cellEnd } of await columnEnds(page)) {
            expect(own, `${head} is visible, ${width} px`).to.be.above(20);
            expect(end, `${head} above its cells, ${width} px`).to.be.closeTo(cellEnd, 1);
          }
          const cut = await rows(page)
            .locator('.line:visible')
            .evaluateAll((all) =>
              all.filter((line) => line.scrollWidth > line.clientWidth).map((line) => line.textContent),
            );
          expect(cut, `${name}, ${width} px`).to.deep.equal([]);
        }
        expect((await rows(page).first().boundingBox())!.height).to.be.below(60);
      }
      await choose(page, 'Service Inquiries');
      for (const width of [1440, 1024, 390]) {
        await resize(page, width);
        await page.getByRole('table').getByText('Cape Roasters').waitFor();
      }
      await choose(page, 'All');
      await rows(page).nth(4).waitFor();
      const [first] = await cells(page);
      expect(first?.filter((cell) => cell !== '')).to.deep.equal([
        'Career Application',
        'Zoë Botha',
        'zoe@example.com',
        'Other / General Application',
        'New',
        'Mar 07, 2026',
      ]);
      expect(await page.getByRole('cell').count(), 'cells of the compact list').to.equal(5 * 7);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.equal(390);
    }),
  );

  it(
    'wraps a long name and address in a row that grows, in every window',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        await page.getByText(longName.firstName).waitFor();
        for (const width of [1440, 1366, 1024, 390]) {
          await resize(page, width);
          // The rows are measured after the width has changed.
          await until(`rows without overlaps or gaps, ${width} px`, () =>
            rows(page).evaluateAll((all) =>
              all.slice(1).every((row, place) => {
                const gap = row.getBoundingClientRect().top - all[place]!.getBoundingClientRect().bottom;
                return Math.round(gap) === 0;
              }),
            ),
          );
          const cut = await rows(page).evaluateAll((all) =>
            all.flatMap((row) =>
              [...row.querySelectorAll<HTMLElement>('td, .line')]
                .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
                .map(({ innerText }) => innerText),
            ),
          );
          expect(cut, `${width} px`).to.deep.equal([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).to.be.at.most(width);
        }
        await stack().database('leads').where({ email: longAddress }).delete();
      },
      {
        prepare: () =>
          storeLeads(stack().database, [
            { ...contactMessage, email: longAddress, fields: { ...contactMessage.fields, ...longName } },
          ]),
      },
    ),
  );

  it(
    'cuts off nothing in the details, and has room for words at 200 %',
    onStaffPage(
      leadPath(leadId('008')),
      async ({ page }) => {
        await dialog(page).getByRole('region', { name: 'History' }).getByText('Received').waitFor();
        for (const width of [2200, 1440, 1024, 768, 390]) {
          await resize(page, width);
          const wide = await dialog(page).evaluate((paper) =>
            [paper, ...paper.querySelectorAll('section, dl, ol, form')]
              .filter((part) => part.scrollWidth > part.clientWidth + 1)
              .map((part) => part.tagName),
          );
          expect(wide, `${width} px`).to.deep.equal([]);
          const [answers, work] = await Promise.all(
            ['Answers', 'Work on this lead'].map((name) => dialog(page).getByRole('region', { name }).boundingBox()),
          );
          if (!answers || !work) return expect.fail('a part is hidden');
          // The two columns need 900 px at the default font size, which is half of this one.
          if (width === 2200) expect(work.x, 'beside the answers').to.be.at.least(answers.x + answers.width);
          else expect(work.y, `below the answers at ${width} px`).to.be.at.least(answers.y + answers.height);
        }
        /** Returns the least width of the elements, in rem. */
        const room = async (selector: string) => {
          const widths = await page
            .locator(selector)
            .evaluateAll((all) => all.map(({ clientWidth }) => clientWidth / 32));
          return Math.min(...widths);
        };
        // A long value is as wide as its text.
        expect(await room('[aria-label="Answers"] :not([data-kind="long"]) > dd')).to.be.at.least(8);
        expect(await room('[role="dialog"] ol > li')).to.be.at.least(8);
        expect(await room('[data-column="name"], [data-column="about"]')).to.be.at.least(8);
      },
      { fontSize: 32 },
    ),
  );

  it(
    'prints the name of the list, without placeholders for rows that are still loading',
    onStaffPage(leadsPath, async ({ page }) => {
      await page.route(isListCall, () => undefined);
      await page.reload();
      await page.getByRole('status', { name: 'Loading leads' }).waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByText('All leads', { exact: true }).isVisible()).to.equal(true);
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).to.equal(true);
      expect(await page.locator('.MuiSkeleton-root:visible').count()).to.equal(0);
    }),
  );

  it(
    'prints every loaded row below repeated headers, and the details of a lead with its status and owner',
    onStaffPage(
      leadsPath,
      async ({ page, account }) => {
        await stack()
          .database('leads')
          .where({ id: leadId('007') })
          .update({ status: 'contacted', owner_id: account.id });
        await page.reload();
        await rows(page).nth(4).waitFor();
        const list = await printedPages(page, { format: 'A4' });
        expect(list.length).to.be.within(2, 5);
        expect(list[0]).to.match(/CRM & Lead Management.*All leads/);
        for (const sheet of list) expect(sheet).to.match(/Type +Name +Email +Service\/Position +Status +Date/);
        const text = list.join(' ');
        expect(text.match(/paper@example\.com/g)).to.have.length(40);
        expect(text).to.include('Contacted').and.to.include(`Owner: ${account.name}`);
        expect(text).not.to.match(/Actions|Export|Keyboard|Search|Select/);
        await page.goto(new URL(leadPath(leadId('007')), page.url()).href);
        await dialog(page).getByRole('region', { name: 'History' }).getByText('Received').waitFor();
        const sheets = await printedPages(page, { format: 'A4' });
        expect(sheets).to.have.length(1);
        // In the file, the menus come after the other texts.
        for (const part of ['First line', 'Status', 'Contacted', account.name]) expect(sheets[0]).to.include(part);
        expect(sheets[0]).not.to.match(/Note|Send Email|Mark as|Assign|All leads/);
        const { database } = stack();
        await database('leads').where({ email: 'paper@example.com' }).delete();
        await database('leads').where({ owner_id: account.id }).update({ status: 'new', owner_id: null });
      },
      {
        prepare: async () => {
          await storeLeads(
            stack().database,
            Array.from({ length: 40 }, () => ({ ...contactMessage, email: 'paper@example.com' })),
          );
        },
      },
    ),
  );

  it(
    'has fields of 16 px on a touch screen, into which no phone zooms',
    onStaffPage(leadsPath, async ({ page }) => {
      await press(page, 'Email Noura al-Harbi');
      const sizes = () =>
        dialog(page)
          .locator('input, textarea')
          .evaluateAll((all) => all.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)));
      expect(await sizes()).to.deep.equal([15, 15, 15]);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      try {
        await until('the larger fields', async () => (await sizes()).every((size) => size === 16));
      } finally {
        await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: false });
      }
    }),
  );

  it(
    'shows a toast for the longest address within the window, in the same place when a dialog opens',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        const card = toasts(page).locator('[data-tone]');
        const left = () => card.evaluate((each) => each.getBoundingClientRect().left);
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          await rows(page)
            .first()
            .getByRole('button', { name: /^Email/ })
            .click();
          await dialog(page).getByLabel('Message').waitFor();
          await pauseClock(page);
          await press(dialog(page), 'Send');
          await untilStep(page, 'the dialog has closed', async () => (await dialog(page).count()) === 0);
          await untilStep(page, 'the toast', async () => (await card.count()) === 1);
          await untilStep(page, 'the toast has stopped moving', async () => (await left()) === (await left()));
          await expectWithinWindow(page);
          expect(await card.evaluate((element) => element.scrollWidth - element.clientWidth)).to.equal(0);
          if (width === 390) {
            await page.clock.resume();
            await toasts(page).getByRole('button', { name: 'Dismiss notification' }).click();
            await card.waitFor({ state: 'detached' });
          }
        }
        const before = await left();
        await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
        await untilStep(page, 'the details', async () => (await dialog(page).locator('dl').count()) > 0);
        expect(await left()).to.equal(before);
        await stack().database('leads').where({ email: longestAddress }).delete();
      },
      {
        hasOwnClock: true,
        prepare: () =>
          storeLeads(stack().database, [
            { ...contactMessage, email: longestAddress, fields: { ...contactMessage.fields, ...longName } },
          ]),
      },
    ),
  );
});
