import { act, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { useState } from 'react';
import PortfolioModal from '../../src/features/portfolio-request/PortfolioModal.tsx';
import { draftKeeper } from '../../src/form/draft-storage.ts';
import {
  type Answer,
  change,
  controlOf,
  fill,
  fine,
  focus,
  formCases,
  heldAnswer,
  isGroup,
  leave as leaveField,
  open,
  portfolioCase,
  type PublicFormCase,
  serve,
  setSilently,
  stateOf,
  stored,
  submit,
  toasts,
  valuesOf,
} from './public-form-cases.tsx';

const problem =
  (status: number, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ title: 'Failed' }, { status, headers });

/** The failures that leave the next attempt to the visitor. */
const failures: Readonly<Record<string, Answer>> = {
  'a 500': problem(500),
  'a 503 with an HTML body': () => new Response('<h1>Service Unavailable</h1>', { status: 503 }),
  'a broken connection, which may have lost the response': () => {
    throw new TypeError('Failed to fetch');
  },
  'a success that is not JSON': () => new Response('<h1>Welcome to the Wi-Fi</h1>', { status: 200 }),
};

const buttonOf = (form: HTMLFormElement): HTMLButtonElement =>
  form.querySelector<HTMLButtonElement>('[type="submit"]') ?? expect.fail('no button');

const noteOf = (form: HTMLFormElement, kind: 'success' | 'error') => form.querySelector(`[data-note="${kind}"]`);

/** Sends a form and waits until its attempt has ended. */
async function send(form: HTMLFormElement, { button }: PublicFormCase): Promise<void> {
  await submit(form);
  await waitFor(() => expect(buttonOf(form).textContent).to.equal(button));
}

const untilToast = async (text: string): Promise<void> => void (await within(toasts()).findAllByText(text));

const contact = formCases.find(({ name }) => name === 'contact form') ?? expect.fail('no contact form');

