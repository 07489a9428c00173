import type { RequestFailure } from '../../api-client/request.ts';
import { tryAgain } from '../../form/retry-hint.ts';

/**
 * What is said under the form besides the toast, where trying again at once would not help
 * (docs/PRODUCT.md, "Sign-in page").
 * @returns undefined when username or password were wrong
 */
export function loginHint({ status, retryAfter }: RequestFailure, now: Date): string | undefined {
  if (status === 429) return `Too many attempts. ${tryAgain(retryAfter, now)}`;
  if (status === undefined || status >= 500) return 'The server did not answer. Please try again in a moment.';
  return undefined;
}
