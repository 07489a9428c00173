/** The texts shown instead of code that could not be loaded. */
export const loadFailure = {
  text: 'This part of the page could not be loaded.',
  kept: 'What you typed is kept.',
  link: 'Load the page again',
} as const;
