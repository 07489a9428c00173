import { useEffect, useEffectEvent } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { authApi, type SignedIn } from './auth-api.ts';
import { sessionEnded } from './end-session.ts';
import { forgetSession, mayHaveSession } from './known-session.ts';

/**
 * Leaves the sign-in page if there is a session already. The session is requested once, and the form can be used in the
 * meantime. It is not requested if this browser has none, because the browser's console would list the 401 as an error
 * (docs/PRODUCT.md, "Sign-in page").
 * @param isSignedOut - skips the request, because the user is known to be signed out
 * @param onSignedIn - called if there is a session
 */
export function useLiveSession(isSignedOut: boolean, onSignedIn: (signedIn: SignedIn) => void): void {
  const [ask] = authApi.useLazySessionQuery();
  const look = useEffectEvent(async () => {
    if (isSignedOut || !mayHaveSession()) return;
    // A pending logout is about to end the session.
    await sessionEnded();
    const { data, error } = await ask();
    if (data) onSignedIn(data);
    else if (isRequestFailure(error) && error.status === 401) forgetSession();
  });
  useEffect(() => void look(), []);
}
