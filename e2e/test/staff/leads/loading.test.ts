import { stack } from '../../../src/browser/browser-suite.ts';
import { deleteLeads, storeLeadsOfManyDays } from '@dune-tide/testkit/leads';
import { allLeadsCall, callsOf, leadsPath, rows } from '../../../src/browser/leads-page.ts';
import { dialog, onStaffPage, press, untilClosed } from '../../../src/browser/staff.ts';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { expect } from 'chai';

describe('The leads page with more than a thousand leads', () => {
  after(() => deleteLeads(stack().database));

  /** The ids of the leads that the page lists; those that are held as spam are hidden. */
  let inOrder: string[];
  let total: number;

  before(async function () {
    await deleteLeads(stack().database);
    await storeLeadsOfManyDays(stack().database, 1_300);
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
      const { seen, mostRows } = await page.evaluate(scroll, [500, hangLimitSeconds * 1_000] as const);
      const places = Object.keys(seen).map(Number);
      expect(places.length, 'rows looked at').to.be.above(100);
      for (const place of places) expect(seen[place], `row ${place}`).to.equal(inOrder[place - 1]);
      expect(places, 'the 500th row').to.include(500);
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
      await until('the list is short again', () => page.evaluate(() => document.body.scrollHeight < 20_000));
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
          while (!document.querySelector('tr[aria-rowindex="200"]')) {
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
