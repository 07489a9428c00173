import { useEffect, useEffectEvent, useId } from 'react';

/** The dialogs that are open, by id. */
const open = new Set<string>();

/** Whether the browser is about to leave the history entry of a closed dialog. */
let isLeaving = false;

/** Resolvers of `dialogsClosed`. */
let waiting: (() => void)[] = [];

interface EntryState {
  readonly dialog?: string;
}

const entryState = (): EntryState | null => window.history.state as EntryState | null;

/**
 * Makes the browser's Back close a dialog instead of leaving the page. An open dialog has a separate history entry at
 * the same address, which disappears when the dialog closes in any other way. The router does not notice the entry,
 * because its state is copied from the entry before.
 * @param close - called on Back; the dialog may stay open, e.g. to ask whether text is discarded
 * @param isBusy - whether the dialog waits for a response and cannot be closed; Back then leaves the page
 */
export function useBackToClose(isOpen: boolean, close: () => void, isBusy = false): void {
  const id = useId();
  const cannotClose = useEffectEvent(() => isBusy);
  const requestClose = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return undefined;
    let hasLeft = false;
    const onBack = () => {
      if (hasLeft || entryState()?.dialog === id) return;
      hasLeft = cannotClose();
      if (hasLeft) {
        window.history.back();
        return;
      }
      // A dialog that stays open still needs its entry. One that closes removes it in the usual way.
      addEntry(id);
      requestClose();
    };
    open.add(id);
    if (entryState()?.dialog !== id) addEntry(id);
    window.addEventListener('popstate', onBack);
    return () => {
      window.removeEventListener('popstate', onBack);
      open.delete(id);
      isLeaving = true;
      // In development React runs each effect twice.
      queueMicrotask(() => {
        if (open.has(id)) isLeaving = false;
        else removeEntry(id);
      });
    };
  }, [isOpen, id]);
}

/** Resolves when no dialog is open and no entry of a dialog is left, so that the page's own entry can be replaced. */
export function dialogsClosed(): Promise<void> {
  return new Promise((resolve) => {
    if (open.size === 0 && !isLeaving) resolve();
    else waiting.push(resolve);
  });
}

function addEntry(id: string): void {
  window.history.pushState({ ...entryState(), dialog: id }, '');
}

function removeEntry(id: string): void {
  // A navigation may have replaced or left the entry.
  if (entryState()?.dialog !== id) {
    announceClosed();
    return;
  }
  window.addEventListener('popstate', announceClosed, { once: true });
  window.history.back();
}

function announceClosed(): void {
  isLeaving = false;
  const resolvers = waiting;
  waiting = [];
  for (const resolve of resolvers) resolve();
}
