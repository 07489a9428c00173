import { act, fireEvent, render, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { BrowserRouter } from 'react-router-dom';
import type * as OtherTabs from '../../src/features/auth/other-tabs.ts';
import { LoginForm } from '../../src/features/auth/LoginForm.tsx';
import { StoreProvider } from '../../src/store/StoreProvider.tsx';

const cookiesNeeded = /^Your browser blocks cookies for this site\./;

function open(): void {
  render(
    <BrowserRouter>
      <StoreProvider>
        <LoginForm onSecondFactorNeeded={() => undefined} onSignedIn={() => undefined} />
      </StoreProvider>
    </BrowserRouter>,
  );
}

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`) ?? expect.fail(name);

describe('The sign-in form', () => {
  it('reports a wrong password beside the fields and keeps the focus and the text', async () => {
    globalThis.fetch = async () => Response.json({ status: 401 }, { status: 401 });
    open();
    fireEvent.change(field('username'), { target: { value: 'noura' } });
    fireEvent.change(field('password'), { target: { value: 'not the password' } });
    act(() => field('password').focus());
    await act(async () => void fireEvent.submit(screen.getByRole('form')));
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).to.equal('The username or the password is wrong.'),
    );
    expect(document.activeElement).to.equal(field('password'));
    expect(field('password').value).to.equal('not the password');
  });

  it('sends a username and a password that were set without events', async () => {
    const sent: unknown[] = [];
    globalThis.fetch = async (input, init) => {
      sent.push(await new Request(input, init).json());
      return Response.json({ status: 401 }, { status: 401 });
    };
    open();
    act(() => field('username').focus());
    for (const name of ['username', 'password']) Reflect.set(HTMLInputElement.prototype, 'value', name, field(name));
    await act(async () => void fireEvent.submit(screen.getByRole('form')));
    await waitFor(() => expect(sent).to.deep.equal([{ username: 'username', password: 'password' }]));
  });

  it('does not mention cookies that are allowed', () => {
    open();
    expect(screen.queryByText(cookiesNeeded)).to.equal(null);
  });

  for (const [what, block] of [
    ['storage', { target: window, name: 'sessionStorage' }],
    ['cookies', { target: navigator, name: 'cookieEnabled' }],
  ] as const) {
    it(`states that it needs cookies if the browser blocks ${what}`, () => {
      const before = Object.getOwnPropertyDescriptor(block.target, block.name);
      Object.defineProperty(block.target, block.name, {
        configurable: true,
        get: () => {
          if (block.name === 'cookieEnabled') return false;
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
      try {
        open();
        expect(screen.getByText(cookiesNeeded).textContent).to.include('allow cookies');
        expect(screen.getByRole('button', { name: 'Sign in' })).to.have.property('disabled', false);
      } finally {
        if (before) Object.defineProperty(block.target, block.name, before);
        else Reflect.deleteProperty(block.target, block.name);
      }
    });
  }
});

describe('Without BroadcastChannel', () => {
  it('the tabs do not notify each other, and everything else works', async () => {
    const channel = globalThis.BroadcastChannel;
    Object.assign(globalThis, {
      BroadcastChannel: function Blocked() {
        throw new DOMException('Access is denied.', 'SecurityError');
      },
    });
    try {
      const module: typeof OtherTabs = await import(
        new URL('../../src/features/auth/other-tabs.ts?blocked', import.meta.url).href
      );
      module.tellOtherTabs();
      module.onOtherTab(() => expect.fail('no tab can send a message'))();
    } finally {
      globalThis.BroadcastChannel = channel;
    }
  });
});
