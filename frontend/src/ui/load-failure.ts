/** The texts shown instead of code that could not be loaded. */
export const loadFailure = {
  text: 'This part of the page could not be loaded.',
  kept: 'Your text has been kept.',
  link: 'Reload the page',
} as const;

/** Returns whether a script has failed to load because a new release has renamed it. Only a new document can load it. */
export const isGone = (error: unknown): boolean => error instanceof Error && error.cause === 404;
