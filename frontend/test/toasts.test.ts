import { mock } from 'node:test';
import { expect } from 'chai';
import { createStore } from '../src/store/store.ts';
import { dismissToast, showToast } from '../src/toasts/toast-thunks.ts';
import { selectToasts } from '../src/toasts/toasts-slice.ts';

describe('toasts', () => {
  let store: ReturnType<typeof createStore>;
  const toasts = () => selectToasts(store.getState());
  const shownId = () => toasts()[0]?.id ?? '';

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    store = createStore();
  });

  afterEach(() => mock.timers.reset());

  it('shows a toast with its title, text and style', () => {
    store.dispatch(showToast({ style: 'destructive', title: 'Error', text: 'Failed to send message.' }));
    expect(toasts()).to.have.length(1);
    expect(toasts()[0]).to.include({
      style: 'destructive',
      title: 'Error',
      text: 'Failed to send message.',
      open: true,
    });
  });

  it('shows one at a time, the newest', () => {
    store.dispatch(showToast({ style: 'success', text: 'first' }));
    store.dispatch(showToast({ style: 'success', text: 'second' }));
    expect(toasts().map(({ text }) => text)).to.deep.equal(['second']);
  });

  it('tells two toasts with the same text apart', () => {
    store.dispatch(showToast({ style: 'success', text: 'sent' }));
    const first = shownId();
    store.dispatch(showToast({ style: 'success', text: 'sent' }));
    expect(shownId()).not.to.equal(first);
  });

  it('keeps a dismissed toast, closed, for 1,000,000 ms', () => {
    store.dispatch(showToast({ style: 'success', text: 'sent' }));
    store.dispatch(dismissToast(shownId()));
    expect(toasts()[0]).to.include({ text: 'sent', open: false });
    mock.timers.tick(999_999);
    expect(toasts()).to.have.length(1);
    mock.timers.tick(1);
    expect(toasts()).to.have.length(0);
  });

  it('leaves a newer toast alone when an older one is dismissed and removed', () => {
    store.dispatch(showToast({ style: 'success', text: 'old' }));
    const old = shownId();
    store.dispatch(showToast({ style: 'success', text: 'new' }));
    store.dispatch(dismissToast(old));
    mock.timers.tick(1_000_000);
    expect(toasts()).to.have.length(1);
    expect(toasts()[0]).to.include({ text: 'new', open: true });
  });
});
