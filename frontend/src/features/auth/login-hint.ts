import type { RequestFailure } from '../../api-client/request.ts';
import { failureTextOf } from '../../staff-ui/failure-text.ts';

/** Returns the text that is shown below the form in addition to the toast (docs/PRODUCT.md, "Sign-in page"). */
export const loginHint = (failure: RequestFailure, now: Date): string => failureTextOf(failure, loginFailed, now);

function loginFailed({ status }: RequestFailure): string {
  if (status === 401) return 'The username or the password is wrong.';
  if (status === undefined || status >= 500) return 'The server did not respond. Please try again in a moment.';
  return 'You could not be signed in. Please try again.';
}
