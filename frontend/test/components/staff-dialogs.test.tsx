import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { useState } from 'react';
import { BrowserRouter, useNavigate } from 'react-router-dom';
import { ReplyDialog } from '../../src/features/leads/reply/ReplyDialog.tsx';
import type { LeadOf } from '@dune-tide/domain/responses/lead';
import { replyDraft } from '../../src/features/leads/reply/reply-draft.ts';
import { ReplyNotices } from '../../src/features/leads/reply/ReplyNotices.tsx';
import { AdminDialog } from '../../src/staff-ui/dialogs/AdminDialog.tsx';
import { StoreProvider } from '../../src/store/StoreProvider.tsx';
import ToastStack from '../../src/toasts/ToastStack.tsx';
import { Modal } from '../../src/ui/Modal.tsx';
import { dialogsClosed } from '../../src/ui/use-back-to-close.ts';
import { useModalHold } from '../../src/ui/modal-hold.ts';

const lead: LeadOf<'contact'> = {
  id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c007',
  kind: 'contact',
  email: 'noura@example.com',
  firstName: 'Noura',
  lastName: 'al-Harbi',
  service: 'leadgen',
  message: 'We sell oud.',
  spamSign: null,
  status: 'new',
  owner: null,
  dueAt: null,
  answeredAt: null,
  response: 'none',
  version: 1,
  activity: 0,
  createdAt: '2026-03-07T12:00:00.000Z',
};
const other: LeadOf<'contact'> = {
  ...lead,
  id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c008',
  firstName: 'Zoë',
  lastName: 'Botha',
};

const dialog = () => within(screen.getByRole('dialog'));
const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const untilClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).to.equal(null));
const goBack = () => act(async () => window.history.back());

interface ExampleProps {
  readonly isBusy?: boolean;
  readonly onClose?: () => void;
}

function Example({ isBusy = false, onClose }: ExampleProps) {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const finish = () => {
    setOpen(false);
    void dialogsClosed().then(() => navigate('/replaced', { replace: true }));
  };
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      <Modal open={open} onClose={onClose ?? (() => setOpen(false))} labelledBy="title">
        <h2 id="title">Example</h2>
        <button onClick={() => setOpen(false)}>Done</button>
        <button onClick={finish}>Replace the page</button>
        <Hold isBusy={isBusy} />
      </Modal>
    </>
  );
}

function Hold({ isBusy }: { readonly isBusy: boolean }) {
  useModalHold({ isBusy });
  return null;
}

describe('The browser’s Back', () => {
  const path = () => window.location.pathname;
  beforeEach(() => {
    window.history.pushState(null, '', '/before');
    window.history.pushState(null, '', '/page');
  });

  const open = async (props: ExampleProps = {}) => {
    render(
      <BrowserRouter>
        <Example {...props} />
      </BrowserRouter>,
    );
    await press('Open');
    await screen.findByRole('dialog');
  };

  it('closes an open dialog and stays on the page', async () => {
    await open();
    await goBack();
    await untilClosed();
    expect(path()).to.equal('/page');
    await dialogsClosed();
    await goBack();
    await waitFor(() => expect(path()).to.equal('/before'));
  });

  it('leaves the page after the dialog was closed in another way', async () => {
    await open();
    await press('Done');
    await untilClosed();
    await dialogsClosed();
    expect(path()).to.equal('/page');
    await goBack();
    await waitFor(() => expect(path()).to.equal('/before'));
  });

  it('keeps its entry for a dialog that stays open', async () => {
    let requests = 0;
    await open({ onClose: () => requests++ });
    for (const count of [1, 2]) {
      await goBack();
      await waitFor(() => expect(requests).to.equal(count));
      expect(screen.queryByRole('dialog')).to.not.equal(null);
      expect(path()).to.equal('/page');
    }
  });

  it('leaves the page while the dialog waits for a response', async () => {
    await open({ isBusy: true });
    await goBack();
    await waitFor(() => expect(path()).to.equal('/before'));
  });

  it('does not return to a page that was replaced when its dialog closed', async () => {
    await open();
    await press('Replace the page');
    await waitFor(() => expect(path()).to.equal('/replaced'));
    await goBack();
    await waitFor(() => expect(path()).to.equal('/before'));
  });
});

