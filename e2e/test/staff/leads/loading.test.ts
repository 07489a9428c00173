import { expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
import { hold } from '../../../src/browser/browser.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { deleteLeads, storeLeads, storeLeadsOfManyDays } from '@dune-tide/testkit/leads';
import {
  allLeadsCall,
  respondingWith,
  callsOf,
  cells,
  isListCall,
  leadsPath,
  listCall,
  rows,
  storeFewLeads,
  tab,
  tryAgain,
} from '../../../src/browser/leads-page.ts';
import { dialog, onStaffPage, press, untilClosed } from '../../../src/browser/staff.ts';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page, Request } from 'playwright-core';

/** Presses End until something happens: the end moves while rows on the way to it are measured. */
async function pressEndUntil(what: string, page: Page, hasHappened: () => boolean | Promise<boolean>): Promise<void> {
  await until(what, async () => {
    await page.keyboard.press('End');
    return hasHappened();
  });
}

const focusedRole = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('role'));

describe('The leads page', () => {
  after(() => deleteLeads(stack().database));

  describe('with a few leads', () => {
    before(storeFewLeads);

    describe('reads', () => {
      it(
        'the list once; only Refresh loads it again',
        onStaffPage(
          leadsPath,
          async ({ page, context }) => {
            await rows(page).first().waitFor();
            const calls = callsOf(page);
            await context.setOffline(true);
            await context.setOffline(false);
            await page.evaluate(() => {
              for (const name of ['focus', 'online']) window.dispatchEvent(new Event(name));
              document.dispatchEvent(new Event('visibilitychange'));
            });
            await page.clock.runFor('01:00:00');
            await page.getByRole('link', { name: 'Recipes' }).click();
            await page.getByRole('heading', { name: 'Recipe Management' }).waitFor();
            await page.getByRole('link', { name: 'Leads' }).click();
            await rows(page).first().waitFor();
            expect(calls.filter((call) => call.startsWith(listCall))).to.deep.equal([]);

            await storeLeads(stack().database, [
              {
                kind: 'contact',
                email: 'new@example.com',
                fields: { firstName: 'Reem', lastName: 'Qahtani', service: 'ugc', message: 'A new message' },
              },
            ]);
            await press(page, 'Refresh');
            await page.getByText('Reem Qahtani').waitFor();
            expect(await tab(page, 'Contact Forms').textContent()).to.equal('Contact Forms 3');
            expect(calls.filter((call) => call === allLeadsCall)).to.have.length(1);
            await stack().database('leads').where({ email: 'new@example.com' }).delete();
          },
          { hasOwnClock: true },
        ),
      );

      const unauthorized = respondingWith(isListCall, [401]);
      it(
        'and redirects to the login after a 401, without a retry',
        onStaffPage(
          leadsPath,
          async ({ page }) => {
            await page.waitForURL('**/admin/login?**');
            expect(new URL(page.url()).searchParams.get('from')).to.equal(leadsPath);
            await page.clock.runFor(30_000);
            expect(unauthorized.made).to.have.length(1);
          },
          { prepare: unauthorized.prepare, failing: [listCall], hasOwnClock: true },
        ),
      );

      const twice = respondingWith(isListCall, [500, 500]);
      it(
        'again after a failure, at most twice without a message',
        onStaffPage(
          leadsPath,
          async ({ page }) => {
            expect(await cells(page)).to.have.length(8);
            expect(twice.made).to.have.length(3);
            expect(await page.getByRole('alert').count()).to.equal(0);
          },
          { prepare: twice.prepare, failing: [listCall] },
        ),
      );

      const thrice = respondingWith(isListCall, [500, 503, 500]);
      it(
        'and then shows an error, and continues with Try again',
        onStaffPage(
          leadsPath,
          async ({ page }) => {
            await page.getByText('Could not load the leads.').waitFor();
            await expectAccessibleEverywhere(page, 'the failure');
            expect(thrice.made).to.have.length(3);
            await tryAgain(page).click();
            expect(await cells(page)).to.have.length(8);
            expect(await focusedRole(page), 'the replacement has the focus').to.equal('tabpanel');
            expect(thrice.made).to.have.length(4);
          },
          { ...withAxe, prepare: thrice.prepare, failing: [listCall] },
        ),
      );

      const refresh = respondingWith(isListCall, [500, 500, 500], { from: 1 });
      it(
        'and keeps the leads when Refresh fails',
        onStaffPage(
          leadsPath,
          async ({ page }) => {
            await rows(page).first().waitFor();
            await press(page, 'Refresh');
            await page.getByText('Could not refresh the leads. They may be out of date.').waitFor();
            expect(await cells(page)).to.have.length(8);
            await tryAgain(page).click();
            await page.getByRole('alert').waitFor({ state: 'detached' });
            expect(await focusedRole(page)).to.equal('tabpanel');
            await until('the fifth call', () => refresh.made.length === 5);
            await page.locator('button[aria-busy="false"]', { hasText: 'Refresh' }).waitFor();
            expect(refresh.made).to.have.length(5);
          },
          { prepare: refresh.prepare, failing: [listCall] },
        ),
      );
    });
  });

  describe('with thousands of leads', () => {
    /** The ids of the leads that the page lists; those that are held as spam are hidden. */
    let inOrder: string[];
    let total: number;

    before(async function () {
      await deleteLeads(stack().database);
      await storeLeadsOfManyDays(stack().database, 2_500);
      const stored = await stack()
        .database('leads')
        .whereNot({ kind: 'portfolio_request' })
        .select<{ id: string; spam_sign: string | null }[]>('id', 'spam_sign')
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ]);
      total = stored.length;
      inOrder = stored.filter(({ spam_sign: sign }) => sign === null).map(({ id }) => id);
    });

    it(
      'prints all loaded leads and their number',
      onStaffPage(leadsPath, async ({ page }) => {
        await rows(page).first().waitFor();
        const printed = page.evaluate(
          () =>
            new Promise<[string | null, number]>((resolve) => {
              window.addEventListener('beforeprint', () => {
                const said = document.querySelector('[role="tabpanel"]')?.previousElementSibling?.textContent ?? null;
                resolve([said, document.querySelectorAll('tbody tr').length]);
              });
            }),
        );
        const onScreen = await rows(page).count();
        await page.pdf();
        const [said, count] = await printed;
        expect(count).to.be.at.least(100);
        expect(said).to.equal(`All leads, the first ${count} of over 1,000`);
        await until('the screen shows as many rows as before', async () => (await rows(page).count()) === onScreen);
      }),
    );

    it(
      'scrolls through them in order, with a limited number of rows in the document',
      onStaffPage(leadsPath, async ({ page }) => {
        expect(inOrder.length).to.be.above(2_000);
        await rows(page).first().waitFor();
        await page.getByRole('tab', { name: `All ${total.toLocaleString('en-US')}`, exact: true }).waitFor();
        expect(await page.getByRole('table').getAttribute('aria-rowcount')).to.equal('-1');

        // Scroll to the end repeatedly: there the next page is loaded.
        const scroll = async ([wanted, limitMs]: readonly [number, number]) => {
          const found: Record<number, string> = {};
          const deadline = performance.now() + limitMs;
          let most = 0;
          while (found[wanted] === undefined && performance.now() < deadline) {
            const present = [...document.querySelectorAll('tbody tr')];
            most = Math.max(most, present.length);
            for (const row of present) {
              found[Number(row.ariaRowIndex) - 1] = row.querySelector('a')?.pathname.split('/').at(-1) ?? '';
            }
            const last = document.querySelector('tbody')?.getBoundingClientRect().bottom ?? 0;
            window.scrollBy(0, Math.min(last - window.innerHeight / 2, wanted * 54 - window.scrollY));
            await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          }
          return { seen: found, mostRows: most };
        };
        const { seen, mostRows } = await page.evaluate(scroll, [2_000, hangLimitSeconds * 1_000] as const);
        const places = Object.keys(seen).map(Number);
        expect(places.length, 'rows looked at').to.be.above(300);
        for (const place of places) expect(seen[place], `row ${place}`).to.equal(inOrder[place - 1]);
        expect(places, 'the 2,000th row').to.include(2_000);
        expect(mostRows, 'rows in the document').to.be.below(60);

        await page
          .getByRole('link', { name: /^View / })
          .nth(12)
          .click();
        await dialog(page).waitFor();
        const place = await page.evaluate(() => window.scrollY);
        await page.goBack();
        await untilClosed(page);
        expect(await page.evaluate(() => window.scrollY), 'the scroll position is restored').to.equal(place);

        const calls = callsOf(page);
        await press(page, 'Refresh');
        await until('the first rows are back', () => page.locator('tr[aria-rowindex="2"]').isVisible());
        await until('the lists are short again', () => page.evaluate(() => document.body.scrollHeight < 50_000));
        expect(
          calls.filter((call) => call === allLeadsCall),
          'from the top',
        ).to.have.length(1);
      }),
    );

    it(
      'shows the same rows again after a visit to another page',
      onStaffPage(
        leadsPath,
        async ({ page }) => {
          await rows(page).first().waitFor();
          await page.evaluate(async () => {
            while (!document.querySelector('tr[aria-rowindex="400"]')) {
              window.scrollBy(0, 500);
              await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
            }
          });
          const inSight = () =>
            page.evaluate(() => {
              const row = [...document.querySelectorAll('tbody tr')].find(
                (each) => each.getBoundingClientRect().top > 200,
              );
              return { row: row?.ariaRowIndex, top: Math.round(row?.getBoundingClientRect().top ?? 0) };
            });
          const before = await inSight();
          await page.getByRole('link', { name: 'Recipes' }).click();
          await page.getByRole('heading', { name: 'Recipe Management' }).waitFor();
          await page.goBack();
          await rows(page).first().waitFor();
          await until('the rows are at the same position', async () => {
            const { row, top } = await inSight();
            return row === before.row && Math.abs(top - before.top) <= 1;
          });
        },
        // Most rows are higher in this window than estimated.
        { width: 1100 },
      ),
    );

    it(
      'reloads them on Refresh even while a further page is loading',
      onStaffPage(`${leadsPath}?tab=contact`, async ({ page }) => {
        // The second page may be requested at any time once the first one is there.
        const loading = new Set<Request>();
        page.on('request', (request) => request.url().includes('cursor=') && loading.add(request));
        page.on('requestfinished', (request) => loading.delete(request));
        await rows(page).first().waitFor();
        const release = await hold(page, `${listCall}?*cursor=*`);
        await pressEndUntil('a further page is loading', page, () => loading.size > 0);
        const calls = callsOf(page);
        await press(page, 'Refresh');
        release();
        await until('the list is loaded from the start', () => calls.includes(`${listCall}?kind=contact&spam=without`));
      }),
    );

    const further = respondingWith(isListCall, [500, 500, 500], { from: 1 });
    it(
      'shows an error if a further page cannot be loaded, keeps the rows, and continues with Try again',
      onStaffPage(
        `${leadsPath}?tab=contact`,
        async ({ page }) => {
          await rows(page).first().waitFor();
          const failure = page.getByText('Could not load older leads.');
          const lastRow = page.locator('tr[aria-rowindex="101"]');
          await pressEndUntil(
            'a further page fails, and the rows stay',
            page,
            async () => (await failure.isVisible()) && (await lastRow.isVisible()),
          );
          expect(further.made).to.have.length(4);
          expect(further.made[1]).to.match(/&cursor=/);
          await tryAgain(page).click();
          await page.locator('tr[aria-rowindex="102"]').waitFor({ state: 'attached' });
          expect(further.made[4], 'the same page').to.equal(further.made[1]);
        },
        { prepare: further.prepare, failing: [listCall] },
      ),
    );

    it(
      'keeps the row that has the focus while the list scrolls',
      onStaffPage(leadsPath, async ({ page }) => {
        await rows(page).first().waitFor();
        await page.locator('tr[aria-rowindex="5"] a').focus();
        await page.mouse.wheel(0, 4000);
        await page.locator('tr[aria-rowindex="75"]').waitFor();
        expect(await page.evaluate(() => document.activeElement?.closest('tr')?.ariaRowIndex)).to.equal('5');
      }),
    );
  });
});
