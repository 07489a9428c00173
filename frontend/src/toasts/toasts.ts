import { closeSnackbar, enqueueSnackbar, type SnackbarKey, type SnackbarOrigin } from 'notistack';
import { useState } from 'react';
import { narrowWindowQuery, shortWindowQuery } from '../styles/layout-constants.ts';

/** The button of a toast that undoes what it reports. */
export interface ToastUndo {
  /** The time at which the toast closes, by the server's clock, in milliseconds since the epoch. */
  readonly until: number;
  readonly onUndo: () => Promise<void>;
}

declare module 'notistack' {
  interface VariantOverrides {
    success: { title?: string | undefined; undo?: ToastUndo | undefined };
    error: { title?: string | undefined };
  }
}

let announceStack: () => void;
// notistack accepts toasts once its provider has rendered, which may be after the first response to a form.
const stack = new Promise<void>((resolve) => (announceStack = resolve));

/** Shows the toasts that were queued before `ToastStack` rendered. */
export const stackMounted = (): void => announceStack();

async function show(
  variant: 'success' | 'error',
  text: string,
  title: string | undefined,
  undo?: ToastUndo,
): Promise<SnackbarKey> {
  await stack;
  return enqueueSnackbar(text, { variant, title, undo, anchorOrigin: placeOfNewToast() });
}

/** Notifications about the result of a request, one at a time. */
export const toasts = {
  /** @param title - missing if docs/PRODUCT.md, "Toasts" has only a text */
  success: (text: string, title?: string): void => void show('success', text, title),
  /** Shows a success with the button Undo, until the undo is no longer possible. */
  undoable: (text: string, undo: ToastUndo): void => void show('success', text, undefined, undo),
  /** Shows a failure in the style "destructive" (docs/PRODUCT.md, "Toasts"). */
  error: (text: string, title = 'Error'): void => void show('error', text, title),
};

function createFailureToast() {
  let shown: Promise<SnackbarKey> | undefined;
  return {
    show: (text: string, title = 'Error'): void => void (shown = show('error', text, title)),
    takeAway: (): void => {
      void shown?.then(closeSnackbar);
      shown = undefined;
    },
  };
}

/** Returns the toast for a form's failed attempt. The next attempt removes it. */
export function useFailureToast() {
  const [toast] = useState(createFailureToast);
  return toast;
}

/**
 * Returns the position of a new toast, which depends on the window's size alone: the lower right corner, or the top of a
 * narrow or short window, because a form's button is at the bottom, where the user may press again.
 */
function placeOfNewToast(): SnackbarOrigin {
  const isNarrow = window.matchMedia(narrowWindowQuery).matches;
  const isShort = window.matchMedia(shortWindowQuery).matches;
  return { vertical: isNarrow || isShort ? 'top' : 'bottom', horizontal: isNarrow ? 'left' : 'right' };
}
