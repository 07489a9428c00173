import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { toastLimits } from './toast-limits.ts';

/** A notice that passes. `destructive` is the style of failures, whose title is "Error" (specification §8). */
export interface Toast {
  readonly id: string;
  readonly style: 'success' | 'destructive';
  readonly title?: string;
  readonly text: string;
  readonly open: boolean;
}

/** The toasts, the newest first, at most as many as may be shown at once; a dismissed one is kept for a while. */
export const toastsSlice = createSlice({
  name: 'toasts',
  initialState: [] as readonly Toast[],
  reducers: {
    toastShown: (toasts, { payload }: PayloadAction<Omit<Toast, 'open'>>) =>
      [{ ...payload, open: true }, ...toasts].slice(0, toastLimits.atOnce),
    toastDismissed: (toasts, { payload: id }: PayloadAction<string>) =>
      toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)),
    toastRemoved: (toasts, { payload: id }: PayloadAction<string>) => toasts.filter((toast) => toast.id !== id),
  },
  selectors: { selectToasts: (toasts) => toasts },
});

export const { selectToasts } = toastsSlice.selectors;
