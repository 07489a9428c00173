import { nanoid, type ThunkAction, type UnknownAction } from '@reduxjs/toolkit';
import { toastLimits } from './toast-limits.ts';
import { type Toast, toastsSlice } from './toasts-slice.ts';

type ToastThunk = ThunkAction<void, unknown, unknown, UnknownAction>;

/** Shows a toast in place of the one that is there (specification §9: one at a time). */
export function showToast(toast: Omit<Toast, 'id' | 'open'>): ReturnType<typeof toastsSlice.actions.toastShown> {
  return toastsSlice.actions.toastShown({ ...toast, id: nanoid() });
}

/**
 * Takes a toast off the screen and, after the time of specification §9, out of the store.
 * @param id - the toast; one that is gone already is left alone
 */
export function dismissToast(id: string): ToastThunk {
  return (dispatch) => {
    dispatch(toastsSlice.actions.toastDismissed(id));
    setTimeout(() => dispatch(toastsSlice.actions.toastRemoved(id)), toastLimits.removalDelay);
  };
}
