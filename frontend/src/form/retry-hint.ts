import type { RequestFailure } from '../api-client/request.ts';

/**
 * Returns a sentence with the time of the next attempt, e.g. "Please try again in 7 minutes, at 14:32."
 * @param retryAfter - the seconds of `Retry-After`, if the response has it
 */
export function tryAgain(retryAfter: number | undefined, now: Date): string {
  return `Please try again ${whenOf(retryAfter, now)}.`;
}

function whenOf(retryAfter: number | undefined, now: Date): string {
  if (retryAfter === undefined) return 'later';
  const minutes = Math.max(1, Math.ceil(retryAfter / 60));
  // Luxon would double the size of a public form.
  const time = new Date(now.getTime() + minutes * 60_000).toLocaleTimeString('en-GB', { timeStyle: 'short' });
  return `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, at ${time}`;
}

/**
 * Returns the hint that a public form shows besides its toast, if an immediate retry cannot succeed.
 * @returns undefined if a retry may succeed
 */
export function submissionHint({ status, retryAfter }: RequestFailure, now: Date): string | undefined {
  // The toast already asks to try again; this says when.
  if (status === 429)
    return `Too many messages from your network. Your answers stay in the form: send them again ${whenOf(retryAfter, now)}.`;
  // Each value may be within its limit while all of them exceed the limit of a request.
  if (status === 413) return 'Your answers are too long to be sent together. Please shorten the longest ones.';
  return undefined;
}