for (const formCase of [...formCases, portfolioCase]) {
  const { name, api, bodyOf, example, button, pendingButton, thanks, failure, received, rules } = formCase;
  const isPortfolio = formCase === portfolioCase;
  const thanksTexts = [...(thanks.title === undefined ? [] : [thanks.title]), thanks.text];

  describe(`the ${name}`, () => {
    it('is sent once and cannot be changed while it is sent, which its button says', async () => {
      const { held, release } = heldAnswer();
      const attempts = serve(held);
      const { form } = open(formCase);
      expect(buttonOf(form).textContent).to.equal(button);
      fill(form, example);
      await submit(form);
      await waitFor(() => expect(attempts).to.have.length(1));
      expect([buttonOf(form).textContent, buttonOf(form).disabled]).to.deep.equal([pendingButton, true]);
      for (const field of Object.keys(example)) {
        const control = controlOf(form, field);
        if (control instanceof HTMLSelectElement) change(form, field, control.options[1]?.value ?? '');
        else if (isGroup(form, field)) fireEvent.click(control);
        else expect(control.readOnly, field).to.equal(true);
      }
      expect(valuesOf(form, formCase)).to.deep.equal(example);
      await submit(form);
      await release();
      await untilToast(thanks.text);
      expect(attempts.map(({ url, body }) => ({ url, body }))).to.deep.equal([{ url: api, body: bodyOf(example) }]);
    });

    for (const touched of [...(isPortfolio ? [] : Object.keys(example).slice(-1)), undefined]) {
      it(`sends values that were set without events${touched === undefined ? '' : ' after one field was changed'}`, async () => {
        const attempts = serve(stored);
        const { form } = open(formCase);
        if (touched !== undefined) change(form, touched, example[touched] ?? '');
        for (const [field, value] of Object.entries(example)) setSilently(form, field, value);
        await submit(form);
        await untilToast(thanks.text);
        expect(attempts.map(({ body }) => body)).to.deep.equal([bodyOf(example)]);
      });
    }

    it('shows its success in a toast', async () => {
      serve(stored);
      const { form } = open(formCase);
      fill(form, example);
      await submit(form);
      for (const text of thanksTexts) await untilToast(text);
    });

    if (!isPortfolio) {
      it('is empty after a success, which it repeats with the steps that follow until it is changed', async () => {
        serve(stored);
        const { form } = open(formCase);
        fill(form, example);
        await send(form, formCase);
        await waitFor(() => expect(noteOf(form, 'success')).to.not.equal(null));
        expect(Object.values(valuesOf(form, formCase)).join('')).to.equal('');
        expect(buttonOf(form).disabled).to.equal(false);
        for (const field of Object.keys(example)) expect(stateOf(form, field), field).to.deep.equal(fine);
        const note = noteOf(form, 'success');
        expect(note?.querySelector('p')?.textContent.trim()).to.equal(thanksTexts.join(' '));
        expect(note?.closest('[role="alert"], [aria-live]'), 'announced once').to.equal(null);
        expect([...(note?.querySelectorAll('dd') ?? [])].map(({ textContent }) => textContent)).to.deep.equal(received);
        expect(note?.querySelectorAll('li')).to.have.length(3);
        change(form, 'email', 'other@example.com');
        expect(noteOf(form, 'success'), 'after a change').to.equal(null);
        change(form, 'email', '');
        expect(noteOf(form, 'success'), 'after the change was reverted').to.equal(null);
      });

      it('keeps a draft until it is sent', async () => {
        serve(...Object.values(failures).slice(0, 1), stored);
        const first = open(formCase);
        fill(first.form, example);
        await send(first.form, formCase);
        first.leave();
        const second = open(formCase);
        expect(valuesOf(second.form, formCase)).to.deep.equal(example);
        await send(second.form, formCase);
        await waitFor(() => expect(controlOf(second.form, 'email').value).to.equal(''));
        expect(Object.keys(sessionStorage)).to.deep.equal([]);
        second.leave();
        expect(Object.values(valuesOf(open(formCase).form, formCase)).join('')).to.equal('');
      });
    } else {
      it('keeps no draft', () => {
        const { form, leave } = open(formCase);
        fill(form, example);
        expect(Object.keys(sessionStorage)).to.deep.equal([]);
        leave();
        expect(valuesOf(open(formCase).form, formCase)).to.deep.equal({ email: '' });
      });
    }

    it('keeps its values after each failure, which it shows beside the button', async () => {
      const attempts = serve(...Object.values(failures), stored);
      const { form } = open(formCase);
      fill(form, example);
      for (const what of Object.keys(failures)) {
        await send(form, formCase);
        await waitFor(() => expect(noteOf(form, 'error')?.textContent, what).to.equal(failure));
        expect(noteOf(form, 'error')?.closest('[role="alert"], [aria-live]'), 'announced once').to.equal(null);
        expect(form.querySelector('[role="alert"]')?.textContent, 'no hint').to.equal('');
        await untilToast('Error');
        await untilToast(failure);
        expect(valuesOf(form, formCase), what).to.deep.equal(example);
      }
      await submit(form);
      await untilToast(thanks.text);
      expect(attempts).to.have.length(Object.keys(failures).length + 1);
      expect(new Set(attempts.map(({ key }) => key)), 'one key, so that one lead is stored').to.have.property(
        'size',
        1,
      );
    });

    it('has another key for other content, and for the same content after a success', async () => {
      const attempts = serve(problem(500), problem(500), stored, stored);
      const { form, leave } = open(formCase);
      fill(form, example);
      await send(form, formCase);
      change(form, 'email', 'other@example.com');
      await send(form, formCase);
      change(form, 'email', example['email'] ?? '');
      await submit(form);
      await untilToast(thanks.text);
      // The success replaces the form in the portfolio dialog.
      if (isPortfolio) leave();
      else await waitFor(() => expect(controlOf(form, 'email').value).to.equal(''));
      const again = isPortfolio ? open(formCase).form : form;
      fill(again, example);
      await submit(again);
      await waitFor(() => expect(attempts).to.have.length(4));
      const [first, changed, retried, later] = attempts.map(({ key }) => key);
      expect(first).to.be.a('string').and.to.equal(retried);
      expect(new Set([first, changed, later])).to.have.property('size', 3);
    });

    it('says when to send it again after a 429, and nothing else', async () => {
      serve(problem(429, { 'Retry-After': '600' }));
      const { form } = open(formCase);
      fill(form, example);
      await send(form, formCase);
      await within(form).findByText(
        /^Too many messages from your network\. Your answers stay in the form: send them again in 10 minutes, at \d\d:\d\d\.$/,
      );
      await untilToast(failure);
      expect(form.querySelectorAll('[data-note]')).to.have.length(1);
      expect(valuesOf(form, formCase)).to.deep.equal(example);
    });

    it('shows the messages of a 422 beside their fields until these change, and focuses the first', async () => {
      const last = rules.at(-1)?.name ?? 'email';
      const refused = ['email', ...(last === 'email' ? [] : [last])];
      const errors = refused.map((field) => ({ field, message: `The API refused ${field}` }));
      const attempts = serve(() => Response.json({ title: 'Unprocessable', errors }, { status: 422 }), stored);
      const { form } = open(formCase);
      fill(form, example);
      await send(form, formCase);
      for (const field of refused)
        expect(stateOf(form, field)).to.deep.equal({ message: `The API refused ${field}`, isInvalid: true });
      await waitFor(() => expect(document.activeElement?.getAttribute('name')).to.equal('email'));
      expect(valuesOf(form, formCase)).to.deep.equal(example);

      change(form, last, `${example[last]} And soon.`);
      if (last !== 'email') {
        expect(stateOf(form, last), 'the message was about the previous text').to.deep.equal(fine);
        expect(stateOf(form, 'email').isInvalid, 'an unchanged field').to.equal(true);
        change(form, 'email', '');
        await submit(form);
        expect(stateOf(form, last), 'after an attempt with another invalid field').to.deep.equal(fine);
      }
      change(form, 'email', 'other@example.com');
      expect(stateOf(form, 'email')).to.deep.equal(fine);
      await submit(form);
      await untilToast(thanks.text);
      expect(attempts).to.have.length(2);
    });
  });
}

