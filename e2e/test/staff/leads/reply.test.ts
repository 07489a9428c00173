import { brand } from '@dune-tide/domain/brand';
import { expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
import { stack } from '../../../src/browser/browser-suite.ts';
import { contactMessage, deleteLeads, storeLeads } from '@dune-tide/testkit/leads';
import {
  at,
  callsOf,
  leadId,
  leadPath,
  leadsPath,
  listCalls,
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
  untilToast,
} from '../../../src/browser/staff.ts';
import { expectWithinWindow } from '../../../src/browser/toasts.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

/** Of a lead that is deleted. */
const goneId = leadId('010');

describe('The leads page with a few leads', () => {
  before(storeFewLeads);
  after(() => deleteLeads(stack().database));

  it(
    'is told by a toast that stays where it is when a dialog opens',
    onStaffPage(leadsPath, async ({ page }) => {
      await press(page, 'Email Noura al-Harbi');
      await press(dialog(page), 'Send');
      await untilClosed(page);
      const left = () =>
        toasts(page)
          .locator('[data-tone]')
          .evaluate((card) => card.getBoundingClientRect().left);
      await until('the toast stands', async () => (await left()) === (await left()));
      const before = await left();
      await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
      await dialog(page).locator('dl').first().waitFor();
      expect(await left()).to.equal(before);
    }),
  );

  it(
    'goes on being written while the lists are read anew and its lead is in none of them yet',
    onStaffPage(leadsPath, async ({ page }) => {
      await rows(page).first().waitFor();
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      for (const call of listCalls) {
        await page.route(`**${call}`, async (route) => {
          await held;
          await route.fulfill({ json: [], headers: { 'X-Total-Count': '0' } });
        });
      }
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
      'Thabo Nkosi': ['thabo@example.com', `Re: Video Testimonials - ${brand.name}`, 'Hello Thabo Nkosi,'],
      'Zoë Botha': ['zoe@example.com', `Re: Other / General Application - ${brand.name}`, 'Hello Zoë,'],
    } as const;

    it(
      'begins with a subject and a greeting for each kind, and closes by all its ways',
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
        expect(calls).to.deep.equal([]);
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
        (page: Page) => dialog(page).locator('dl').waitFor(),
      ],
    ] as const) {
      it(
        `${place} is given up only by those who say so`,
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
            expect(await focusedField(page), `the focus after ${way}`).to.be.oneOf(['subject', 'body']);
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
      'is kept by whoever presses Cancel twice',
      onStaffPage(leadPath(leadId('007')), async ({ page }) => {
        await press(dialog(page), 'Send Email');
        await message(page).fill('Half a letter');
        await dialog(page).getByRole('button', { name: 'Cancel' }).dblclick();
        expect(await message(page).inputValue()).to.equal('Half a letter');
        await expectOpen(page);
      }),
    );

    it(
      'is asked about by the browser when the page is left, and only when there is one',
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
      'is asked about when Escape follows the last key at once',
      onStaffPage(leadPath(leadId('007')), async ({ page }) => {
        await press(dialog(page), 'Send Email');
        await message(page).evaluate(async (field: HTMLTextAreaElement) => {
          // Past the setter of React, which takes only what the browser has put there for a change.
          Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'Half a letter');
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
          await Promise.resolve();
          field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
        });
        await question(page).waitFor();
      }),
    );

    it(
      'is still there after the session has ended, for its lead only, until it is sent',
      onStaffPage(
        leadPath(leadId('007')),
        async ({ page, account }) => {
          page.on('dialog', (leaving) => void leaving.accept());
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
          expect(await message(page).inputValue()).to.match(/^Hello Noura,/);
        },
        { failing: ['/api/admin/session'] },
      ),
    );

    it(
      'that is half written is announced after signing in again until it is sent or discarded',
      onStaffPage(
        leadsPath,
        async ({ page, account }) => {
          page.on('dialog', (leaving) => void leaving.accept());
          const goOn = page.getByRole('button', { name: 'Go on writing' });
          const notice = (name: string) => page.getByText(`Your reply to ${name} is not sent yet.`);
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
          await until('the focus on the heading', async () => (await focused(page)) === 'CRM & Lead Management');

          // In none of the lists.
          await page.goto(new URL(leadPath(leadId('001')), stack().siteUrl).href);
          await press(dialog(page), 'Send Email');
          await message(page).fill('Half another letter');
          await page.reload();
          await dialog(page).getByText('Your reply is not sent yet.').waitFor();
          await expectAccessibleEverywhere(page, 'a lead with a half-written reply');
          await press(dialog(page), 'Go on writing');
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
          await dialog(page).locator('dl').waitFor();
          expect(await goOn.count(), 'nor on its lead').to.equal(0);
        },
        { ...withAxe, failing: ['/api/admin/session'] },
      ),
    ).timeout(90_000);

    it(
      'to a lead that is no longer there is forgotten without a word, and one to another is said',
      onStaffPage(
        leadPath(leadId('007')),
        async ({ page }) => {
          page.on('dialog', (leaving) => void leaving.accept());
          const begun = () =>
            page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')));
          await storeLeads(stack().database, [{ ...contactMessage, id: goneId, email: 'gone@example.com' }]);
          for (const id of [goneId, leadId('007')]) {
            await page.goto(new URL(leadPath(id), stack().siteUrl).href);
            await press(dialog(page), 'Send Email');
            await message(page).fill('Half a letter');
          }
          expect(await begun()).to.have.length(2);
          await stack().database('leads').where({ id: goneId }).delete();
          await page.goto(new URL(leadsPath, stack().siteUrl).href);
          await page.getByText('Your reply to Noura al-Harbi is not sent yet.').waitFor();
          await press(page, 'Go on writing');
          await press(dialog(page), 'Send');
          await untilClosed(page);
          await until('both are forgotten', async () => (await begun()).length === 0);
          expect(await page.getByText('is not sent yet').count()).to.equal(0);
        },
        { failing: [`/api/admin/leads/${goneId}`] },
      ),
    );

    it(
      'needs a subject and a message, and Enter in the subject goes on to the message',
      onStaffPage(
        leadsPath,
        async ({ page }) => {
          await press(page, 'Email Noura al-Harbi');
          const subject = dialog(page).getByLabel('Subject');
          await subject.press('Enter');
          expect(await focusedField(page)).to.equal('body');
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
    ).timeout(90_000);
  });

  describe('the toast for the longest of addresses', () => {
    const address = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}museum`;
    before(() => storeLeads(stack().database, [{ ...contactMessage, email: address, createdAt: at('13:00:00.000') }]));
    after(() => stack().database('leads').where({ email: address }).delete());

    for (const width of [1440, 390]) {
      it(
        `keeps it and its button in a window of ${width} px`,
        onStaffPage(
          leadsPath,
          async ({ page }) => {
            await rows(page).first().getByRole('button').click();
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
