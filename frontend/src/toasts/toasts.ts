import { closeSnackbar, enqueueSnackbar, type SnackbarKey, type SnackbarOrigin } from 'notistack';
import { useState } from 'react';
import { narrowWindowQuery, pageId, shortWindowQuery } from '../styles/layout-constants.ts';

declare module 'notistack' {
  interface VariantOverrides {
    success: { title?: string | undefined };
    error: { title?: string | undefined };
  }
}

let announceStack: () => void;
// notistack takes toasts once its provider is on the page, which may be after the first answer to a form.
const stack = new Promise<void>((resolve) => (announceStack = resolve));

/** Shows the toasts that waited for `ToastStack`. */
export const stackMounted = (): void => announceStack();

async function show(variant: 'success' | 'error', text: string, title: string | undefined): Promise<SnackbarKey> {
  await stack;
  return enqueueSnackbar(text, { variant, title, anchorOrigin: placeOfNewToast() });
}

/** Notices that pass, one at a time. They report the result of a request. */
export const toasts = {
  /** @param title - left out where docs/PRODUCT.md, "Toasts" gives a text only */
  success: (text: string, title?: string): void => void show('success', text, title),
  /** Shows a failure in the style "destructive" (specification §8). */
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

/** The toast of a form's failed attempt, which the form's next attempt removes. */
export function useFailureToast() {
  const [toast] = useState(createFailureToast);
  return toast;
}

/**
 * The place of a toast that appears: beside an open dialog it is the same, so that it stays there when that closes. In a
 * narrow or short window a form's button is at the bottom, right where whoever pressed it looks and presses again.
 */
function placeOfNewToast(): SnackbarOrigin {
  const isOverDialog = document.getElementById(pageId)?.inert === true;
  const isNarrow = window.matchMedia(narrowWindowQuery).matches;
  const isShort = window.matchMedia(shortWindowQuery).matches;
  return { vertical: isNarrow || isShort ? 'top' : 'bottom', horizontal: isNarrow || isOverDialog ? 'left' : 'right' };
}