describe('a public form', () => {
  for (const [when, happen] of [
    ['another field is changed', (form) => change(form, 'message', 'Hello.')],
    [
      'the field is focused and left',
      (form) => (focus(controlOf(form, 'email')), leaveField(controlOf(form, 'email'))),
    ],
    ['the page comes back into view', () => fireEvent(document, new Event('visibilitychange'))],
    ['the form is rendered again', (_, renderAgain) => renderAgain()],
  ] as const satisfies readonly (readonly [string, (form: HTMLFormElement, renderAgain: () => void) => void])[]) {
    it(`keeps a value that was set without an event when ${when}`, () => {
      const { form, renderAgain } = open(contact);
      setSilently(form, 'email', 'noura@example.com');
      happen(form, renderAgain);
      expect(controlOf(form, 'email').value).to.equal('noura@example.com');
      expect(JSON.stringify(sessionStorage), 'the draft').to.include('noura@example.com');
    });
  }

  it('that is sent twice in one moment is stored once', async () => {
    const attempts = serve(stored);
    const { form } = open(contact);
    fill(form, contact.example);
    await act(async () => {
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    await untilToast(contact.thanks.text);
    expect(attempts).to.have.length(1);
  });

  it('shows no message at the second click of a double click that the response is faster than', async () => {
    const { requestAnimationFrame } = globalThis;
    // The frame after the response, from which the time between the clicks is measured, has not been painted yet.
    globalThis.requestAnimationFrame = () => 0;
    try {
      const attempts = serve(stored);
      const { form } = open(contact);
      fill(form, contact.example);
      await send(form, contact);
      await waitFor(() => expect(controlOf(form, 'message').value).to.equal(''));
      await submit(form);
      for (const field of Object.keys(contact.example)) expect(stateOf(form, field), field).to.deep.equal(fine);
      expect(attempts).to.have.length(1);
    } finally {
      globalThis.requestAnimationFrame = requestAnimationFrame;
    }
  });

  it('takes its failure toast away when it is sent again', async () => {
    const { held, release } = heldAnswer();
    serve(problem(500), held);
    const { form } = open(contact);
    fill(form, contact.example);
    await send(form, contact);
    // It does not close by itself while the pointer is over it.
    fireEvent.pointerEnter(await within(toasts()).findByText(contact.failure));
    await submit(form);
    await waitFor(() => expect(within(toasts()).queryByText(contact.failure)).to.equal(null));
    await release();
  });

  it('keeps its draft for its own page only', () => {
    const { form, leave } = open(contact);
    fill(form, contact.example);
    leave();
    const elsewhere = open({ ...contact, path: '/services/consulting' });
    expect(controlOf(elsewhere.form, 'message').value).to.equal('');
  });

  it('has the same key in an attempt after a reload, because the first may have been stored', async () => {
    const attempts = serve(...Object.values(failures).slice(2, 3), stored);
    const first = open(contact);
    fill(first.form, contact.example);
    await send(first.form, contact);
    first.leave();
    await submit(open(contact).form);
    await waitFor(() => expect(attempts).to.have.length(2));
    expect(attempts[1]).to.deep.equal(attempts[0]);
  });

  it('that the visitor leaves before the response has no draft after the success', async () => {
    const { held, release } = heldAnswer();
    const attempts = serve(held);
    const { form, leave } = open(contact);
    fill(form, contact.example);
    await submit(form);
    await waitFor(() => expect(attempts).to.have.length(1));
    leave();
    await release();
    await waitFor(() => expect(draftKeeper('/', 'contact').read()).to.equal(undefined));
  });

  for (const [what, isChanged] of [
    ['is cleared by the success', false],
    ['keeps changes made in the meantime', true],
  ] as const) {
    it(`that the visitor leaves and opens again before the response ${what}`, async () => {
      const { held, release } = heldAnswer();
      const attempts = serve(held);
      const first = open(contact);
      fill(first.form, contact.example);
      await submit(first.form);
      await waitFor(() => expect(attempts).to.have.length(1));
      first.leave();
      const { form } = open(contact);
      expect(valuesOf(form, contact)).to.deep.equal(contact.example);
      if (isChanged) change(form, 'firstName', 'Leyla');
      await release();
      await untilToast(contact.thanks.text);
      const name = isChanged ? 'Leyla' : '';
      expect(controlOf(form, 'firstName').value).to.equal(name);
      expect(draftKeeper('/', 'contact').read()?.values['firstName'] ?? '').to.equal(name);
    });
  }
});

describe('the portfolio dialog', () => {
  function Page() {
    const [isOpen, setIsOpen] = useState(true);
    return <PortfolioModal open={isOpen} onClose={() => setIsOpen(false)} />;
  }
  const openDialog = () => open({ form: <Page />, path: '/' }).form;

  it('is modal and focuses its field, which is for email addresses', () => {
    const form = openDialog();
    expect(screen.getByRole('dialog').getAttribute('aria-modal')).to.equal('true');
    expect(document.activeElement).to.equal(controlOf(form, 'email'));
    expect(controlOf(form, 'email').type).to.equal('email');
  });

  it('focuses the heading that replaces the form after a success', async () => {
    serve(stored);
    const form = openDialog();
    fill(form, portfolioCase.example);
    await submit(form);
    await screen.findByText('Portfolio Sent!');
    expect(document.activeElement?.textContent).to.equal('Portfolio Sent!');
  });

  it('that is closed while it sends does not cancel the request, and the toast appears', async () => {
    const { held, release } = heldAnswer();
    const attempts = serve(held);
    const form = openDialog();
    fill(form, portfolioCase.example);
    await submit(form);
    await waitFor(() => expect(attempts).to.have.length(1));
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null));
    await release();
    await untilToast(portfolioCase.thanks.text);
  });
});
