import { expectAccessible, withAxe } from './accessibility.ts';
import { routeOnce } from './browser.ts';
import { onPage, stack, withPage } from './browser-suite.ts';
import { fine, type FormPage } from './form-page.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page, Route } from 'playwright-core';

/** A form and its expected behaviour (docs/PRODUCT.md, "Form behaviour"). */
export interface ExpectedForm<Field extends string> {
  readonly path: string;
  readonly api: string;
  readonly open: (page: Page) => FormPage<Field>;
  readonly label: string;
  readonly pendingLabel: string;
  readonly sent: { readonly title?: string; readonly text: string };
  readonly failed: string;
  /** Message of the email field's rule. */
  readonly emailMessage: string;
  /** Returns valid values with a new email address. */
  readonly example: () => Record<Field, string>;
}

const failAfterStoring = async (route: Route): Promise<void> => {
  // A busy machine may refuse it with 503 first.
  await until('the lead is stored', async () => (await route.fetch()).ok());
  await route.abort('connectionreset');
};

const refuseForMinutes = (route: Route): Promise<void> =>
  route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, json: { title: 'Too Many Requests' } });

/** Waits for a toast and points at it, so that it does not disappear. */
const holdToast = (toasts: Locator, text: string): Promise<void> => toasts.getByText(text, { exact: true }).hover();

interface Failure {
  readonly name: string;
  readonly respond: (route: Route) => Promise<void>;
}

