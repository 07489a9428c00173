import { randomUUID } from 'node:crypto';
import { tabTo, withAxe } from '../../src/browser/accessibility.ts';
import { ownAddress, stack } from '../../src/browser/browser-suite.ts';
import {
  dialog,
  expectAccessibleInBoth,
  focused,
  onStaffPage,
  refresh,
  toasts,
  untilAt,
} from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const path = '/admin/follow-ups';
const row = (page: Page, text: string) => page.getByRole('table').getByRole('row').filter({ hasText: text });

describe('The follow-ups page', () => {
  /** The leads that a test stored; their addresses separate them from the rows of other tests. */
  const leads: string[] = [];
  /** Not due for a long time, so that the running worker does not send it. */
  const later = () => stack().database.raw(`now() + interval '1 day'`);

  async function addFailed(recipient: string, overrides: Record<string, unknown> = {}): Promise<string> {
    const { database } = stack();
    const id = randomUUID();
    leads.push(id);
    await database('leads').insert({
      id,
      kind: 'contact',
      email: recipient,
      answers: JSON.stringify(validExample(contactForm)),
    });
    await database('follow_ups').insert({
      id,
      lead_id: id,
      kind: 'acknowledgement',
      recipient,
      message_id: `<${id}@example.com>`,
      state: 'failed',
      available_at: later(),
      sweep_at: later(),
      ...overrides,
    });
    return id;
  }
  afterEach(() => stack().database('leads').whereIn('id', leads.splice(0)).delete());

  it(
    'shows failed emails, and a retry with the keyboard sends one',
    onStaffPage(path, async ({ page }) => {
      const address = ownAddress();
      await addFailed(address, { attempts: 3, server_answer: '550 5.1.1 No such user' });
      await page.getByRole('tab', { name: 'Failed' }).click();
      await row(page, address).getByText('This address does not exist. 550 5.1.1 No such user').waitFor();
      await tabTo(page, `Retry the email to ${address}`);
      await page.keyboard.press('Enter');
      await toasts(page).getByText('Email Retried', { exact: true }).waitFor();
      await row(page, address).waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).to.equal('tabpanel');
      await stack().mailTo(address);

      const opened = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'Queue board (opens in a new tab)' }).click();
      const board = await opened;
      await board.getByText('follow-ups', { exact: true }).first().waitFor();
      expect(new URL(board.url()).pathname).to.match(/^\/api\/admin\/queue/);
    }),
  );

  it(
    'keeps the loaded pages, the scroll position and the focus after a visit to a lead',
    onStaffPage(`${path}?state=failed`, async ({ page, count }) => {
      const list = 'GET /api/admin/follow-ups';
      const scrolled = () => page.evaluate(() => window.scrollY);
      const ids = await Promise.all(
        Array.from({ length: 150 }, (_, number) =>
          // The last ones are the newest.
          addFailed(`f${number}@example.com`, { created_at: new Date(Date.UTC(2020, 0, 1, 0, number)) }),
        ),
      );
      await refresh(page);
      await row(page, 'f149@').waitFor();
      await page.getByRole('button', { name: 'Load more' }).click();
      await until('the first new row has the focus', async () => (await focused(page))?.endsWith('f49@example.com'));
      const name = 'View lead of the email to f9@example.com';
      const link = page.getByRole('link', { name });
      for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
        await link.scrollIntoViewIfNeeded();
        const place = await scrolled();
        expect(place).to.be.above(1000);
        await link.click();
        await dialog(page).locator('dl').first().waitFor();
        const answer = `550 ${randomUUID()}`;
        await stack().database('follow_ups').where({ id: ids[9] }).update({ server_answer: answer });
        const calls = count(list);
        await close();
        await row(page, 'f9@example.com').getByText(answer).waitFor();
        expect(count(list) - calls, 'each page is loaded again').to.equal(2);
        expect(await row(page, '@example.com').count()).to.equal(150);
        await untilAt(page, `${path}?state=failed`);
        await until('the scroll position is restored', async () => (await scrolled()) === place);
        expect(await focused(page)).to.equal(name);
      }
    }),
  );

  it(
    'has room for long addresses and responses in every window, and is accessible',
    onStaffPage(
      `${path}?state=failed`,
      async ({ page }) => {
        const long = 'a-rather-long-address-of-a-member@a-rather-long-domain.example.com';
        await addFailed(long, { server_answer: `554 5.7.1 ${'x'.repeat(200)}` });
        await addFailed('amal@example.com', { server_answer: 'x'.repeat(300) });
        await addFailed('staff@example.com', { kind: 'staff_notice' });
        const webhook = await addFailed('badr@example.com', {
          kind: 'webhook',
          recipient: null,
          message_id: null,
          sweep_at: 'infinity',
          server_answer: '410 gone',
        });
        const event = { lead_id: webhook, lead_version: 1, lead_kind: 'contact', type: 'lead.created' };
        await stack()
          .database('webhook_events')
          .insert({ id: webhook, ...event, lead_after: '{}' });
        await refresh(page);
        const cell = row(page, 'amal@example.com').getByRole('cell').filter({ hasText: 'amal@example.com' });
        for (const width of [1440, 1200, 768]) {
          await page.setViewportSize({ width, height: 900 });
          const height = await cell.evaluate((place) => {
            const text = document.createRange();
            text.selectNodeContents(place.lastChild!);
            return text.getBoundingClientRect().height;
          });
          expect(height, `an ordinary address on one line, ${width} px`).to.be.below(30);
        }
        await page.setViewportSize({ width: 390, height: 844 });
        // The width changes before the layout does.
        await until('the page scrolls only vertically', () =>
          page.evaluate(() => document.documentElement.scrollWidth === document.documentElement.clientWidth),
        );
        await expectAccessibleInBoth(page, 'the list');
        await page.getByRole('button', { name: 'Retry all' }).click();
        await dialog(page)
          .getByRole('heading', { name: /^Retry \d+ emails\?$/ })
          .waitFor();
        await expectAccessibleInBoth(page, 'the question');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: `Correct the address of the email to ${long}` }).click();
        await expectAccessibleInBoth(page, 'a corrected address');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Webhooks' }).click();
        await row(page, 'lead.created').getByText('410 gone').waitFor();
        await expectAccessibleInBoth(page, 'webhooks');
      },
      withAxe,
    ),
  );
});
