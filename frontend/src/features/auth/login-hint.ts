import type { RequestFailure } from '../../lib/request.ts';

/**
 * What is said under the form besides the toast, where trying again at once would not help (decisions, "Login failure
 * text").
 * @returns undefined when username or password were wrong
 */
export function loginHint({ status, retryAfter }: RequestFailure, now: Date): string | undefined {
  if (status === 429) {
    if (retryAfter === undefined) return 'Too many attempts. Please try again later.';
    const minutes = Math.max(1, Math.ceil(retryAfter / 60));
    const time = clock(new Date(now.getTime() + minutes * 60_000));
    return `Too many attempts. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, at ${time}.`;
  }
  if (status === undefined || status >= 500) return 'The server did not answer. Please try again in a moment.';
  return undefined;
}

const clock = (time: Date): string =>
  [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
