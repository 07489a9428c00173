import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expectAccessibleEverywhere, tabTo, withAxe } from '../../src/browser/accessibility.ts';
import { hold, routeOnce } from '../../src/browser/browser.ts';
import { stack } from '../../src/browser/browser-suite.ts';
import { dialog, focused, onStaffPage, refresh, toasts, untilAt, untilClosed } from '../../src/browser/staff.ts';
import { until } from '@dune-tide/testkit/until';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const path = '/admin/follow-ups';
const table = (page: Page, state: string) => page.getByRole('table', { name: `${state} emails` });
const row = (page: Page, text: string) => page.getByRole('table').getByRole('row').filter({ hasText: text });
const tab = (page: Page, name: string) => page.getByRole('tab', { name });

/**
 * Presses a button again as soon as the table has a number of rows. The page does it, because a busy machine may delay
 * the test beyond the time of a double press.
 * @param place - of the pointer; without it the focused button is pressed by key
 */
const pressAgain = (page: Page, rows: number, place?: { readonly x: number; readonly y: number }): Promise<void> =>
  page.evaluate(
    ([count, pointer]) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (document.querySelectorAll('tbody tr').length !== count) return;
          observer.disconnect();
          // After the effects of this rendering, which move the focus.
          setTimeout(() => {
            const target = pointer ? document.elementFromPoint(pointer.x, pointer.y) : document.activeElement;
            const [clientX, clientY, detail] = pointer ? [pointer.x, pointer.y, 1] : [0, 0, 0];
            target?.dispatchEvent(
              new MouseEvent('click', { bubbles: true, cancelable: true, clientX, clientY, detail }),
            );
            resolve();
          });
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
    [rows, place] as const,
  );

