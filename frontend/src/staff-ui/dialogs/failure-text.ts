import type { RequestFailure } from '../../api-client/request.ts';
import { tryAgain } from '../../form/retry-hint.ts';

/**
 * Returns the text of a dialog for a failed request.
 * @param otherwise - the text for a failure that a retry may correct
 */
export function failureTextOf(
  failure: RequestFailure,
  otherwise: string | ((failure: RequestFailure) => string),
): string {
  const { type, status, retryAfter } = failure;
  if (type === 'password_needed') return 'This change needs your password. Nothing was changed.';
  if (status === 429) return `Too many attempts. ${tryAgain(retryAfter, new Date())}`;
  return typeof otherwise === 'string' ? otherwise : otherwise(failure);
}
