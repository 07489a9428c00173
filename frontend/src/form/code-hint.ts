import type { RequestFailure } from '../api-client/request.ts';
import { tryAgain } from './retry-hint.ts';

/** Returns the text below the form of a code for a failure that the field does not show. */
export function codeHint({ status, retryAfter, fieldErrors }: RequestFailure, now: Date): string {
  if (fieldErrors.length > 0) return '';
  if (status === 429) return `Too many attempts. ${tryAgain(retryAfter, now)}`;
  return 'Could not check the code. Please try again.';
}