describe('A dialog of the staff area', () => {
  it('focuses its first field that can be seen', () => {
    render(
      <BrowserRouter>
        <AdminDialog open onClose={() => undefined} title="New password">
          <input name="username" readOnly hidden />
          <input name="password" />
        </AdminDialog>
      </BrowserRouter>,
    );
    expect(document.activeElement?.getAttribute('name')).to.equal('password');
  });
});

describe('The dialog for a reply', () => {
  let calls: string[] = [];
  let status = 200;
  beforeEach(() => {
    calls = [];
    status = 200;
    globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      calls.push(`${request.method} ${new URL(request.url).pathname}`);
      return Response.json(status === 200 ? [] : { status }, { status });
    };
  });

  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button onClick={() => setOpen(true)}>Write</button>
        <ReplyDialog lead={open ? lead : undefined} onClose={() => setOpen(false)} />
        <ToastStack container={document.body} />
      </>
    );
  }
  const open = async () => {
    render(
      <BrowserRouter>
        <StoreProvider>
          <Page />
        </StoreProvider>
      </BrowserRouter>,
    );
    await press('Write');
    await screen.findByRole('dialog');
  };
  const message = () => dialog().getByRole<HTMLTextAreaElement>('textbox', { name: /^Message/ });
  const write = (value: string) => act(() => void fireEvent.change(message(), { target: { value } }));

  it('has the caret below the greeting', async () => {
    await open();
    expect(document.activeElement).to.equal(message());
    expect(message().value.slice(0, message().selectionStart)).to.equal('Hello Noura,\n\n');
    expect(message().selectionEnd).to.equal(message().selectionStart);
  });

  it('has the caret at the end of what was written when it is opened again', async () => {
    await open();
    const [greeting = '', ...others] = message().value.split('\n\n');
    const start = [greeting, 'Yes, we can.'].join('\n\n');
    for (const [text, place] of [
      [[start, ...others].join('\n\n'), start.length],
      ['Hello Noura,\n\nYes, we can.', start.length],
      [[start, ...others, 'PS: Monday.'].join('\n\n'), [start, ...others, 'PS: Monday.'].join('\n\n').length],
    ] as const) {
      write(text);
      cleanup();
      await open();
      expect(message().value).to.equal(text);
      expect([message().selectionStart, message().selectionEnd], text).to.deep.equal([place, place]);
    }
  });

  it('has the sent text when it is opened again, without a notice of an unsent draft', async () => {
    await open();
    write('Hello Noura,\n\nShall we talk on Monday?');
    await press('Send');
    await screen.findByText('Email sent to noura@example.com successfully.');
    await untilClosed();
    expect(calls, 'nothing is sent').to.deep.equal([
      'GET /api/admin/opt-outs',
      `GET /api/admin/leads/${lead.id}/history`,
    ]);
    expect(replyDraft(lead.id).read()).to.equal(undefined);
    await press('Write');
    await waitFor(() => expect(message().value).to.equal('Hello Noura,\n\nShall we talk on Monday?'));
    expect(message().selectionStart).to.equal(message().value.length);
  });

  for (const [failure, code] of [
    ['the session has ended', 401],
    ['the server does not respond', 503],
  ] as const) {
    it(`does not report a success if ${failure}, and keeps the text`, async () => {
      status = code;
      await open();
      write('Half a letter');
      await press('Send');
      await dialog().findByText('Could not send the email. Please try again.');
      expect(screen.queryByText(/successfully/)).to.equal(null);
      expect(message().value).to.equal('Half a letter');
      expect(replyDraft(lead.id).read()?.values['text']).to.equal('Half a letter');
    });
  }
});

describe('The notice of unsent replies', () => {
  it('names each lead, and each has its button', () => {
    for (const { id } of [lead, other]) replyDraft(id).write({ values: { text: 'Half a letter' } });
    const opened: string[] = [];
    render(
      <StoreProvider>
        <ReplyNotices
          known={(id) => [lead, other].find((each) => each.id === id)}
          onOpen={(each) => opened.push(each.id)}
        />
      </StoreProvider>,
    );
    const names = [...document.querySelectorAll('bdi')].map(({ textContent }) => textContent);
    expect(names).to.have.members(['Noura al-Harbi', 'Zoë Botha']);
    for (const button of screen.getAllByRole('button', { name: 'Continue draft' })) fireEvent.click(button);
    expect(opened).to.have.members([lead.id, other.id]);
  });
});