/** In the order of the attempts. The last one stores the lead. */
const failures: readonly Failure[] = [
  { name: '500', respond: (route) => route.fulfill({ status: 500, json: { title: 'Internal Server Error' } }) },
  { name: '429', respond: refuseForMinutes },
  {
    name: '503 with an HTML body',
    respond: (route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Service Unavailable</h1>' }),
  },
  { name: 'no connection', respond: (route) => route.abort('internetdisconnected') },
  { name: 'a lost response', respond: failAfterStoring },
];

/** A filled-in form and the values that it must keep. */
export interface FilledForm {
  readonly page: Page;
  readonly sendButton: Locator;
  readonly toasts: Locator;
  readonly expectKept: () => Promise<void>;
}

/**
 * Defines tests of a form that meets each failure in turn on one page. The attempt after them succeeds.
 * @param form - returns the form while tests run
 * @returns the `Idempotency-Key` of every attempt, including later ones
 */
export function describeFailures(api: string, failed: string, form: () => FilledForm): readonly (string | null)[] {
  const keys: (string | null)[] = [];

  before(() =>
    form().page.route(`**${api}`, async (route) => {
      const failure = failures[keys.length];
      keys.push(await route.request().headerValue('Idempotency-Key'));
      await (failure ? failure.respond(route) : route.continue());
    }),
  );

  for (const [index, { name, respond }] of failures.entries()) {
    const isRefused = respond === refuseForMinutes;

    it(`with ${name} shows a toast and keeps all values`, async () => {
      const { toasts, sendButton, expectKept } = form();
      await sendButton.click();
      await toasts.getByText('Error', { exact: true }).waitFor();
      await holdToast(toasts, failed);
      await expectKept();
      expect(keys).to.have.length(index + 1);
    });

    it(
      isRefused ? `with ${name} shows the time of the next attempt beside its button` : `with ${name} shows no hint`,
      async () => {
        const hint = await formOf(form()).getByRole('alert').innerText();
        expect(hint).to.match(
          isRefused
            ? /^Too many messages from your network\. Your answers stay in the form: send them again in 10 minutes, at \d\d:\d\d\.$/
            : /^$/,
        );
      },
    );

    it(`with ${name} ${isRefused ? 'shows no other message' : 'shows a message that stays after the toast closes'}`, async () => {
      const { toasts } = form();
      const trace = formOf(form()).getByText(failed, { exact: true });
      await toasts.getByRole('button', { name: 'Dismiss notification' }).click();
      await toasts.getByText(failed, { exact: true }).waitFor({ state: 'detached' });
      expect(await trace.count()).to.equal(isRefused ? 0 : 1);
      expect(await trace.locator('xpath=ancestor::*[@role="alert" or @aria-live]').count(), 'announced once').to.equal(
        0,
      );
    });
  }

  return keys;
}

const formOf = ({ sendButton }: FilledForm): Locator => sendButton.locator('xpath=ancestor::form');

/** Tries to change every field with the keyboard, or by choosing an option. The focus does not move by itself. */
async function changeAll<Field extends string>(
  page: Page,
  { field }: FormPage<Field>,
  names: readonly Field[],
): Promise<void> {
  for (const name of names) {
    const isGroup = (await field(name).getAttribute('role')) === 'radiogroup';
    const control = isGroup ? field(name).locator('input:not(:checked)').first() : field(name);
    if (isGroup) await control.click();
    else await control.focus();
    // In a select, letters and arrows choose other entries.
    await page.keyboard.press('ArrowUp');
    if (!isGroup) await page.keyboard.type('A1');
    const hasFocus = isGroup ? field(name).locator(':focus') : field(name).and(page.locator(':focus'));
    expect(await hasFocus.count(), `the focus on ${name}`).to.equal(1);
  }
}

/** Defines the tests that every public form passes: sending, success and failure. */
export function describeFormBehaviour<Field extends string>(expected: ExpectedForm<Field>): void {
  const { path, api, open, label, pendingLabel, sent, failed, emailMessage, example } = expected;
  const email = 'email' as Field;
  const sentTexts = [...(sent.title === undefined ? [] : [sent.title]), sent.text];

  describe('that is sent', () => {
    const visit = withPage(path, withAxe);
    const values = example();
    const form = () => open(visit().page);
    const note = () => form().form.getByText(sent.text);
    let route: Route;

    it(`disables its button and labels it "${pendingLabel}"`, async () => {
      const { sendButton, fill } = form();
      const held = new Promise<Route>((resolve) => void visit().page.route(`**${api}`, resolve));
      expect(await sendButton.textContent()).to.equal(label);
      await fill(values);
      await sendButton.click();
      route = await held;
      expect(await sendButton.textContent()).to.equal(pendingLabel);
      expect(await sendButton.isDisabled()).to.equal(true);
    });

    it('sends the original values even if keys are pressed in the meantime', async () => {
      const { typed } = form();
      expect(await typed()).to.deep.equal(values);
      await changeAll(visit().page, form(), Object.keys(values) as Field[]);
      expect(await typed(), 'after all were changed').to.deep.equal(values);
    });

    it('is accessible while sending', () => expectAccessible(visit().page, 'sending'));

    it('shows a success toast', async () => {
      await route.continue();
      for (const text of sentTexts) await form().toasts.getByText(text, { exact: true }).waitFor();
      await holdToast(form().toasts, sent.text);
      expect(await stack().leadsOf(values[email])).to.have.length(1);
    });

    it('is accessible after sending', () => expectAccessible(visit().page, 'sent'));

    it('is empty again and shows no field message', async () => {
      const { typed, sendButton, stateOf } = form();
      await form().form.getByRole('button', { name: label }).waitFor();
      expect(await sendButton.isEnabled()).to.equal(true);
      await until('an empty form', async () => Object.values(await typed()).every((value) => value === ''));
      for (const name of Object.keys(values) as Field[]) expect((await stateOf(name)).isInvalid, name).to.equal(false);
    });

    it('shows a success note that stays after the toast closes', async () => {
      const { toasts } = form();
      await toasts.getByRole('button', { name: 'Dismiss notification' }).click();
      await toasts.getByText(sent.text, { exact: true }).waitFor({ state: 'detached' });
      expect((await note().innerText()).trim()).to.equal(sentTexts.join(' '));
      expect(await note().locator('xpath=ancestor::*[@role="alert" or @aria-live]').count(), 'announced once').to.equal(
        0,
      );
    });

    it('removes that note after a change, even a reverted one', async () => {
      await form().put(email, values[email]);
      expect(await note().count(), 'after a change').to.equal(0);
      await form().put(email, '');
      expect(await note().count(), 'after the change was reverted').to.equal(0);
    });
  });

  it(
    'that changed after a lost response is stored in both versions',
    onPage(
      path,
      async ({ page }) => {
        const { sendButton, fill, put, toasts } = open(page);
        let tries = 0;
        await page.route(`**${api}`, async (route) => {
          await (++tries === 1 ? failAfterStoring(route) : route.continue());
        });
        const values = example();
        await fill(values);
        await sendButton.click();
        await toasts.getByText(failed, { exact: true }).waitFor();
        await put(email, `changed-${values[email]}`);
        await sendButton.click();
        await toasts.getByText(sentTexts[0] ?? '', { exact: true }).waitFor();
        expect(await stack().leadsOf(values[email])).to.have.length(1);
        expect(await stack().leadsOf(`changed-${values[email]}`)).to.have.length(1);
      },
      { failing: [api] },
    ),
  );

  describe('that fails', () => {
    const visit = withPage(path, { failing: [api], ...withAxe });
    const refused = example();
    const values = { ...refused, [email]: `mended-${refused[email]}` };
    const form = () => open(visit().page);

    describe('with a 422', () => {
      before(async () => {
        // A page that is older than the rules sends this.
        await routeOnce(visit().page, `**${api}`, (route) => {
          const body = route.request().postDataJSON() as Record<string, unknown>;
          return route.continue({ postData: JSON.stringify({ ...body, email: 'noura@example' }) });
        });
        await form().fill(refused);
        await form().sendButton.click();
        await holdToast(form().toasts, failed);
      });

      it('shows the message of the API beside the field and focuses it', async () => {
        expect(await form().stateOf(email)).to.deep.equal({ message: emailMessage, isInvalid: true });
        await until('the invalid field has the focus', () =>
          visit().page.evaluate(() => document.activeElement?.getAttribute('name') === 'email'),
        );
      });

      it('keeps all values', async () => {
        expect(await form().typed()).to.deep.equal(refused);
        expect(await stack().leadsOf(refused[email])).to.have.length(0);
      });

      it('is accessible with the message', () => expectAccessible(visit().page, 'refused'));

      it('removes the message after a correction', async () => {
        await form().toasts.getByRole('button', { name: 'Dismiss notification' }).click();
        await form().toasts.getByText(failed, { exact: true }).waitFor({ state: 'detached' });
        await form().put(email, values[email]);
        expect(await form().stateOf(email)).to.deep.equal(fine);
      });
    });

    describe('for another reason', () => {
      const keys = describeFailures(api, failed, () => ({
        page: visit().page,
        ...form(),
        async expectKept() {
          expect(await form().typed()).to.deep.equal(values);
          expect(await form().sendButton.textContent()).to.equal(label);
        },
      }));

      it('stores one lead on the next attempt, with the same key', async () => {
        await form().sendButton.click();
        await form()
          .toasts.getByText(sentTexts[0] ?? '', { exact: true })
          .waitFor();
        expect(new Set(keys).size).to.equal(1);
        expect(await stack().leadsOf(values[email])).to.have.length(1);
      });
    });
  });
}
