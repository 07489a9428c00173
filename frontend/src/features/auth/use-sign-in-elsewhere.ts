import { useEffect, useEffectEvent } from 'react';
import { authApi } from './auth-api.ts';
import { onOtherTab } from './other-tabs.ts';

/**
 * For the login page: goes on when somebody signs in in another tab, whose session this one shares.
 * @param onSignedIn - called when the server says that somebody is signed in now
 */
export function useSignInElsewhere(onSignedIn: () => void): void {
  const [ask] = authApi.useLazySessionQuery();
  const look = useEffectEvent(async () => {
    const { data } = await ask();
    if (data) onSignedIn();
  });
  useEffect(() => onOtherTab(() => void look()), []);
}
