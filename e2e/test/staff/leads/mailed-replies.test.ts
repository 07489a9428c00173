import { randomUUID } from 'node:crypto';
import { recipeStore } from '@dune-tide/db/recipes';
import { brand } from '@dune-tide/domain/brand';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { withAxe } from '../../../src/browser/accessibility.ts';
import { ownAddress, stack } from '../../../src/browser/browser-suite.ts';
import { leadPath } from '../../../src/browser/leads-page.ts';
import { example } from '../../../src/browser/recipes-page.ts';
import { dialog, expectAccessibleInBoth, onStaffPage, press, toasts, untilToast } from '../../../src/browser/staff.ts';

describe('Replies that are sent', () => {
  const title = `Kickoff ${randomUUID()}`;
  let api: Awaited<ReturnType<ReturnType<typeof stack>['startApi']>>;
  before(async () => {
    api = await stack().startApi({ STAFF_REPLIES: 'mail' });
    await recipeStore(stack().database).add(randomUUID(), {
      ...example,
      title,
      category: 'client-management',
      difficulty: 'easy',
      instructions: 'Dear {firstName}, about {service} for {company}: let us talk.',
    });
  });
  after(async () => {
    await stack().database('recipes').where({ title }).delete();
    await api.stop();
  });

  const message = (page: Page) => dialog(page).getByLabel('Message');
  const history = (page: Page) => dialog(page).getByRole('region', { name: 'History' });
  const text = 'Hello Noura,\n\nyes, we can: ten films in May.';

  /** A lead of one test. */
  interface OwnLead {
    readonly id: string;
    readonly email: string;
    readonly path: string;
  }

  /** Opens a new lead on the API that sends replies. */
  const onOwnLead = (test: (page: Page, lead: OwnLead) => Promise<void>) =>
    async function run(this: Mocha.Context): Promise<void> {
      const [id, email] = [randomUUID(), ownAddress()];
      await storeLeads(stack().database, [{ ...contactMessage, id, email }]);
      try {
        const path = new URL(leadPath(id), api.siteUrl).href;
        // An own clock has an own profile: the shared tab keeps the storage of this address.
        const options = { ...withAxe, hasOwnClock: true };
        await onStaffPage(path, ({ page }) => test(page, { id, email, path }), options).call(this);
      } finally {
        await stack().database('leads').where({ id }).delete();
      }
    };

  const repliesTo = ({ id }: OwnLead) =>
    stack().database('follow_ups').where({ lead_id: id, kind: 'reply' }).orderBy('created_at').pluck('state');
  const change = ({ id }: OwnLead, values: Record<string, unknown>) =>
    stack().database('follow_ups').where({ lead_id: id, kind: 'reply', state: 'pending' }).update(values);

  /**
   * Sends the open reply. The worker gets it only when `letGo` is called, and the page looks for its state as long as
   * the test takes: both follow the times of the row.
   */
  async function send(page: Page, lead: OwnLead): Promise<void> {
    const { length } = await repliesTo(lead);
    await press(dialog(page), 'Send');
    await until('the reply is stored', async () => (await repliesTo(lead)).length > length);
    const later = stack().database.raw(`now() + interval '1 hour'`);
    await change(lead, { available_at: later, sweep_at: later, updated_at: later });
    await untilToast(page, `Sending email to ${lead.email}`);
  }
  const letGo = (lead: OwnLead) => {
    const now = stack().database.fn.now();
    return change(lead, { available_at: now, sweep_at: now });
  };

  it(
    'can be undone by the toast after a reload, or in the history of another tab',
    onOwnLead(async (page, lead) => {
      await press(dialog(page), 'Send Email');
      await message(page).fill(text);
      await send(page, lead);
      await page.reload();
      await untilToast(page, `Sending email to ${lead.email}`);
      await press(toasts(page), 'Undo');
      await untilToast(page, 'The email is not sent.');
      expect(await message(page).inputValue()).to.equal(text);

      await send(page, lead);
      await history(page).getByText('Waiting').waitFor();
      const other = await page.context().newPage();
      await other.goto(lead.path);
      await history(other).getByText('Waiting').waitFor();
      await press(history(other), 'Undo');
      await untilToast(other, 'The email is not sent.');
      expect(await message(other).inputValue()).to.equal(text);
      await until(
        'both are withdrawn here',
        async () => (await history(page).getByText('It was not sent').count()) === 2,
      );
      expect(await history(page).getByRole('button', { name: 'Undo' }).count()).to.equal(0);
      expect(await repliesTo(lead)).to.deep.equal(['cancelled', 'cancelled']);
      expect(await stack().mailsTo(lead.email)).to.deep.equal([]);
    }),
  );

  it(
    'may have a recipe, arrive, and answer the open lead; a failed one is sent again',
    onOwnLead(async (page, lead) => {
      await press(dialog(page), 'Send Email');
      await message(page).fill('');
      await press(dialog(page), 'Insert recipe');
      await dialog(page).getByRole('combobox').fill('kickoff');
      await dialog(page).getByRole('option', { name: title }).waitFor();
      await expectAccessibleInBoth(page, 'the recipes');
      await page.keyboard.press('Enter');
      const filled = 'Dear Noura, about Lead Generation Systems for {company}: let us talk.';
      await until('the recipe', async () => (await message(page).inputValue()) === filled);
      await press(dialog(page), 'Send');
      await dialog(page).getByText('The text still has {company}. Send it anyway?').waitFor();
      await expectAccessibleInBoth(page, 'the question');
      await press(dialog(page), 'Keep editing');
      await message(page).fill(text);
      await send(page, lead);
      await change(lead, { state: 'failed', attempts: 1, server_answer: '550 5.1.1 No such user' });
      await history(page).getByText('This address does not exist. 550 5.1.1 No such user').waitFor();
      await expectAccessibleInBoth(page, 'a failed reply');
      await press(history(page), 'Edit and send again');
      expect(await message(page).inputValue()).to.equal(text);
      await send(page, lead);
      expect(await repliesTo(lead)).to.deep.equal(['cancelled', 'pending']);

      await letGo(lead);
      const mail = await stack().mailTo(lead.email);
      expect(mail.subject).to.equal(`Re: Lead Generation Systems - ${brand.name}`);
      expect((await stack().textOf(mail)).replaceAll('\r\n', '\n').startsWith(`${text}\n\nOn `)).to.equal(true);
      // Not the entry of a withdrawn reply, "It was not sent".
      await history(page)
        .getByText(/wrote a reply to .*: Sent /)
        .waitFor();
      // The change applies to the version with the answer.
      await press(dialog(page), 'Not answered yet');
      await dialog(page).getByRole('button', { name: 'Mark as answered' }).waitFor();
    }),
  );
});
