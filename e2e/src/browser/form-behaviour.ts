import { expectAccessible, withAxe } from './accessibility.ts';
import { routeOnce } from './browser.ts';
import { onPage, stack, withPage } from './browser-suite.ts';
import { fine, type FormPage } from './form-page.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page, Route } from 'playwright-core';

/** A form and what specification §4, §5 and §8 say of it. */
export interface ExpectedForm<Field extends string> {
  readonly path: string;
  readonly api: string;
  readonly open: (page: Page) => FormPage<Field>;
  readonly label: string;
  readonly pendingLabel: string;
  readonly sent: { readonly title?: string; readonly text: string };
  readonly failed: string;
  /** The message of its email field's rule. */
  readonly emailMessage: string;
  /** Values that may be sent; each call with an email address of its own. */
  readonly example: () => Record<Field, string>;
}

const failAfterStoring = async (route: Route): Promise<void> => {
  await route.fetch();
  await route.abort('connectionreset');
};

const refuseForMinutes = (route: Route): Promise<void> =>
  route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, json: { title: 'Too Many Requests' } });

/** Waits for a toast, and keeps it: one that is pointed at stays. */
const holdToast = (toasts: Locator, text: string): Promise<void> => toasts.getByText(text, { exact: true }).hover();

interface Failure {
  readonly name: string;
  readonly answer: (route: Route) => Promise<void>;
}

/** In the order of the tries; with the last one the lead is stored. */
const failures: readonly Failure[] = [
  { name: '500', answer: (route) => route.fulfill({ status: 500, json: { title: 'Internal Server Error' } }) },
  { name: '429', answer: refuseForMinutes },
  {
    name: '503 as a web page',
    answer: (route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Service Unavailable</h1>' }),
  },
  { name: 'no connection', answer: (route) => route.abort('internetdisconnected') },
  { name: 'an answer that is lost', answer: failAfterStoring },
];

/** A form that is filled in, and what it has to keep. */
export interface FilledForm {
  readonly page: Page;
  readonly sendButton: Locator;
  readonly toasts: Locator;
  readonly expectKept: () => Promise<void>;
}

/**
 * Tests of a form that meets each failure in turn, on one page. The try after them succeeds.
 * @param form - gives it while tests run
 * @returns the `Idempotency-Key` of every try, of those to come as well
 */
export function describeFailures(api: string, failed: string, form: () => FilledForm): readonly (string | null)[] {
  const keys: (string | null)[] = [];

  before(() =>
    form().page.route(`**${api}`, async (route) => {
      const failure = failures[keys.length];
      keys.push(await route.request().headerValue('Idempotency-Key'));
      await (failure ? failure.answer(route) : route.continue());
    }),
  );

  for (const [index, { name, answer }] of failures.entries()) {
    const isRefused = answer === refuseForMinutes;

    it(`by ${name} has a toast and keeps everything`, async () => {
      const { toasts, sendButton, expectKept } = form();
      await sendButton.click();
      await toasts.getByText('Error', { exact: true }).waitFor();
      await holdToast(toasts, failed);
      await expectKept();
      expect(keys).to.have.length(index + 1);
    });

    it(isRefused ? `by ${name} has when to try again beside its button` : `by ${name} has no hint`, async () => {
      const hint = await formOf(form()).getByRole('alert').innerText();
      expect(hint).to.match(
        isRefused ? /^Too many messages from your network\. Please try again in 10 minutes, at \d\d:\d\d\.$/ : /^$/,
      );
    });

    it(`by ${name} ${isRefused ? 'has no other trace' : 'has a trace that stays when the toast has gone'}`, async () => {
      const { toasts } = form();
      const trace = formOf(form()).getByText(failed, { exact: true });
      await toasts.getByRole('button', { name: 'Dismiss notification' }).click();
      await toasts.getByText(failed, { exact: true }).waitFor({ state: 'detached' });
      expect(await trace.count()).to.equal(isRefused ? 0 : 1);
      expect(await trace.locator('xpath=ancestor::*[@role="alert" or @aria-live]').count(), 'said once').to.equal(0);
    });
  }

  return keys;
}

const formOf = ({ sendButton }: FilledForm): Locator => sendButton.locator('xpath=ancestor::form');

/** Tries to change every field by keys or, where that is how, by choosing; the focus stays wherever it is put. */
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
    // In a selection a letter and an arrow go to other entries.
    await page.keyboard.press('ArrowUp');
    if (!isGroup) await page.keyboard.type('A1');
    const hasFocus = isGroup ? field(name).locator(':focus') : field(name).and(page.locator(':focus'));
    expect(await hasFocus.count(), `the focus on ${name}`).to.equal(1);
  }
}

