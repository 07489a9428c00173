import type { RequestFailure } from '../api-client/request.ts';

/**
 * When to try again, e.g. "Please try again in 7 minutes, at 14:32."
 * @param retryAfter - seconds, where the server says so
 */
export function tryAgain(retryAfter: number | undefined, now: Date): string {
  if (retryAfter === undefined) return 'Please try again later.';
  const minutes = Math.max(1, Math.ceil(retryAfter / 60));
  // Without Luxon, which would double what a visitor loads for a form.
  const time = new Date(now.getTime() + minutes * 60_000).toLocaleTimeString('en-GB', { timeStyle: 'short' });
  return `Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, at ${time}.`;
}

/**
 * What a public form says besides the toast, where trying again at once would not help.
 * @returns undefined when it may help
 */
export function submissionHint({ status, retryAfter }: RequestFailure, now: Date): string | undefined {
  if (status === 429) return `Too many messages from your network. ${tryAgain(retryAfter, now)}`;
  // Answers may each be within their limits, and together over that of a request.
  if (status === 413) return 'Your answers are too long to be sent together. Please shorten the longest ones.';
  return undefined;
}
