/** What is said in the place of code that did not arrive. */
export const loadFailure = {
  text: 'This part of the page could not be loaded.',
  kept: 'What you typed is kept.',
  link: 'Load the page again',
} as const;