/** The tests that every public form passes: sending, success, failure. */
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

    it(`has a disabled button that says ${pendingLabel}`, async () => {
      const { sendButton, fill } = form();
      const held = new Promise<Route>((resolve) => void visit().page.route(`**${api}`, resolve));
      expect(await sendButton.textContent()).to.equal(label);
      await fill(values);
      await sendButton.click();
      route = await held;
      expect(await sendButton.textContent()).to.equal(pendingLabel);
      expect(await sendButton.isDisabled()).to.equal(true);
    });

    it('keeps what is sent, whatever is typed meanwhile', async () => {
      const { typed } = form();
      expect(await typed()).to.deep.equal(values);
      await changeAll(visit().page, form(), Object.keys(values) as Field[]);
      expect(await typed(), 'after all were changed').to.deep.equal(values);
    });

    it('gives axe nothing to find meanwhile', () => expectAccessible(visit().page, 'sending'));

    it('has a toast of the success', async () => {
      await route.continue();
      for (const text of sentTexts) await form().toasts.getByText(text, { exact: true }).waitFor();
      await holdToast(form().toasts, sent.text);
      expect(await stack().leadsOf(values[email])).to.have.length(1);
    });

    it('gives axe nothing to find then', () => expectAccessible(visit().page, 'sent'));

    it('is empty again, without a message', async () => {
      const { typed, sendButton, stateOf } = form();
      await form().form.getByRole('button', { name: label }).waitFor();
      expect(await sendButton.isEnabled()).to.equal(true);
      await until('an empty form', async () => Object.values(await typed()).every((value) => value === ''));
      for (const name of Object.keys(values) as Field[]) expect((await stateOf(name)).isInvalid, name).to.equal(false);
    });

    it('has a note of the success that stays when the toast has gone', async () => {
      const { toasts } = form();
      await toasts.getByRole('button', { name: 'Dismiss notification' }).click();
      await toasts.getByText(sent.text, { exact: true }).waitFor({ state: 'detached' });
      expect((await note().innerText()).trim()).to.equal(sentTexts.join(' '));
      expect(await note().locator('xpath=ancestor::*[@role="alert" or @aria-live]').count(), 'said once').to.equal(0);
    });

    it('has that note until it is changed, even if the change is taken back', async () => {
      await form().put(email, values[email]);
      expect(await note().count(), 'after a change').to.equal(0);
      await form().put(email, '');
      expect(await note().count(), 'after the change was taken back').to.equal(0);
    });
  });

  it(
    'that is changed after its answer was lost, is stored as it was and as it is',
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

    describe('by 422', () => {
      before(async () => {
        // As a page would send it that is older than the rules.
        await routeOnce(visit().page, `**${api}`, (route) => {
          const body = route.request().postDataJSON() as Record<string, unknown>;
          return route.continue({ postData: JSON.stringify({ ...body, email: 'noura@example' }) });
        });
        await form().fill(refused);
        await form().sendButton.click();
        await holdToast(form().toasts, failed);
      });

      it('has the API’s own words beside the field, which has the focus', async () => {
        expect(await form().stateOf(email)).to.deep.equal({ message: emailMessage, isInvalid: true });
        await until('the focus is on the faulty field', () =>
          visit().page.evaluate(() => document.activeElement?.getAttribute('name') === 'email'),
        );
      });

      it('keeps everything', async () => {
        expect(await form().typed()).to.deep.equal(refused);
        expect(await stack().leadsOf(refused[email])).to.have.length(0);
      });

      it('gives axe nothing to find', () => expectAccessible(visit().page, 'refused'));

      it('has no message any more once the field is mended', async () => {
        await form().toasts.getByRole('button', { name: 'Dismiss notification' }).click();
        await form().toasts.getByText(failed, { exact: true }).waitFor({ state: 'detached' });
        await form().put(email, values[email]);
        expect(await form().stateOf(email)).to.deep.equal(fine);
      });
    });

    describe('for other reasons', () => {
      const keys = describeFailures(api, failed, () => ({
        page: visit().page,
        ...form(),
        async expectKept() {
          expect(await form().typed()).to.deep.equal(values);
          expect(await form().sendButton.textContent()).to.equal(label);
        },
      }));

      it('makes one lead with the next try, known as the same form', async () => {
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
