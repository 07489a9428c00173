import { fireEvent, render, screen, waitFor } from '@testing-library/react/pure';
import { problemTypes } from '@dune-tide/domain/responses/problem';
import { expect } from 'chai';
import { BrowserRouter } from 'react-router-dom';
import { PasswordPrompt } from '../../src/features/accounts/PasswordPrompt.tsx';
import {
  useBeginTotpMutation,
  useReplaceRecoveryCodesMutation,
} from '../../src/features/accounts/second-factor-api.ts';
import { StoreProvider } from '../../src/store/StoreProvider.tsx';

/** Makes two calls concurrently that need a fresh password. */
function Example() {
  const [begin, { status: first }] = useBeginTotpMutation();
  const [replace, { status: second }] = useReplaceRecoveryCodesMutation();
  const start = () => {
    void begin();
    void replace();
  };
  return (
    <>
      <button onClick={start}>Start</button>
      <output>{`${first} ${second}`}</output>
    </>
  );
}

describe('The password prompt', () => {
  let sent: string[] = [];
  const open = async () => {
    sent = [];
    globalThis.fetch = async (input) => {
      const { pathname } = new URL(new Request(input).url);
      sent.push(pathname.replace('/api/admin/account/', ''));
      if (pathname.endsWith('/confirm')) return new Response(null, { status: 204 });
      if (sent.includes('confirm')) return Response.json({});
      return Response.json({ type: problemTypes.password_needed }, { status: 403 });
    };
    render(
      <BrowserRouter>
        <StoreProvider>
          <div id="page">
            <Example />
          </div>
          <div id="modals" />
          <PasswordPrompt />
        </StoreProvider>
      </BrowserRouter>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Start' }));
    await screen.findByRole('dialog', { name: 'Enter your password' });
  };
  const outcome = () => screen.getByRole('status').textContent;

  it('opens once for all calls that need it, which are then repeated', async () => {
    await open();
    await waitFor(() => expect(sent).to.deep.equal(['totp', 'recovery-codes']));
    fireEvent.change(document.querySelector('[name="password"]')!, { target: { value: 'an old boat' } });
    fireEvent.submit(screen.getByRole('form'));
    await waitFor(() => expect(outcome()).to.equal('fulfilled fulfilled'));
    expect(sent).to.deep.equal(['totp', 'recovery-codes', 'confirm', 'totp', 'recovery-codes']);
  });

  it('lets the calls fail when it is closed', async () => {
    await open();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(outcome()).to.equal('rejected rejected'));
    expect(sent).to.deep.equal(['totp', 'recovery-codes']);
  });
});
