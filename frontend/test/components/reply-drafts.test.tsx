import { act, fireEvent, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { brand } from '@dune-tide/domain/brand';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { application, contact, inquiry, serveLeads } from './lead-server.ts';
import {
  address,
  dialog,
  field,
  focused,
  isDialogOpen,
  listOf,
  me,
  openStaffPage,
  press,
  pressKey,
  put,
  refusal,
  reload,
  textsOf,
} from './staff-area.tsx';

const path = '/admin/leads';

describe('A reply on the leads page', () => {
  const leads = serveLeads();
  const { server } = leads;
  let [noura, thabo, zoe] = [contact(), inquiry(), application()];
  beforeEach(() => {
    [noura, thabo, zoe] = [contact(), inquiry(), application()];
    leads.store<Lead>(noura, thabo, zoe);
  });

  const message = () => field('text');
  const question = () => screen.queryByText('Discard what you have written?');
  const pressIn = (name: string) => press(name, dialog());
  const untilClosed = () => waitFor(() => expect(isDialogOpen()).to.equal(false));
  const open = async (lead?: Lead) => {
    await openStaffPage(lead ? `${path}/${lead.id}` : path);
    if (lead) await dialog().findByRole('button', { name: 'Send Email' });
    else await screen.findByRole('table');
  };
  const send = async (email: string) => {
    await pressIn('Send');
    await screen.findByText(`Email sent to ${email} successfully.`);
  };
  const ways: Readonly<Record<string, () => Promise<void>>> = {
    Escape: () => pressKey('Escape', message()),
    Cancel: () => pressIn('Cancel'),
    Close: () => pressIn('Close'),
    'the backdrop': () =>
      act(async () => {
        const backdrop = document.querySelector('.MuiDialog-container') ?? expect.fail('no backdrop');
        fireEvent.mouseDown(backdrop);
        fireEvent.click(backdrop);
      }),
  };

  it('starts with a subject and a greeting for each kind, and can be closed in every way', async () => {
    await open();
    for (const [name, { email }, subject, greeting] of [
      ['Noura al-Harbi', noura, 'Lead Generation Systems', 'Hello Noura,'],
      ['Thabo Nkosi', thabo, 'Video Testimonials', 'Hello Thabo,'],
      ['Zoë Botha', zoe, 'Other / General Application', 'Hello Zoë,'],
    ] as const) {
      await press(`Email ${name}`);
      expect(dialog().getByLabelText<HTMLInputElement>('To').value).to.equal(email);
      expect(field('subject').value).to.equal(`Re: ${subject} - ${brand.name}`);
      expect(message().value.split('\n')[0]).to.equal(greeting);
      await send(email);
      await untilClosed();
    }
    for (const close of Object.values(ways)) {
      await press('Email Noura al-Harbi');
      await close();
      await untilClosed();
      expect(focused()).to.equal('Email Noura al-Harbi');
    }
    expect(
      server.calls.filter(({ call }) => call.startsWith('POST')),
      'nothing is sent',
    ).to.deep.equal([]);
  });

  for (const [place, isInDetails] of [
    ['over the table', false],
    ['in place of the details', true],
  ] as const) {
    it(`${place} is discarded only after confirmation`, async () => {
      await open(isInDetails ? noura : undefined);
      const write = () => (isInDetails ? pressIn('Send Email') : press('Email Noura al-Harbi'));
      await write();
      for (const [way, leave] of Object.entries(ways)) {
        const letter = `Half a letter, left by ${way}`;
        await put(message(), letter);
        await act(async () => message().focus());
        await leave();
        await waitFor(() => expect(focused()).to.equal('Keep editing'));
        await pressIn('Keep editing');
        expect(document.activeElement, way).to.be.oneOf([message(), field('subject')]);
        expect(question()).to.equal(null);
        expect(message().value).to.equal(letter);
      }
      await pressKey('Escape', message());
      await pressIn('Discard');
      if (isInDetails) await dialog().findByRole('button', { name: 'Send Email' });
      else await untilClosed();
      await write();
      expect(message().value).to.match(/^Hello Noura,/);
    });
  }

  it('is kept after a double click on Cancel', async () => {
    await open(noura);
    await pressIn('Send Email');
    await put(message(), 'Half a letter');
    const place = dialog().getByRole('button', { name: 'Cancel' });
    await act(async () => void fireEvent.click(place, { detail: 1 }));
    // The second click hits the button in the place of the first one.
    await pressIn('Keep editing');
    expect(message().value).to.equal('Half a letter');
  });

  it('asks for confirmation even if Escape follows the last key immediately', async () => {
    await open(noura);
    await pressIn('Send Email');
    await act(async () => {
      fireEvent.change(message(), { target: { value: 'Half a letter' } });
      await Promise.resolve();
      fireEvent.keyDown(message(), { key: 'Escape' });
    });
    expect(question()).to.not.equal(null);
  });

  it('makes the browser ask before the page is left, but only if it has text', async () => {
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await open(noura);
    await pressIn('Send Email');
    expect(isAsked()).to.equal(false);
    await put(message(), 'Half a letter');
    expect(isAsked()).to.equal(true);
    await pressIn('Cancel');
    await pressIn('Discard');
    expect(isAsked()).to.equal(false);
  });

  it('requires a subject and a message, and Enter in the subject moves to the message', async () => {
    await open();
    await press('Email Noura al-Harbi');
    await act(async () => field('subject').focus());
    await pressKey('Enter', field('subject'));
    expect(document.activeElement).to.equal(message());
    await put('subject', '');
    await put(message(), ' \n ');
    await pressIn('Send');
    for (const fault of ['Subject is required', 'Message is required']) dialog().getByText(fault);
    expect(document.activeElement).to.equal(field('subject'));
    await put('subject', 'Your films');
    await put(message(), 'Dear Noura');
    await send(noura.email);
  });

  it('that is unfinished is kept when the list reloads without its lead', async () => {
    await open();
    const release = server.hold('GET /api/admin/leads');
    await press('Refresh');
    await press('View Noura al-Harbi', screen, 'link');
    await pressIn('Send Email');
    const before = message();
    await put(before, 'Half a letter');
    for (const { id } of [noura, thabo, zoe]) leads.remove(id);
    server.answers['GET /api/admin/leads'] = () => listOf([]);
    await act(async () => release());
    await waitFor(() => expect(document.querySelector('tbody tr')).to.equal(null));
    expect(message()).to.equal(before);
    expect(message().value).to.equal('Half a letter');
  });

  describe('that is a draft', () => {
    const goOn = () => screen.queryAllByRole('button', { name: 'Continue draft' });
    const untilNotice = (text: string) => waitFor(() => expect(textsOf('p')).to.include(text));
    const begin = async (lead: Lead, text = 'Half a letter') => {
      await open(lead);
      await pressIn('Send Email');
      await put(message(), text);
      await reload();
    };

    it('is announced in the list until it is sent, and belongs to its lead', async () => {
      await begin(noura);
      await dialog().findByText('Your reply is not sent yet.');
      await open(zoe);
      await pressIn('Send Email');
      expect(message().value).to.match(/^Hello Zoë,/);
      await open();
      await untilNotice('Your reply to Noura al-Harbi is not sent yet.');
      await press('Continue draft');
      expect(message().value).to.equal('Half a letter');
      await send(noura.email);
      await untilClosed();
      expect(goOn()).to.deep.equal([]);
      await waitFor(() => expect(focused()).to.equal('CRM & Lead Management'));
      await press('Email Noura al-Harbi');
      expect(message().value, 'the sent text').to.equal('Half a letter');
    });

    it('is announced for a lead that is not in the list, until it is discarded', async () => {
      leads.change(noura.id, { spamSign: 'too_fast' });
      await begin(noura);
      await open();
      await untilNotice('Your reply to Noura al-Harbi is not sent yet.');
      await press('Continue draft');
      expect(message().value).to.equal('Half a letter');
      await pressIn('Cancel');
      await pressIn('Discard');
      await untilClosed();
      expect(goOn()).to.deep.equal([]);
      await open(noura);
      expect(goOn(), 'also not on its lead').to.deep.equal([]);
    });

    it('to a deleted lead is dropped silently, while one to another lead is announced', async () => {
      const drafts = () => Object.keys(sessionStorage).filter((key) => key.includes(':reply:'));
      await begin(zoe);
      await begin(noura);
      expect(drafts()).to.have.length(2);
      leads.remove(zoe.id);
      await open();
      await untilNotice('Your reply to Noura al-Harbi is not sent yet.');
      await waitFor(() => expect(drafts()).to.have.length(1));
      expect(goOn()).to.have.length(1);
    });
  });

  describe('that is emailed', () => {
    const [post, undo] = ['POST /api/admin/leads/:id/replies', 'POST /api/admin/leads/:id/replies/:id/undo'] as const;
    const text = 'Hello Noura,\n\nyes.';
    const search = '?status=new';
    beforeEach(() => {
      const reply = { id: noura.id, kind: 'reply', subject: 'Your films', text, recipient: noura.email };
      Object.assign(server.answers, {
        'GET /api/admin/session': () => ({ ...me, replies: 'mail' }),
        [post]: () => Response.json(reply, { status: 201 }),
        [undo]: () => reply,
      });
    });
    const sendAndNext = () =>
      act(async () => void fireEvent.keyDown(message(), { key: 'Enter', ctrlKey: true, shiftKey: true }));
    const untilDetailsOf = (lead: Lead) =>
      waitFor(() => {
        expect(address()).to.equal(`${path}/${lead.id}${search}`);
        dialog().getByRole('button', { name: 'Send Email' });
      });

    it('opens the next lead by Ctrl+Shift+Enter, and the earlier one with its text by Undo', async () => {
      await openStaffPage(path + search);
      await press('View Noura al-Harbi', screen, 'link');
      await pressIn('Send Email');
      await put(message(), text);
      await sendAndNext();
      await untilDetailsOf(thabo);
      await screen.findByText(`Sending email to ${noura.email}`);
      expect(server.last(post)?.ids).to.deep.equal([noura.id]);
      await press('Undo');
      await waitFor(() => expect(address()).to.equal(`${path}/${noura.id}${search}`));
      await waitFor(() => expect(message().value).to.equal(text));
      await waitFor(() => expect(message().selectionStart).to.equal(text.length));

      await pressIn('Send');
      await untilDetailsOf(noura);
      await reload();
      await untilDetailsOf(noura);
      expect(document.querySelector('[role="dialog"] [name="subject"]'), 'after a reload').to.equal(null);
    });

    it('opens the next lead also from the table, but none after a failure or the last lead', async () => {
      await openStaffPage(path + search);
      await press('Email Thabo Nkosi');
      server.once(post, () => refusal(503));
      await sendAndNext();
      await dialog().findByText('Could not send the email. Please try again.');
      await sendAndNext();
      await untilDetailsOf(zoe);
      await pressIn('Send Email');
      await sendAndNext();
      await untilDetailsOf(zoe);
      await pressKey('Escape', screen.getByRole('dialog'));
      await waitFor(() => expect(address()).to.equal(path + search));
      await untilClosed();
      await press('Email Noura al-Harbi');
      await waitFor(() => expect(document.activeElement).to.equal(message()));
      server.once(post, () => refusal(503));
      await sendAndNext();
      await dialog().findByText('Could not send the email. Please try again.');
      await pressIn('Send');
      await untilClosed();
      expect(address()).to.equal(path + search);
    });
  });
});