describe('The follow-ups page', () => {
  /** The leads that a test stored; their addresses separate them from the rows of other tests. */
  const leads: string[] = [];
  /** Calls that a test makes fail. */
  const meant: string[] = [];

  async function addFollowUp(
    state: string,
    recipient: string,
    overrides: Record<string, unknown> = {},
  ): Promise<string> {
    const { database } = stack();
    const id = randomUUID();
    leads.push(id);
    await database('leads').insert({
      id,
      kind: 'contact',
      email: recipient,
      answers: JSON.stringify(validExample(contactForm)),
    });
    // Not due for a long time, so that the running worker does not send it.
    const later = database.raw(`now() + interval '1 day'`);
    await database('follow_ups').insert({
      id,
      lead_id: id,
      kind: 'acknowledgement',
      recipient,
      message_id: `<${id}@example.com>`,
      state,
      available_at: later,
      sweep_at: later,
      sent_at: state === 'sent' ? database.fn.now() : null,
      ...overrides,
    });
    return id;
  }
  afterEach(() => stack().database('leads').whereIn('id', leads.splice(0)).delete());

  it(
    'shows failed emails with the reason, and retries one with the keyboard',
    onStaffPage(path, async ({ page }) => {
      const id = await addFollowUp('failed', 'amal@example.com', {
        attempts: 3,
        server_answer: '550 5.1.1 No such user',
      });
      await tab(page, 'Failed').click();
      await row(page, 'amal@example.com').waitFor();
      expect(await table(page, 'Failed').getByRole('columnheader').allInnerTexts()).to.deep.equal([
        'Email',
        'To',
        'Lead',
        'Attempts',
        'Last response',
        'Failed',
        'Actions',
      ]);
      const text = await row(page, 'amal@example.com').innerText();
      expect(text)
        .to.match(/^Acknowledgement/)
        .and.include('This address does not exist. 550 5.1.1 No such user');
      expect(await row(page, 'amal@example.com').getByRole('link').getAttribute('href')).to.equal(`/admin/leads/${id}`);

      await tabTo(page, 'Retry the email to amal@example.com');
      await page.keyboard.press('Enter');
      await toasts(page).getByText('Email Retried', { exact: true }).waitFor();
      await row(page, 'amal@example.com').waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).to.equal('tabpanel');
      const { state } = await stack().database('follow_ups').where({ id }).first<{ state: string }>('state');
      expect(state).to.not.equal('failed');

      // Two retries run concurrently, without waiting for each other.
      const [one, two] = ['one@example.com', 'two@example.com'] as const;
      const releases: (() => void)[] = [];
      for (const recipient of [one, two]) {
        releases.push(await hold(page, `/api/admin/follow-ups/${await addFollowUp('failed', recipient)}/retry?*`));
      }
      await refresh(page);
      for (const recipient of [one, two]) {
        await page.getByRole('button', { name: `Retry the email to ${recipient}` }).click();
        await row(page, recipient).getByText('Retrying...').waitFor();
      }
      releases[0]?.();
      await row(page, one).waitFor({ state: 'detached' });
      await row(page, two).getByText('Retrying...').waitFor();
      releases[1]?.();
      await row(page, two).waitFor({ state: 'detached' });

      const opened = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'Queue board (opens in a new tab)' }).click();
      const board = await opened;
      await board.getByText('follow-ups', { exact: true }).first().waitFor();
      expect(new URL(board.url()).pathname).to.match(/^\/api\/admin\/queue/);
    }),
  );

  it(
    'names the lead of each staff notice, and in its buttons and toasts',
    onStaffPage(`${path}?state=failed`, async ({ page }) => {
      for (const lead of ['amal@example.com', 'badr@example.com']) {
        const id = await addFollowUp('failed', 'staff@example.com', { kind: 'staff_notice' });
        await stack().database('leads').where({ id }).update({ email: lead });
      }
      await refresh(page);
      await row(page, 'about badr@example.com').getByText('Notice to staff').waitFor();
      const email = 'email to staff@example.com about badr@example.com';
      await page.getByRole('link', { name: `View lead of the ${email}` }).waitFor();
      await page.getByRole('button', { name: `Cancel the ${email}` }).click();
      await toasts(page).getByText(`The ${email} will not be sent.`, { exact: true }).waitFor();
      await row(page, 'about badr@example.com').waitFor({ state: 'detached' });
      expect(await row(page, 'about amal@example.com').count()).to.equal(1);
    }),
  );

  it(
    'shows the fate of each email in the history of its lead, with links to others in the same state',
    onStaffPage(
      path,
      async ({ page }) => {
        const { database } = stack();
        // Entries of the same millisecond have no order.
        const earlier = database.raw(`now() - interval '1 second'`);
        const failed = { created_at: earlier, server_answer: '550 5.1.1 No such user' };
        const id = await addFollowUp('failed', 'amal@example.com', failed);
        const notice = randomUUID();
        const sentAt = '2026-03-07T10:05:00Z';
        await database('follow_ups').insert({
          id: notice,
          lead_id: id,
          kind: 'staff_notice',
          recipient: 'staff@example.com',
          message_id: `<${notice}@example.com>`,
          state: 'sent',
          sent_at: sentAt,
        });
        const history = `/api/admin/leads/${id}/history`;
        meant.push(history);
        await routeOnce(page, `**${history}`, (route) => route.fulfill({ status: 503 }));
        await page.goto(new URL(`/admin/leads/${id}`, page.url()).href);
        const emails = dialog(page).getByRole('region', { name: 'History' });
        await emails.getByText('Could not load the history.').waitFor();
        await emails.getByRole('button', { name: 'Try again' }).click();
        await emails.getByText('Notice to staff').waitFor();
        const standings = await emails.locator('li[data-kind="email"]').allInnerTexts();
        expect(standings[0]).to.match(
          /^Acknowledgement to amal@example\.com: Failed \w{3} \d\d, \d{4} \d\d:\d\d: This address does not exist\. 550 5\.1\.1 No such user\nRetry\nCorrect the address$/,
        );
        expect(standings[1]).to.equal('Notice to staff to staff@example.com: Sent Mar 07, 2026 10:05');
        await expectAccessibleEverywhere(page, 'the emails of a lead', { part: '[role="dialog"]' });
        await emails.getByRole('link', { name: 'Failed' }).click();
        await row(page, 'amal@example.com').waitFor();
        await untilAt(page, `${path}?state=failed`);
      },
      { ...withAxe, failing: meant },
    ),
  );

  it(
    'corrects the address of a failed email to a visitor, but not that of a notice to staff',
    onStaffPage(
      `${path}?state=failed`,
      async ({ page }) => {
        const id = await addFollowUp('failed', 'amal@exmaple.com', {
          attempts: 1,
          server_answer: '550 5.1.1 No such user',
        });
        await addFollowUp('failed', 'staff@example.com', { kind: 'staff_notice' });
        await refresh(page);
        await row(page, 'staff@example.com').waitFor();
        await page.getByRole('button', { name: /^Correct the address/ }).click();
        await dialog(page).getByRole('heading', { name: 'Correct the address' }).waitFor();
        expect(await dialog(page).getByLabel('Email address').inputValue()).to.equal('amal@exmaple.com');
        await expectAccessibleEverywhere(page, 'a corrected address', { part: '[role="dialog"]' });
        await dialog(page).getByLabel('Email address').fill('amal@');
        await dialog(page).getByRole('button', { name: 'Save and Send' }).click();
        await dialog(page).getByText('Please enter a valid email address').waitFor();
        await dialog(page).getByLabel('Email address').fill('amal@example.com');
        await dialog(page).getByRole('button', { name: 'Save and Send' }).click();
        await toasts(page).getByText('The email will be sent to amal@example.com.').waitFor();
        await untilClosed(page);
        await row(page, 'amal@exmaple.com').waitFor({ state: 'detached' });
        await until('the focus stays in the list', async () =>
          page.evaluate(() => document.activeElement?.closest('[role="tabpanel"]') !== null),
        );
        await stack().mailTo('amal@example.com');
        const { email } = await stack().database('leads').where({ id }).first<{ email: string }>('email');
        expect(email, 'the address of the lead').to.equal('amal@exmaple.com');
      },
      withAxe,
    ),
  );

  it(
    'shows webhooks, if there are any, with their events and the responses of the receiver',
    onStaffPage(
      path,
      async ({ page }) => {
        const choice = page.getByRole('group', { name: 'What is shown' });
        await tab(page, 'Waiting').waitFor();
        expect(await choice.count(), 'without webhooks').to.equal(0);
        const id = await addFollowUp('failed', 'amal@example.com', {
          kind: 'webhook',
          recipient: null,
          message_id: null,
          sweep_at: 'infinity',
          attempts: 1,
          server_answer: '410 gone',
        });
        await stack().database('webhook_events').insert({
          id,
          lead_id: id,
          lead_version: 1,
          lead_kind: 'contact',
          type: 'lead.created',
          lead_after: '{}',
        });
        await refresh(page);
        await choice.getByRole('button', { name: 'Webhooks' }).click();
        await untilAt(page, `${path}?state=pending&transport=webhook`);
        await tab(page, 'Failed').click();
        const shown = await row(page, 'lead.created').innerText();
        expect(shown).to.include('Receiver').and.include('410 gone');
        await expectAccessibleEverywhere(page, 'webhooks');
        await page.getByRole('button', { name: 'Retry the webhook lead.created of amal@example.com' }).click();
        await toasts(page).getByText('Webhook Retried', { exact: true }).waitFor();
        await row(page, 'lead.created').waitFor({ state: 'detached' });
        await choice.getByRole('button', { name: 'Emails' }).click();
        await untilAt(page, `${path}?state=failed`);
      },
      withAxe,
    ),
  );

  it(
    'links to the lead of an email, and focuses that link on return',
    onStaffPage(`${path}?state=failed`, async ({ page }) => {
      const link = 'View lead of the email to amal@example.com';
      await addFollowUp('failed', 'amal@example.com');
      await refresh(page);
      for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
        await page.getByRole('link', { name: link }).click();
        await dialog(page).locator('dl').first().waitFor();
        await close();
        await row(page, 'amal@example.com').waitFor();
        await untilAt(page, `${path}?state=failed`);
        await until('the link has the focus', async () => (await focused(page)) === link);
      }
    }),
  );

  it(
    'keeps the loaded pages, the scroll position and the focus after a visit to a lead',
    onStaffPage(`${path}?state=failed`, async ({ page, count }) => {
      const list = 'GET /api/admin/follow-ups';
      const scrolled = () => page.evaluate(() => window.scrollY);
      const ids = await Promise.all(
        Array.from({ length: 250 }, (_, number) =>
          // The last ones are the newest.
          addFollowUp('failed', `f${number}@example.com`, { created_at: new Date(Date.UTC(2020, 0, 1, 0, number)) }),
        ),
      );
      await refresh(page);
      await row(page, 'f249@').waitFor();
      for (const first of ['f149@example.com', 'f49@example.com']) {
        await page.getByRole('button', { name: 'Load more' }).click();
        await until('the first new row has the focus', async () => (await focused(page))?.endsWith(first));
      }
      expect(await page.getByRole('button', { name: 'Load more' }).count()).to.equal(0);

      const link = page.getByRole('link', { name: 'View lead of the email to f9@example.com' });
      await link.scrollIntoViewIfNeeded();
      const place = await scrolled();
      await link.click();
      await dialog(page).locator('dl').first().waitFor();
      await stack().database('follow_ups').where({ id: ids[9] }).update({ server_answer: '550 No such user' });
      const calls = count(list);
      await page.goBack();
      await row(page, 'f9@example.com').getByText('550 No such user').waitFor();
      expect(count(list) - calls, 'each page is loaded again').to.equal(3);
      expect(await row(page, '@example.com').count()).to.equal(250);
      await until('the scroll position is restored', async () => (await scrolled()) === place);
      expect(place).to.be.above(1000);
      expect(await focused(page)).to.equal('View lead of the email to f9@example.com');
    }),
  );

  for (const width of [1440, 1200, 768]) {
    it(
      `keeps an ordinary address on one line beside a long server response, in a window of ${width} px`,
      onStaffPage(
        `${path}?state=failed`,
        async ({ page }) => {
          await addFollowUp('failed', 'amal@example.com', { server_answer: 'x'.repeat(300) });
          await refresh(page);
          const height = await row(page, 'amal@example.com')
            .getByRole('cell')
            .filter({ hasText: 'amal@example.com' })
            .evaluate((cell) => {
              const text = document.createRange();
              text.selectNodeContents(cell.lastChild!);
              return text.getBoundingClientRect().height;
            });
          expect(height).to.be.below(30);
        },
        { width },
      ),
    );
  }

  it(
    'cancels a failed email, which then leaves the list of failed ones',
    onStaffPage(`${path}?state=failed`, async ({ page }) => {
      const id = await addFollowUp('failed', 'aside@example.com', { server_answer: '550 5.1.1 No such user' });
      const other = await addFollowUp('failed', 'stays@example.com');
      await refresh(page);
      const release = await hold(page, `/api/admin/follow-ups/${id}/cancel?*`);
      await page.getByRole('button', { name: 'Cancel the email to aside@example.com' }).click();
      await row(page, 'aside@example.com').getByText('Cancelling...').waitFor();
      expect(await row(page, 'aside@example.com').getByText('Retry', { exact: true }).count()).to.equal(1);
      release();
      await toasts(page).getByText('The email to aside@example.com will not be sent.').waitFor();
      await row(page, 'aside@example.com').waitFor({ state: 'detached' });
      await until(
        'the next row has the focus',
        async () => (await focused(page)) === 'Cancel the email to stays@example.com',
      );
      await tab(page, 'Cancelled').click();
      await row(page, 'aside@example.com').waitFor();
      expect(await page.getByRole('button', { name: /^Cancel the email to/ }).count()).to.equal(0);
      const states = await stack().database('follow_ups').whereIn('id', [id, other]).pluck('state');
      expect(states).to.have.members(['cancelled', 'failed']);
    }),
  );

  it(
    'keeps the loaded pages when one of their emails is retried',
    onStaffPage(`${path}?state=failed`, async ({ page, count }) => {
      const list = 'GET /api/admin/follow-ups';
      const rows = () => page.getByRole('table').getByRole('row').count();
      await Promise.all(Array.from({ length: 101 }, (_, number) => addFollowUp('failed', `f${number}@example.com`)));
      await addFollowUp('failed', 'oldest@example.com', { created_at: '2020-01-01' });
      await refresh(page);
      await until('the first page', async () => (await rows()) === 101);
      await page.getByRole('button', { name: 'Load more' }).click();
      await row(page, 'oldest@example.com').waitFor();
      const loaded = await rows();
      const [lists, counts] = [count(list), count(`${list}/counts`)];
      await page.getByRole('button', { name: 'Retry the email to oldest@example.com' }).click();
      await row(page, 'oldest@example.com').waitFor({ state: 'detached' });
      await until('the counts are loaded again', () => count(`${list}/counts`) > counts);
      expect(await rows()).to.equal(loaded - 1);
      expect(count(list)).to.equal(lists);
    }),
  );

  it(
    'changes only one email on a double press, by pointer or keyboard',
    onStaffPage(`${path}?state=failed`, async ({ page }) => {
      const recipients = ['first@example.com', 'second@example.com', 'third@example.com'];
      for (const recipient of recipients) await addFollowUp('failed', recipient);
      await refresh(page);
      await row(page, 'first@example.com').waitFor();
      const cancel = page.getByRole('button', { name: /^Cancel the email to/ });
      const left = () => page.getByRole('table').getByRole('row').filter({ hasText: 'Acknowledgement' }).count();
      const box = await cancel.first().boundingBox();
      const place = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 10 };
      // On a slow device the row disappears long after the response.
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 20 });
      const pressedByPointer = pressAgain(page, 2, place);
      await page.mouse.click(place.x, place.y);
      await pressedByPointer;
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      // Longer than the time in which a second press is ignored.
      await pause(800);
      expect(await left()).to.equal(2);
      await cancel.first().focus();
      const pressedByKey = pressAgain(page, 1);
      await page.keyboard.press('Enter');
      await pressedByKey;
      await pause(800);
      expect(await left()).to.equal(1);
      await page.keyboard.press('Enter');
      await until('the last one is cancelled', async () => (await left()) === 0);
    }),
  );

  it(
    'shows the state of an email that another team member has changed',
    onStaffPage(
      `${path}?state=failed`,
      async ({ page }) => {
        const [changed, last, since] = ['changed@example.com', 'last@example.com', 'since@example.com'] as const;
        const id = await addFollowUp('failed', changed);
        meant.push(`/api/admin/follow-ups/${id}/retry`);
        await addFollowUp('failed', last);
        await refresh(page);
        await row(page, last).waitFor();
        // Wait for both pending lists: a later response would remove the row.
        await page.locator('[role="tabpanel"] > [aria-busy="false"]').waitFor();
        await stack().database('follow_ups').where({ id }).update({ state: 'cancelled' });
        await page.getByRole('button', { name: `Retry the email to ${changed}` }).click();
        await row(page, changed).waitFor({ state: 'detached' });

        await addFollowUp('failed', since);
        await page.getByRole('button', { name: `Retry the email to ${last}` }).click();
        await row(page, since).waitFor();
      },
      { failing: meant },
    ),
  );

  it(
    'cancels all waiting emails after confirming their number, and shows a failure in the dialog',
    onStaffPage(
      path,
      async ({ page, count }) => {
        // The waiting emails of other tests would be included.
        await until('no other email is waiting', async () => {
          const others = await stack().database('follow_ups').whereIn('state', ['pending', 'sending']);
          return others.length === 0;
        });
        await Promise.all(Array.from({ length: 101 }, (_, number) => addFollowUp('pending', `w${number}@example.com`)));
        await refresh(page);
        await until('the first page', async () => (await page.getByRole('table').getByRole('row').count()) === 101);
        await page.getByRole('button', { name: 'Load more' }).click();
        await until('the second page', async () => (await page.getByRole('table').getByRole('row').count()) === 102);

        const cancelAll = page.getByRole('button', { name: 'Cancel all' });
        await cancelAll.click();
        await dialog(page).getByRole('button', { name: 'Back' }).click();
        await untilClosed(page);
        expect(count('POST /api/admin/follow-ups/cancel')).to.equal(0);
        await cancelAll.click();
        await dialog(page).getByRole('heading', { name: 'Cancel 101 emails?' }).waitFor();
        await routeOnce(page, '**/follow-ups/cancel', (route) => route.fulfill({ status: 503, json: {} }));
        meant.push('/api/admin/follow-ups/cancel');
        await dialog(page).getByRole('button', { name: 'Cancel all' }).click();
        await dialog(page).getByText('Failed to cancel the emails. Please try again.').waitFor();
        await until('the button has the focus again', () =>
          page.evaluate(() => document.activeElement?.textContent === 'Cancel all'),
        );
        await dialog(page).getByRole('button', { name: 'Cancel all' }).click();
        await toasts(page).getByText('Emails Cancelled', { exact: true }).waitFor();
        await page.getByText('No emails are waiting.', { exact: true }).waitFor();
        await untilClosed(page);
        await until('the heading of the list has the focus', () =>
          page.evaluate(() => document.activeElement?.getAttribute('role') === 'tabpanel'),
        );
        await tab(page, 'Cancelled').click();
        await table(page, 'Cancelled').waitFor();
        expect(count('POST /api/admin/follow-ups/cancel')).to.equal(2);

        const id = await addFollowUp('cancelled', 'gone@example.com');
        await refresh(page);
        await row(page, 'gone@example.com').waitFor();
        meant.push(`/api/admin/follow-ups/${id}/retry`);
        await stack().database('follow_ups').where({ id }).update({ state: 'withheld' });
        const other = await page.context().newPage();
        await other.goto(page.url());
        await other.getByText('No emails are waiting. None failed. 1 email withheld.').waitFor();
        await other.close();
        await stack()
          .database('follow_ups')
          .where({ id })
          .update({ state: 'sent', sent_at: stack().database.fn.now() });
        await page.getByRole('button', { name: 'Retry the email to gone@example.com' }).click();
        await toasts(page).getByText('The status of the email to gone@example.com has changed.').waitFor();
      },
      { failing: meant },
    ),
  );

  it(
    'shows why emails are withheld, and that a retry of all ignores the limits',
    onStaffPage(`${path}?state=withheld`, async ({ page }) => {
      const reasons = {
        mailbox_limit: /already got 10 automatic emails/,
        opted_out: /asked for no more automatic emails/,
      };
      for (const reason of Object.keys(reasons)) {
        await addFollowUp('withheld', `${reason.replace('_', '-')}@example.com`, { withheld_reason: reason });
      }
      await refresh(page);
      for (const [reason, text] of Object.entries(reasons)) {
        await row(page, `${reason.replace('_', '-')}@example.com`)
          .getByText(text)
          .waitFor();
      }
      expect(await table(page, 'Withheld').getByRole('columnheader').allInnerTexts()).to.include('Reason');
      await page.getByRole('button', { name: 'Retry all' }).click();
      await dialog(page)
        .getByText(
          'will be sent now, even above the limits. Emails to addresses that want no automatic emails stay withheld.',
        )
        .waitFor();
      await page.keyboard.press('Escape');
      await untilClosed(page);
    }),
  );

  it(
    'lists the addresses that are opted out, and allows emails to them again',
    onStaffPage(
      path,
      async ({ page }) => {
        const mailbox = 'no-more@example.com';
        const { database } = stack();
        const id = await addFollowUp('withheld', mailbox, { withheld_reason: 'opted_out' });
        await database('email_opt_outs').insert({ id: randomUUID(), mailbox });
        await page.reload();
        await tab(page, 'Withheld').click();
        meant.push(`/api/admin/follow-ups/${id}/retry`);
        await page.getByRole('button', { name: `Retry the email to ${mailbox}` }).click();
        await toasts(page).getByText(`The email to ${mailbox} stays withheld.`).waitFor();

        await page.getByRole('button', { name: `Allow emails to ${mailbox}` }).click();
        await dialog(page).getByRole('button', { name: 'Allow emails' }).click();
        await toasts(page).getByText('Emails Allowed', { exact: true }).waitFor();
        await page.getByText('No address is opted out.').waitFor();
        await untilClosed(page);
        await until('the heading has the focus', () =>
          page.evaluate(() => document.activeElement?.textContent === 'Addresses without automatic emails'),
        );
        expect(await database('email_opt_outs').where({ mailbox })).to.deep.equal([]);
        await page.getByRole('button', { name: `Retry the email to ${mailbox}` }).click();
        await toasts(page).getByText('Email Retried', { exact: true }).waitFor();
      },
      { failing: meant },
    ),
  );

  it(
    'keeps the layout while the list loads, shows a load failure, and is accessible',
    onStaffPage(
      `${path}?state=failed`,
      async ({ page }) => {
        await page.getByText('Could not load the emails.').waitFor();
        await addFollowUp('failed', 'a-rather-long-address-of-a-member@a-rather-long-domain.example.com', {
          server_answer: `554 5.7.1 ${'x'.repeat(200)}`,
        });
        await page.context().unroute('**/api/admin/follow-ups?*');
        const release = await hold(page, '/api/admin/follow-ups?*');
        await page.getByRole('button', { name: 'Try again' }).click();
        release();
        await table(page, 'Failed').waitFor();
        await expectAccessibleEverywhere(page, 'the list');
        await page.setViewportSize({ width: 390, height: 844 });
        // The width changes before the layout does.
        await until('the page scrolls only vertically', () =>
          page.evaluate(() => document.documentElement.scrollWidth === document.documentElement.clientWidth),
        );
        await refresh(page);
        await page.getByRole('button', { name: 'Retry all' }).click();
        await dialog(page)
          .getByRole('heading', { name: /^Retry \d+ emails?\?$/ })
          .waitFor();
        await expectAccessibleEverywhere(page, 'the question');
      },
      {
        ...withAxe,
        failing: ['/api/admin/follow-ups'],
        prepare: (context) =>
          context.route('**/api/admin/follow-ups?*', (route) => route.fulfill({ status: 503, json: {} })),
      },
    ),
  );
});
