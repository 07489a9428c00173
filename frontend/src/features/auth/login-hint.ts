import type { RequestFailure } from '../../api-client/request.ts';
import { tryAgain } from '../../form/retry-hint.ts';

/**
 * Returns the hint under the form besides the toast, if an immediate retry cannot succeed (docs/PRODUCT.md, "Sign-in
 * page").
 * @returns undefined if the username or password was wrong
 */
export function loginHint({ status, retryAfter }: RequestFailure, now: Date): string | undefined {
  if (status === 429) return `Too many attempts. ${tryAgain(retryAfter, now)}`;
  if (status === undefined || status >= 500) return 'The server did not respond. Please try again in a moment.';
  return undefined;
}
