import type { RequestFailure } from '../api-client/request.ts';
import { tryAgain } from '../form/retry-hint.ts';

type FailureText = string | ((failure: RequestFailure) => string);

/** The text for a call whose lead another member has erased. */
export const leadDeletedText = 'This lead has been deleted.';

/** The text for an export that other exports keep from starting. */
export const exportsBusy = 'Other exports are running. Please try again in a minute.';

export const checkFields = 'Please check the highlighted fields.';

/**
 * Returns the text for a failed request of staff.
 * @param otherwise - the text for a failure that a retry may correct
 */
export function failureTextOf(failure: RequestFailure, otherwise: FailureText, now = new Date()): string {
  const { type, status, retryAfter, limit = 'Too many attempts.' } = failure;
  if (type === 'password_needed') return 'This change needs your password. Nothing was changed.';
  if (type === 'owner_needed') return 'Only an owner can do this. Nothing was changed.';
  if (status === 429) return `${limit} ${tryAgain(retryAfter, now)}`;
  return typeof otherwise === 'string' ? otherwise : otherwise(failure);
}

/**
 * Returns the `hint` of a form: the text of `failureTextOf`.
 * @param besideFields - the text for a failure that the fields show
 */
export const failureHint =
  (otherwise: FailureText, besideFields = '') =>
  (failure: RequestFailure, now: Date): string =>
    failure.fieldErrors.length > 0 ? besideFields : failureTextOf(failure, otherwise, now);
