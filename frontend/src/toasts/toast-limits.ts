/** The numbers of the toasts (specification §9). */
export const toastLimits = {
  atOnce: 1,
  /** Milliseconds. */
  duration: 5000,
  /** How long a dismissed toast is kept, in milliseconds. */
  removalDelay: 1_000_000,
  /** Pixels to the right. */
  swipeThreshold: 50,
  focusKey: 'F8',
} as const;
