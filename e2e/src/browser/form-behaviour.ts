import { expectAccessible, withAxe } from './accessibility.ts';
import { routeOnce } from './browser.ts';
import { onPage, stack } from './browser-suite.ts';
import { fine, type FormPage } from './form-page.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Locator, Page, Route } from 'playwright-core';

/** A rule of specification §5 at its boundary: the longest that is refused and the shortest that is taken. */
export interface BoundaryRule<Field extends string> {
  readonly name: Field;
  readonly message: string;
  readonly refused: readonly string[];
  readonly taken: readonly string[];
}

/** A form and what specification §4, §5 and §8 say of it. */
export interface ExpectedForm<Field extends string> {
  readonly path: string;
  readonly api: string;
  readonly open: (page: Page) => FormPage<Field>;
  readonly label: string;
  readonly pendingLabel: string;
  readonly sent: { readonly title: string; readonly text: string };
  readonly failed: string;
  readonly rules: readonly BoundaryRule<Field>[];
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

/** In the order of the tries; with the last one the lead is stored. */
const failures: readonly ((route: Route) => Promise<void>)[] = [
  (route) => route.fulfill({ status: 500, json: { title: 'Internal Server Error', status: 500 } }),
  refuseForMinutes,
  (route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Service Unavailable</h1>' }),
  (route) => route.abort('internetdisconnected'),
  failAfterStoring,
];

/** What the tests below say of a form whose tries meet all `failures`. */
export const failingTries =
  'with 500, 429, 503 as a web page, for want of a connection and as its answer is lost, says so for as long as nothing is changed, keeps everything, tells after the 429 when to try again, and makes one lead with the next try';

/**
 * Sends a form that is filled in against each failure in turn, and expects its toast; the try after that succeeds.
 * @param expectKept - what stands on the page after each
 * @returns the `Idempotency-Key` of every try, of those to come as well
 */
export async function sendThroughFailures(
  page: Page,
  { api, sendButton, toasts, failed }: { api: string; sendButton: Locator; toasts: Locator; failed: string },
  expectKept: () => Promise<void>,
): Promise<readonly (string | null)[]> {
  const keys: (string | null)[] = [];
  await page.route(`**${api}`, async (route) => {
    const fail = failures[keys.length];
    keys.push(await route.request().headerValue('Idempotency-Key'));
    await (fail ? fail(route) : route.continue());
  });
  const form = sendButton.locator('xpath=ancestor::form');
  const alert = form.getByRole('alert');
  for (const [before, failure] of failures.entries()) {
    await sendButton.click();
    await toasts.getByText('Error', { exact: true }).waitFor();
    await holdToast(toasts, failed);
    expect(await alert.innerText(), `the hint after try ${before + 1}`).to.match(
      failure === refuseForMinutes
        ? /^Too many messages from your network\. Please try again in 10 minutes, at \d\d:\d\d\.$/
        : /^$/,
    );
    const trace = form.getByText(failed, { exact: true });
    expect(await trace.count(), `the trace of try ${before + 1}`).to.equal(failure === refuseForMinutes ? 0 : 1);
    await expectKept();
    expect(keys).to.have.length(before + 1);
    await toasts.getByRole('button', { name: 'Dismiss notification' }).click();
    await toasts.getByText(failed, { exact: true }).waitFor({ state: 'detached' });
    if (failure === refuseForMinutes) continue;
    expect(await trace.isVisible(), 'it stays when the toast has gone').to.equal(true);
    expect(await trace.locator('xpath=ancestor::*[@role="alert" or @aria-live]').count(), 'said once').to.equal(0);
  }
  return keys;
}

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

/** The tests that every public form passes: messages on leaving and on sending, sending, success, failure. */
export function describeFormBehaviour<Field extends string>(expected: ExpectedForm<Field>): void {
  const { path, api, open, label, pendingLabel, sent, failed, rules, example } = expected;
  const email = 'email' as Field;

  it(
    'says nothing of fields that are only passed, and each rule’s message when its field is changed and left, at the rule’s boundary',
    onPage(path, async ({ page }) => {
      const { field, put, leave, stateOf } = open(page);
      for (const { name } of rules) {
        const isGroup = (await field(name).getAttribute('role')) === 'radiogroup';
        await (isGroup ? field(name).getByRole('radio').first() : field(name)).focus();
        await leave();
        expect(await stateOf(name), `${name}, as it was`).to.deep.equal(fine);
      }
      for (const { name, message, refused, taken } of rules) {
        const isGroup = (await field(name).getAttribute('role')) === 'radiogroup';
        for (const value of refused) {
          // An option cannot be taken back, so a group is missing only on sending.
          if (isGroup && value === '') continue;
          await field(name).focus();
          if (value === '') await put(name, taken[0] ?? 'any');
          await put(name, value);
          await leave();
          expect(await stateOf(name), `${name}: ${JSON.stringify(value)}`).to.deep.equal({ message, isInvalid: true });
        }
        for (const value of taken) {
          await put(name, value);
          await leave();
          expect((await stateOf(name)).isInvalid, `${name}: ${JSON.stringify(value)}`).to.equal(false);
        }
      }
    }),
  );

  it(
    `on sending says everything that is missing, focuses the first faulty field and sends nothing; while it sends, has a disabled button that says ${pendingLabel}, and fields that keep what is sent; on success says so, until it is changed, and is empty again, without a message beside any field`,
    onPage(
      path,
      async ({ page }) => {
        const { sendButton, fill, put, typed, form, stateOf, toasts } = open(page);
        let requests = 0;
        let release: (route: Route) => void;
        const held = new Promise<Route>((resolve) => (release = resolve));
        await page.route(`**${api}`, (route) => {
          requests++;
          release(route);
        });
        expect(await sendButton.textContent()).to.equal(label);
        await sendButton.click();
        for (const { name, message, refused } of rules) {
          const isRequired = refused.includes('');
          expect((await stateOf(name)).isInvalid, name).to.equal(isRequired);
          if (isRequired) expect((await stateOf(name)).message).to.equal(message);
        }
        const first = await form.locator('[aria-invalid="true"]').first().getAttribute('name');
        expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).to.equal(first);
        expect(first).to.equal(rules[0]?.name);
        expect(requests).to.equal(0);

        const values = example();
        await fill(values);
        await sendButton.click();
        const route = await held;
        expect(await sendButton.textContent()).to.equal(pendingLabel);
        expect(await sendButton.isDisabled()).to.equal(true);
        expect(await typed()).to.deep.equal(values);
        await changeAll(page, open(page), Object.keys(values) as Field[]);
        expect(await typed(), 'after all were changed').to.deep.equal(values);
        await expectAccessible(page, 'sending');

        await route.continue();
        await toasts.getByText(sent.title, { exact: true }).waitFor();
        await toasts.getByText(sent.text, { exact: true }).waitFor();
        await expectAccessible(page, 'sent');
        await form.getByRole('button', { name: label }).waitFor();
        expect(await sendButton.isEnabled()).to.equal(true);
        await until('an empty form', async () => Object.values(await typed()).every((value) => value === ''));
        for (const { name } of rules) expect((await stateOf(name)).isInvalid, name).to.equal(false);
        expect(await stack().leadsOf(values[email])).to.have.length(1);

        const note = form.getByText(sent.text);
        await toasts.getByRole('button', { name: 'Dismiss notification' }).click();
        await toasts.getByText(sent.text, { exact: true }).waitFor({ state: 'detached' });
        expect(await note.isVisible(), 'it says so when the toast has gone').to.equal(true);
        expect((await note.innerText()).trim()).to.equal(`${sent.title} ${sent.text}`);
        expect(await note.locator('xpath=ancestor::*[@role="alert" or @aria-live]').count(), 'said once').to.equal(0);
        await put(email, values[email]);
        expect(await note.count(), 'after a change').to.equal(0);
        await put(email, '');
        expect(await note.count(), 'after the change was taken back').to.equal(0);
      },
      withAxe,
    ),
  );

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
        await toasts.getByText(sent.title, { exact: true }).waitFor();
        expect(await stack().leadsOf(values[email])).to.have.length(1);
        expect(await stack().leadsOf(`changed-${values[email]}`)).to.have.length(1);
      },
      { failing: [api] },
    ),
  );

  it(
    `that is refused with 422, shows the API’s own words beside the field and keeps everything; that fails then ${failingTries}`,
    onPage(
      path,
      async ({ page }) => {
        const { sendButton, fill, typed, put, stateOf, toasts } = open(page);
        // As a page would send it that is older than the rules.
        await routeOnce(page, `**${api}`, (route) => {
          const body = route.request().postDataJSON() as Record<string, unknown>;
          return route.continue({ postData: JSON.stringify({ ...body, email: 'noura@example' }) });
        });
        const values = example();
        await fill(values);
        await sendButton.click();
        await holdToast(toasts, failed);
        await expectAccessible(page, 'refused');
        const rule = rules.find(({ name }) => name === 'email');
        expect(await stateOf(email)).to.deep.equal({ message: rule?.message, isInvalid: true });
        expect(await typed()).to.deep.equal(values);
        await until('the focus is on the faulty field', () =>
          page.evaluate(() => document.activeElement?.getAttribute('name') === 'email'),
        );
        await toasts.getByRole('button', { name: 'Dismiss notification' }).click();
        await toasts.getByText(failed, { exact: true }).waitFor({ state: 'detached' });

        const mended = { ...values, [email]: `mended-${values[email]}` };
        await put(email, mended[email]);
        expect(await stateOf(email)).to.deep.equal(fine);
        const keys = await sendThroughFailures(page, { api, sendButton, toasts, failed }, async () => {
          expect(await typed()).to.deep.equal(mended);
          expect(await sendButton.textContent()).to.equal(label);
        });
        await sendButton.click();
        await toasts.getByText(sent.title, { exact: true }).waitFor();
        expect(new Set(keys).size, 'known as the same form').to.equal(1);
        expect(await stack().leadsOf(mended[email])).to.have.length(1);
        expect(await stack().leadsOf(values[email])).to.have.length(0);
      },
      { failing: [api], ...withAxe },
    ),
  );
}
