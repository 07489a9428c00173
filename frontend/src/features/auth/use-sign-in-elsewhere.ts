import { useEffect, useEffectEvent } from 'react';
import { authApi, type SignedIn } from './auth-api.ts';
import { onOtherTab } from './other-tabs.ts';

/**
 * Leaves the sign-in page when a user signs in in another tab, whose session this tab shares.
 * @param onSignedIn - called once the server confirms the session
 */
export function useSignInElsewhere(onSignedIn: (signedIn: SignedIn) => void): void {
  const [ask] = authApi.useLazySessionQuery();
  const look = useEffectEvent(async () => {
    const { data } = await ask();
    if (data) onSignedIn(data);
  });
  useEffect(() => onOtherTab(() => void look()), []);
}
