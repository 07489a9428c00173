import { randomUUID } from 'node:crypto';
import { recipeStore } from '@dune-tide/db/recipes';
import { brand } from '@dune-tide/domain/brand';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, expectAccessibleEverywhere, withAxe } from '../../../src/browser/accessibility.ts';
import { pauseClock, untilStep, type VisitOptions } from '../../../src/browser/browser.ts';
import { ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { callsOf, leadPath } from '../../../src/browser/leads-page.ts';
import { example } from '../../../src/browser/recipes-page.ts';
import { dialog, focusedField, onStaffPage, press, toasts, untilToast } from '../../../src/browser/staff.ts';

describe('Replies that are sent', () => {
  let api: Awaited<ReturnType<ReturnType<typeof stack>['startApi']>>;
  before(async () => {
    api = await stack().startApi({ STAFF_REPLIES: 'mail' });
  });
  after(() => api.stop());

  const message = (page: Page) => dialog(page).getByLabel('Message');
  const history = (page: Page) => dialog(page).getByRole('region', { name: 'History' });
  /** Matches the reply with the state "Sent", and not the entry of a withdrawn reply, "It was not sent". */
  const sentReply = /wrote a reply to .*: Sent /;
  const text = 'Hello Noura,\n\nyes, we can: ten films in May.';

  /** A lead of one test. */
  interface OwnLead {
    readonly id: string;
    readonly email: string;
    readonly path: string;
  }

  /** Opens a new lead on the API that sends replies. The page has its own clock, which the test may stop. */
  const onOwnLead = (test: (page: Page, lead: OwnLead) => Promise<void>, options: VisitOptions = {}) =>
    async function run(this: Mocha.Context): Promise<void> {
      const [id, email] = [randomUUID(), ownAddress()];
      await storeLeads(stack().database, [{ ...contactMessage, id, email }]);
      try {
        const path = new URL(leadPath(id), api.siteUrl).href;
        // A reply gets 412 if the page has not heard yet that an earlier one changed the lead, and is sent again.
        const failing = [`/api/admin/leads/${id}/replies`];
        const visit = onStaffPage(path, ({ page }) => test(page, { id, email, path }), {
          hasOwnClock: true,
          failing,
          ...options,
        });
        await visit.call(this);
      } finally {
        await stack().database('leads').where({ id }).delete();
      }
    };

  const repliesTo = ({ id }: OwnLead) =>
    stack()
      .database('follow_ups')
      .where({ lead_id: id, kind: 'reply' })
      .orderBy('created_at')
      .select<{ id: string; state: string; recipient: string }[]>('id', 'state', 'recipient');
  const change = ({ id }: OwnLead, values: Record<string, unknown>) =>
    stack().database('follow_ups').where({ lead_id: id, kind: 'reply', state: 'pending' }).update(values);

  /** Writes a reply and sends it. The worker gets it only when `letGo` is called, however slow the machine is. */
  async function write(page: Page, lead: OwnLead, words = text, sendIt = () => press(dialog(page), 'Send')) {
    const { length } = await repliesTo(lead);
    if ((await message(page).count()) === 0) await press(dialog(page), 'Send Email');
    await message(page).fill(words);
    await sendIt();
    await until('the reply is stored', async () => (await repliesTo(lead)).length > length);
    const later = stack().database.raw(`now() + interval '1 hour'`);
    await change(lead, { available_at: later, sweep_at: later });
  }
  async function send(page: Page, lead: OwnLead, words = text): Promise<void> {
    await write(page, lead, words);
    await untilToast(page, `Sending email to ${lead.email}`);
  }
  const letGo = (lead: OwnLead) => {
    const now = stack().database.fn.now();
    return change(lead, { available_at: now, sweep_at: now });
  };

  it(
    'can be undone by the toast, also after a reload, and the text comes back',
    onOwnLead(
      async (page, lead) => {
        await press(dialog(page), 'Send Email');
        expect(await focusedField(page)).to.equal('text');
        const caret = await message(page).evaluate((field: HTMLTextAreaElement) =>
          field.value.slice(0, field.selectionStart),
        );
        expect(caret).to.equal('Hello Noura,\n\n');
        await dialog(page).getByRole('region', { name: 'What they wrote' }).getByText('We look for leads').waitFor();
        await pauseClock(page);
        const toast = (words: string) =>
          untilStep(page, words, async () => (await toasts(page).getByText(words, { exact: true }).count()) > 0);
        for (const reload of [undefined, () => page.reload()]) {
          await write(page, lead, text, () => page.keyboard.press('Control+Enter'));
          await toast(`Sending email to ${lead.email}`);
          await reload?.();
          await toast(`Sending email to ${lead.email}`);
          await press(toasts(page), 'Undo');
          await toast('The email is not sent.');
          expect(await message(page).inputValue()).to.equal(text);
        }
        expect((await repliesTo(lead)).map(({ state }) => state)).to.deep.equal(['cancelled', 'cancelled']);

        await write(page, lead);
        await toast(`Sending email to ${lead.email}`);
        await page.clock.runFor(11_000);
        await toasts(page).getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
        await page.clock.resume();
        await send(page, lead);
        await expectAccessible(page, 'a reply that can be undone');
        expect(await stack().mailsTo(lead.email)).to.deep.equal([]);
      },
      { ...withAxe },
    ),
  );

  it(
    'can be undone in the history of another tab',
    onOwnLead(async (page, lead) => {
      await send(page, lead);
      const other = await page.context().newPage();
      await other.goto(lead.path);
      await history(other).getByText('Waiting').waitFor();
      await press(history(other), 'Undo');
      await untilToast(other, 'The email is not sent.');
      expect(await message(other).inputValue()).to.equal(text);
      await history(page).getByText('It was not sent').waitFor();
      expect(await history(page).getByRole('button', { name: 'Undo' }).count()).to.equal(0);
      expect((await repliesTo(lead)).map(({ state }) => state)).to.deep.equal(['cancelled']);
      await letGo(lead);
      expect(await stack().mailsTo(lead.email)).to.deep.equal([]);
    }),
  );

  it(
    'are looked up for two minutes, so that the session of an unattended page can end',
    onOwnLead(async (page, lead) => {
      await send(page, lead);
      await history(page).getByText('Waiting').waitFor();
      const calls = callsOf(page);
      await until('the history is loaded again', () => calls.length > 0);
      await page.clock.pauseAt(Date.now() + 120_000);
      await until('the history is not loaded any more', async () => {
        const { length } = calls;
        await page.clock.runFor(10_000);
        // Its request comes after those of the page.
        await page.evaluate(() => fetch('/api/admin/session'));
        return calls.length === length && (await history(page).getAttribute('aria-busy')) === 'false';
      });
      await history(page).getByText('Waiting').waitFor();
    }),
  );

  it(
    'arrive, and the open lead is answered',
    onOwnLead(async (page, lead) => {
      await send(page, lead);
      await letGo(lead);
      const mail = await stack().mailTo(lead.email);
      expect(mail.subject).to.equal(`Re: Lead Generation Systems - ${brand.name}`);
      expect((await stack().textOf(mail)).replaceAll('\r\n', '\n').startsWith(`${text}\n\nOn `)).to.equal(true);
      await history(page).getByText(sentReply).waitFor();
      await dialog(page).getByRole('button', { name: 'Not answered yet' }).waitFor();
      // The change applies to the version with the answer.
      await press(dialog(page), 'Not answered yet');
      await dialog(page).getByRole('button', { name: 'Mark as answered' }).waitFor();
    }),
  );

  it(
    'that failed are edited and sent again, retried, or sent to a corrected address',
    onOwnLead(
      async (page, lead) => {
        const fail = () => change(lead, { state: 'failed', attempts: 1, server_answer: '550 5.1.1 No such user' });
        await send(page, lead);
        await fail();
        await history(page).getByText('This address does not exist. 550 5.1.1 No such user').waitFor();
        await expectAccessibleEverywhere(page, 'a failed reply', { part: '[role="dialog"]' });
        await press(history(page), 'Edit and send again');
        expect(await message(page).inputValue()).to.equal(text);
        await send(page, lead, 'Hello Noura,\n\nagain.');
        expect((await repliesTo(lead)).map(({ state }) => state)).to.deep.equal(['cancelled', 'pending']);

        await fail();
        await press(history(page), 'Retry');
        await untilToast(page, `The email to ${lead.email} will be retried.`);
        expect(await stack().textOf(await stack().mailTo(lead.email))).to.match(/^Hello Noura,\s+again\./);
        await history(page).getByText(sentReply).waitFor();

        await send(page, lead, 'Hello Noura,\n\none more thing.');
        await fail();
        await press(history(page), 'Correct the address');
        const corrected = ownAddress();
        const form = page.getByRole('dialog', { name: 'Correct the address' });
        await form.getByLabel('Email address').fill(corrected);
        await form.getByLabel('Also change the address of the lead').check();
        await expectAccessibleEverywhere(page, 'a corrected address', { part: '[role="dialog"]' });
        await press(form, 'Save and Send');
        await untilToast(page, `The email will be sent to ${corrected}.`);
        expect(await stack().textOf(await stack().mailTo(corrected))).to.match(/^Hello Noura,\s+one more thing\./);
        await history(page).getByText(`to ${corrected}, and that of the lead`).waitFor();
        await dialog(page).getByRole('link', { name: corrected, exact: true }).waitFor();
      },
      { ...withAxe },
    ),
  );

  describe('and have a recipe', () => {
    const title = `Kickoff ${randomUUID()}`;
    before(() =>
      recipeStore(stack().database).add(randomUUID(), {
        ...example,
        title,
        category: 'client-management',
        difficulty: 'easy',
        instructions: 'Dear {firstName}, about {service} for {company}: let us talk. {myName}',
        tags: ['kickoff'],
      }),
    );
    after(() => stack().database('recipes').where({ title }).delete());

    it(
      'ask about a placeholder without a value before they are sent',
      onOwnLead(
        async (page, lead) => {
          await press(dialog(page), 'Send Email');
          await message(page).fill('');
          await press(dialog(page), 'Insert recipe');
          await dialog(page).getByRole('searchbox').fill('kickoff');
          await dialog(page).getByRole('button', { name: title }).waitFor();
          await expectAccessibleEverywhere(page, 'the recipes', { part: '[role="dialog"]' });
          await press(dialog(page), title);
          await until('the recipe', async () =>
            (await message(page).inputValue()).startsWith(
              'Dear Noura, about Lead Generation Systems for {company}: let us talk. ',
            ),
          );
          await press(dialog(page), 'Send');
          await dialog(page).getByText('The text still has {company}. Send it anyway?').waitFor();
          await expectAccessibleEverywhere(page, 'the question', { part: '[role="dialog"]' });
          expect(await repliesTo(lead)).to.deep.equal([]);
          await press(dialog(page), 'Send anyway');
          await untilToast(page, `Sending email to ${lead.email}`);
          expect(await repliesTo(lead)).to.have.length(1);
        },
        { ...withAxe },
      ),
    );
  });
});
