/** The texts shown instead of code that could not be loaded. */
export const loadFailure = {
  text: 'This part of the page could not be loaded.',
  kept: 'Your text has been kept.',
  link: 'Reload the page',
} as const;
