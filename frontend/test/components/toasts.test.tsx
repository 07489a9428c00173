import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { act, fireEvent, render, screen } from '@testing-library/react/pure';
import { expect } from 'chai';
import { toastLimits } from '../../src/toasts/toast-limits.ts';
import type { toasts as Toasts } from '../../src/toasts/toasts.ts';

const failure = 'Failed to send message. Please try again.';
const success = 'Your message has been sent successfully.';

const region = () => screen.getByRole('region', { name: /Notifications/ });
const shown = () => [failure, success].filter((text) => screen.queryByText(text) !== null);
const field = () => screen.getByRole('textbox');
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });

describe('A toast', () => {
  let toasts: typeof Toasts;

  beforeEach(async () => {
    // Imported as the region imports its stack, because mocha requires this file, and its own imports are other instances.
    const { ToastRegion } = await import('../../src/toasts/ToastRegion.tsx');
    ({ toasts } = await import('../../src/toasts/toasts.ts'));
    mock.timers.enable({ apis: ['setTimeout'] });
    render(
      <>
        <input />
        <ToastRegion />
      </>,
    );
    await act(async () => {
      // Imports end in the order in which they start, so the region has its stack after this one.
      await setImmediate();
      await import('../../src/toasts/ToastStack.tsx');
      await setImmediate();
    });
    field().focus();
  });
  afterEach(() => mock.timers.reset());

  const pass = (time: number) => act(async () => mock.timers.tick(time));
  const show = (variant: 'error' | 'success') =>
    act(async () => toasts[variant](variant === 'error' ? failure : success));
  /** Passes the time of the animation, which consists of two steps. */
  const untilClosed = async () => {
    for (let step = 0; step < 4; step++) await pass(300);
  };

  /** Checks that a toast stays much longer than its usual time. */
  const expectItStays = async () => {
    for (let times = 0; times < 4; times++) await pass(toastLimits.duration);
    expect(shown()).to.deep.equal([failure]);
  };

  /** Checks that a toast stays for its full time from now on. */
  const expectFullTime = async (text: string) => {
    await pass(toastLimits.duration - 600);
    await pass(599);
    expect(shown()).to.deep.equal([text]);
    await pass(1);
    await untilClosed();
    expect(shown()).to.deep.equal([]);
  };

  it('is announced without moving the focus, and a failure has the title Error', async () => {
    await show('error');
    expect(region().querySelector('[aria-live="polite"]')?.textContent).to.match(/^Error ?Failed to send message/);
    expect(document.activeElement).to.equal(field());
  });

  it('stays for 5 seconds', async () => {
    expect(toastLimits.duration).to.equal(5_000);
    await show('success');
    await expectFullTime(success);
  });

  it('replaces the previous one, and stays for its own time', async () => {
    await show('error');
    await pass(4_500);
    await show('success');
    for (let step = 0; step < 20 && shown()[0] !== success; step++) await pass(100);
    expect(screen.getAllByRole('button')).to.have.length(1);
    expect(shown()).to.deep.equal([success]);
    await expectFullTime(success);
  });

  it('stays while its region or its button has the focus', async () => {
    await show('error');
    press('F8');
    expect(document.activeElement).to.equal(region());
    await expectItStays();
    act(() => screen.getByRole('button').focus());
    await expectItStays();
    act(() => field().focus());
    await expectFullTime(failure);
  });

  it('stays while the pointer is over it', async () => {
    await show('error');
    fireEvent.pointerEnter(screen.getByText(failure));
    await expectItStays();
    fireEvent.pointerLeave(screen.getByText(failure));
    await expectFullTime(failure);
  });

  it('stays while the visitor is in another window', async () => {
    await show('error');
    await pass(4_000);
    act(() => void window.dispatchEvent(new Event('blur')));
    await expectItStays();
    act(() => void window.dispatchEvent(new Event('focus')));
    await expectFullTime(failure);
  });

  it('that appears while the visitor is in another window stays until they return', async () => {
    document.hasFocus = () => false;
    try {
      await show('error');
      await expectItStays();
    } finally {
      Reflect.deleteProperty(document, 'hasFocus');
    }
    act(() => void window.dispatchEvent(new Event('focus')));
    await expectFullTime(failure);
  });

  for (const [how, close] of [
    ['its button', () => fireEvent.click(screen.getByRole('button', { name: 'Dismiss notification' }))],
    ['Escape', () => expect(press('Escape'), 'is not handled by a dialog').to.equal(false)],
  ] as const) {
    it(`that has the focus returns it when ${how} closes it`, async () => {
      await show('error');
      press('F8');
      close();
      await untilClosed();
      expect(shown()).to.deep.equal([]);
      expect(document.activeElement).to.equal(field());
    });
  }

  it('must be shown for F8 to move the focus', () => {
    press('F8');
    expect(document.activeElement).to.equal(field());
  });
});
