import { brand } from '@dune-tide/domain/brand';
import { expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
import { pauseClock, untilStep } from '../../../src/browser/browser.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { contactMessage, deleteLeads, storeLeads } from '@dune-tide/testkit/leads';
import {
  at,
  callsOf,
  leadId,
  leadPath,
  leadsPath,
  isListCall,
  rows,
  storeFewLeads,
} from '../../../src/browser/leads-page.ts';
import {
  dialog,
  endSessions,
  expectOpen,
  focused,
  focusedField,
  onStaffPage,
  press,
  sendSignIn,
  toasts,
  untilAt,
  untilClosed,
  untilLoaded,
  untilToast,
} from '../../../src/browser/staff.ts';
import { expectWithinWindow } from '../../../src/browser/toasts.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** The id of a lead that is not answered. */
const openId = leadId('011');
/** The id of a deleted lead. */
const goneId = leadId('010');

describe('The leads page with a few leads', () => {
  before(storeFewLeads);
  after(() => deleteLeads(stack().database));

  it(
    'shows its toast in the same place when a dialog opens',
    onStaffPage(
      leadsPath,
      async ({ page }) => {
        await press(page, 'Email Noura al-Harbi');
        await dialog(page).getByLabel('Message').waitFor();
        await pauseClock(page);
        await press(dialog(page), 'Send');
        await untilStep(page, 'the dialog has closed', async () => (await dialog(page).count()) === 0);
        const card = toasts(page).locator('[data-tone]');
        await untilStep(page, 'the toast', async () => (await card.count()) === 1);
        const left = () => card.evaluate((each) => each.getBoundingClientRect().left);
        await untilStep(page, 'the toast has stopped moving', async () => (await left()) === (await left()));
        const before = await left();
        await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
        await untilStep(page, 'the details', async () => (await dialog(page).locator('dl').count()) > 0);
        expect(await left()).to.equal(before);
      },
      { hasOwnClock: true },
    ),
  );

  it(
    'keeps an unfinished reply when the list reloads without its lead',
    onStaffPage(leadsPath, async ({ page }) => {
      await rows(page).first().waitFor();
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(isListCall, async (route) => {
        await held;
        await route.fulfill({ json: [], headers: { 'X-Total-Count': '0' } });
      });
      await press(page, 'Refresh');
      await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
      await press(dialog(page), 'Send Email');
      const message = dialog(page).getByLabel('Message');
      await message.fill('Half a letter');
      const field = await message.elementHandle();
      release();
      await until('the lists without leads', async () => (await page.locator('tbody tr').count()) === 0);
      await page.keyboard.type(' and more');
      expect(await message.inputValue()).to.equal('Half a letter and more');
      expect(await field?.evaluate((each) => each.isConnected)).to.equal(true);
    }),
  );

  describe('the email dialog', () => {
    const subjects = {
      'Noura al-Harbi': ['noura@example.com', `Re: Lead Generation Systems - ${brand.name}`, 'Hello Noura,'],
      'Thabo Nkosi': ['thabo@example.com', `Re: Video Testimonials - ${brand.name}`, 'Hello Thabo,'],
      'Zoë Botha': ['zoe@example.com', `Re: Other / General Application - ${brand.name}`, 'Hello Zoë,'],
    } as const;

    it(
      'starts with a subject and a greeting for each kind, and can be closed in every way',
      onStaffPage(leadsPath, async ({ page }) => {
        await rows(page).first().waitFor();
        const calls = callsOf(page);
        for (const [name, [address, subject, greeting]] of Object.entries(subjects)) {
          await page.getByRole('button', { name: `Email ${name}` }).click();
          expect(await dialog(page).getByLabel('To').inputValue()).to.equal(address);
          expect(await dialog(page).getByLabel('Subject').inputValue()).to.equal(subject);
          expect((await dialog(page).getByLabel('Message').inputValue()).split('\n')[0]).to.equal(greeting);
          await dialog(page).getByLabel('Message').fill('We would like to talk.');
          await press(dialog(page), 'Send');
          await untilToast(page, 'Email Sent');
          await untilToast(page, `Email sent to ${address} successfully.`);
          await untilClosed(page);
        }

        const open = async () => {
          await press(page, 'Email Noura al-Harbi');
          await dialog(page).getByLabel('Subject').waitFor();
        };
        const backdrop = () => page.mouse.click(12, 880);
        for (const close of [() => press(dialog(page), 'Cancel'), () => page.keyboard.press('Escape'), backdrop]) {
          await open();
          await close();
          await untilClosed(page);
        }
        expect(calls, 'nothing is sent').to.deep.equal([]);
      }),
    );
  });

  describe('a reply', () => {
    const message = (page: Page) => dialog(page).getByLabel('Message');
    const question = (page: Page) => dialog(page).getByText('Discard what you have written?');
    const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
      Escape: (page) => page.keyboard.press('Escape'),
      Cancel: (page) => press(dialog(page), 'Cancel'),
      Close: (page) => press(dialog(page), 'Close'),
      'the backdrop': (page) => page.mouse.click(12, 880),
    };

    for (const [place, open, left] of [
      ['over the table', (page: Page) => press(page, 'Email Noura al-Harbi'), (page: Page) => untilClosed(page)],
      [
        'in place of the details',
        async (page: Page) => {
          if ((await dialog(page).count()) === 0) await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
          await press(dialog(page), 'Send Email');
        },
        (page: Page) => dialog(page).locator('dl').first().waitFor(),
      ],
    ] as const) {
      it(
        `${place} is discarded only after confirmation`,
        onStaffPage(leadsPath, async ({ page }) => {
          await rows(page).first().waitFor();
          await open(page);
          for (const [way, leave] of Object.entries(ways)) {
            const letter = `Half a letter, left by ${way}`;
            await message(page).fill(letter);
            await leave(page);
            await question(page).waitFor();
            expect(await focused(page)).to.equal('Keep editing');
            await page.keyboard.press('Enter');
            await question(page).waitFor({ state: 'detached' });
            expect(await message(page).inputValue()).to.equal(letter);
            expect(await focusedField(page), `the focus after ${way}`).to.be.oneOf(['subject', 'text']);
          }
          await expectOpen(page);
          await page.keyboard.press('Escape');
          await press(dialog(page), 'Discard');
          await left(page);
          await open(page);
          expect(await message(page).inputValue()).to.match(/^Hello Noura,/);
        }),
      );
    }

    it(
      'is kept after a double click on Cancel',
      onStaffPage(leadPath(leadId('007')), async ({ page }) => {
        await press(dialog(page), 'Send Email');
        await message(page).fill('Half a letter');
        await dialog(page).getByRole('button', { name: 'Cancel' }).dblclick();
        expect(await message(page).inputValue()).to.equal('Half a letter');
        await expectOpen(page);
      }),
    );

    it(
      'makes the browser ask before the page is left, but only if it has text',
      onStaffPage(leadPath(leadId('007')), async ({ page }) => {
        const asked: string[] = [];
        page.on('dialog', (request) => {
          asked.push(request.type());
          void request.dismiss();
        });
        const leave = () => page.evaluate(() => location.assign('/robots.txt'));
        await press(dialog(page), 'Send Email');
        await message(page).press('End');
        await page.keyboard.type(' And more.');
        await leave();
        await until('the request', () => asked.length === 1);
        expect(asked).to.deep.equal(['beforeunload']);
        expect(await message(page).inputValue()).to.include(' And more.');
        await press(dialog(page), 'Cancel');
        await press(dialog(page), 'Discard');
        await leave();
        await untilAt(page, '/robots.txt');
        expect(asked).to.have.length(1);
      }),
    );

    it(
      'asks for confirmation even if Escape follows the last key immediately',
      onStaffPage(leadPath(leadId('007')), async ({ page }) => {
        await press(dialog(page), 'Send Email');
        await message(page).evaluate(async (field: HTMLTextAreaElement) => {
          // Bypass React's setter, so that React sees the value as typed by the user.
          Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'Half a letter');
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
          await Promise.resolve();
          field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        });
        await question(page).waitFor();
      }),
    );

    it(
      'survives the end of the session, for its lead only, until it is sent',
      onStaffPage(
        leadPath(leadId('007')),
        async ({ page, account }) => {
          page.on('dialog', (leaving) => void leaving.accept());
          await dialog(page).getByRole('region', { name: 'History' }).getByText('Received').waitFor();
          await press(dialog(page), 'Send Email');
          await message(page).fill('Half a letter');
          await endSessions(account);
          await page.reload();
          await page.waitForURL('**/admin/login?**');
          await sendSignIn(page, account);
          await press(dialog(page), 'Send Email');
          expect(await message(page).inputValue()).to.equal('Half a letter');
          await page.goBack();
          await page.goto(new URL(leadPath(leadId('009')), stack().siteUrl).href);
          await press(dialog(page), 'Send Email');
          expect(await message(page).inputValue()).to.match(/^Hello Zoë,/);
          await page.goto(new URL(leadPath(leadId('007')), stack().siteUrl).href);
          await press(dialog(page), 'Send Email');
          await press(dialog(page), 'Send');
          await toasts(page).getByText('Email sent to noura@example.com successfully.').waitFor();
          await press(dialog(page), 'Send Email');
          expect(await message(page).inputValue(), 'the sent text').to.equal('Half a letter');
        },
        { failing: ['/api/admin/session'] },
      ),
    );

    it(
      'is announced after signing in again until it is sent or discarded',
      onStaffPage(
        leadsPath,
        async ({ page, account }) => {
          page.on('dialog', (leaving) => void leaving.accept());
          const goOn = page.getByRole('button', { name: 'Continue draft' });
          const notice = (name: string) => page.getByText(`Your reply to ${name} is not sent yet.`);
          await untilLoaded(page);
          await press(page, 'Email Noura al-Harbi');
          await message(page).fill('Half a letter');
          await endSessions(account);
          await page.reload();
          await page.waitForURL('**/admin/login?**');
          await sendSignIn(page, account);
          await notice('Noura al-Harbi').waitFor();
          await expectAccessibleEverywhere(page, 'a half-written reply');
          await goOn.click();
          expect(await dialog(page).getByLabel('To').inputValue()).to.equal('noura@example.com');
          expect(await message(page).inputValue()).to.equal('Half a letter');
          await press(dialog(page), 'Send');
          await untilToast(page, 'Email sent to noura@example.com successfully.');
          await untilClosed(page);
          expect(await goOn.count()).to.equal(0);
          await until('the heading has the focus', async () => (await focused(page)) === 'CRM & Lead Management');

          // A lead that is in none of the lists.
          await page.goto(new URL(leadPath(leadId('001')), stack().siteUrl).href);
          await press(dialog(page), 'Send Email');
          await message(page).fill('Half another letter');
          await page.reload();
          await dialog(page).getByText('Your reply is not sent yet.').waitFor();
          await expectAccessibleEverywhere(page, 'a lead with a half-written reply');
          await press(dialog(page), 'Continue draft');
          expect(await message(page).inputValue()).to.equal('Half another letter');
          await page.goto(new URL(leadsPath, stack().siteUrl).href);
          await notice('priya@example.com').waitFor();
          await goOn.click();
          expect(await message(page).inputValue()).to.equal('Half another letter');
          await press(dialog(page), 'Cancel');
          await press(dialog(page), 'Discard');
          await untilClosed(page);
          expect(await goOn.count()).to.equal(0);
          await page.goto(new URL(leadPath(leadId('001')), stack().siteUrl).href);
          await dialog(page).locator('dl').first().waitFor();
          expect(await goOn.count(), 'also not on its lead').to.equal(0);
        },
        { ...withAxe, failing: ['/api/admin/session'] },
      ),
    );

    it(
      'to a deleted lead is dropped silently, while one to another lead is announced',
      onStaffPage(
        leadPath(leadId('007')),
        async ({ page }) => {
          page.on('dialog', (leaving) => void leaving.accept());
          const drafts = () =>
            page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')));
          await storeLeads(stack().database, [{ ...contactMessage, id: goneId, email: 'gone@example.com' }]);
          for (const id of [goneId, leadId('007')]) {
            await page.goto(new URL(leadPath(id), stack().siteUrl).href);
            await press(dialog(page), 'Send Email');
            await message(page).fill('Half a letter');
          }
          expect(await drafts()).to.have.length(2);
          const isDraftOfReply = (key: string) => key.includes(':reply:');
          await stack().database('leads').where({ id: goneId }).delete();
          await page.goto(new URL(leadsPath, stack().siteUrl).href);
          await page.getByText('Your reply to Noura al-Harbi is not sent yet.').waitFor();
          await press(page, 'Continue draft');
          await press(dialog(page), 'Send');
          await untilClosed(page);
          await until('both are forgotten', async () => !(await drafts()).some(isDraftOfReply));
          expect(await page.getByText('is not sent yet').count()).to.equal(0);
        },
        { failing: [`/api/admin/leads/${goneId}`] },
      ),
    );

    it(
      'that is simulated says so, opens in the mail program, and marks the lead as answered',
      onStaffPage(
        leadPath(openId),
        async ({ page }) => {
          await press(dialog(page), 'Send Email');
          await message(page).fill('Yes & no');
          await dialog(page).getByText('Simulation: no email is sent.', { exact: true }).waitFor();
          const href = await dialog(page).getByRole('link', { name: 'Open in my mail program' }).getAttribute('href');
          expect(href).to.match(/^mailto:noura@example\.com\?subject=Re%3A%20.*&body=Yes%20%26%20no$/);
          await expectAccessibleEverywhere(page, 'a simulated reply', { part: '[role="dialog"]' });
          await press(dialog(page), 'Mark as answered');
          await dialog(page).getByText('Marked as answered.').waitFor();
          await press(dialog(page), 'Send');
          await untilToast(page, 'Email sent to noura@example.com successfully.');
          await dialog(page).getByRole('button', { name: 'Not answered yet' }).waitFor();
          await press(dialog(page), 'Send Email');
          expect(await message(page).inputValue(), 'the draft').to.equal('Yes & no');
        },
        {
          ...withAxe,
          prepare: () => storeLeads(stack().database, [{ ...contactMessage, id: openId }]),
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
      'requires a subject and a message, and Enter in the subject moves to the message',
      onStaffPage(
        leadsPath,
        async ({ page }) => {
          await press(page, 'Email Noura al-Harbi');
          const subject = dialog(page).getByLabel('Subject');
          await subject.press('Enter');
          expect(await focusedField(page)).to.equal('text');
          await expectOpen(page);
          await subject.fill('');
          await message(page).fill(' \n ');
          await press(dialog(page), 'Send');
          for (const fault of ['Subject is required', 'Message is required']) {
            await dialog(page).getByText(fault, { exact: true }).waitFor();
          }
          expect(await focusedField(page)).to.equal('subject');
          expect(await toasts(page).innerText()).to.equal('');
          await expectAccessibleEverywhere(page, 'the faults');
          await press(dialog(page), 'Cancel');
          await question(page).waitFor();
          await expectAccessibleEverywhere(page, 'the question');
          await press(dialog(page), 'Keep editing');
          await subject.fill('Your films');
          await message(page).fill('Dear Noura');
          await press(dialog(page), 'Send');
          await toasts(page).getByText('Email sent to noura@example.com successfully.').waitFor();
        },
        withAxe,
      ),
    );
  });

  describe('the toast for a very long address', () => {
    const address = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}museum`;
    before(() => storeLeads(stack().database, [{ ...contactMessage, email: address, createdAt: at('13:00:00.000') }]));
    after(() => stack().database('leads').where({ email: address }).delete());

    for (const width of [1440, 390]) {
      it(
        `and its button fit a window of ${width} px`,
        onStaffPage(
          leadsPath,
          async ({ page }) => {
            await rows(page)
              .first()
              .getByRole('button', { name: /^Email/ })
              .click();
            await press(dialog(page), 'Send');
            await untilToast(page, `Email sent to ${address} successfully.`);
            await expectWithinWindow(page);
            const card = toasts(page).locator('[data-tone]');
            expect(await card.evaluate((element) => element.scrollWidth - element.clientWidth)).to.equal(0);
            await toasts(page).getByRole('button', { name: 'Dismiss notification' }).click();
            await toasts(page).getByText('Email Sent', { exact: true }).waitFor({ state: 'detached' });
          },
          { width },
        ),
      );
    }
  });
});
