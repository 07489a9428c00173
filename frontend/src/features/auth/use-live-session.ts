import { useEffect, useEffectEvent } from 'react';
import { authApi, type SignedIn } from './auth-api.ts';
import { sessionEnded } from './end-session.ts';

/**
 * Leaves the sign-in page if there is a session already. The session is requested once, and the form can be used in the
 * meantime. A missing session is not an error here.
 * @param isSignedOut - skips the request, because the user is known to be signed out
 * @param onSignedIn - called if there is a session
 */
export function useLiveSession(isSignedOut: boolean, onSignedIn: (signedIn: SignedIn) => void): void {
  const [ask] = authApi.useLazySessionQuery();
  const look = useEffectEvent(async () => {
    if (isSignedOut) return;
    // A pending logout is about to end the session.
    await sessionEnded();
    const { data } = await ask();
    if (data) onSignedIn(data);
  });
  useEffect(() => void look(), []);
}
