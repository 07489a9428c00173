import type { RequestFailure } from '../../api-client/request.ts';
import { tryAgain } from '../../form/retry-hint.ts';

/** Returns the text that is shown below the form in addition to the toast (docs/PRODUCT.md, "Sign-in page"). */
export function loginHint({ status, retryAfter }: RequestFailure, now: Date): string {
  if (status === 401) return 'The username or the password is wrong.';
  if (status === 429) return `Too many attempts. ${tryAgain(retryAfter, now)}`;
  if (status === undefined || status >= 500) return 'The server did not respond. Please try again in a moment.';
  return 'You could not be signed in. Please try again.';
}
