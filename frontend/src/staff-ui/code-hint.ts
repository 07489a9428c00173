import { failureHint } from './failure-text.ts';

/** Returns the text below the form of a code for a failure that the field does not show. */
export const codeHint = failureHint('Could not check the code. Please try again.');
