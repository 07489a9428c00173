/** Limits of the toasts (docs/PRODUCT.md, "Toasts"). */
export const toastLimits = {
  atOnce: 1,
  /** Milliseconds. */
  duration: 5000,
  /** Pixels to the right. */
  swipeThreshold: 50,
  focusKey: 'F8',
} as const;
