import { useEffect, useEffectEvent } from 'react';
import { authApi } from './auth-api.ts';
import { sessionEnded } from './end-session.ts';

/**
 * For the login page: goes on when somebody who is signed in comes to it. The server is asked once, and the form can be
 * used meanwhile; that nobody is signed in is no failure here.
 * @param isSignedOut - known before: nothing is asked
 * @param onSignedIn - called when the server says that somebody is signed in
 */
export function useLiveSession(isSignedOut: boolean, onSignedIn: () => void): void {
  const [ask] = authApi.useLazySessionQuery();
  const look = useEffectEvent(async () => {
    if (isSignedOut) return;
    // A session that a logout is about to end is none.
    await sessionEnded();
    const { data } = await ask();
    if (data) onSignedIn();
  });
  useEffect(() => void look(), []);
}
