import { useEffect, useEffectEvent, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { api } from '../../api-client/base-api.ts';
import type { AppDispatch } from '../../store/store.ts';
import { onUnauthorized } from '../../api-client/unauthorized.ts';
import { type SignedIn, useSessionQuery } from './auth-api.ts';
import { forgetSession } from './known-session.ts';
import { onOtherTab } from './other-tabs.ts';
import { loginAddress } from './return-path.ts';

/** Whether the staff pages may be shown. */
export type Guard =
  | { readonly state: 'pending' }
  | { readonly state: 'open'; readonly signedIn: SignedIn }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'closed'; readonly loginAddress: string; readonly reason: 'ended' | 'signed_out' | 'unfinished' };

/**
 * The guard of the staff area in the browser. It requests the session, requests it again when it may have changed in
 * another tab, and closes when any call returns a 401 (docs/PRODUCT.md, "Guard").
 */
export function useGuard(): Guard {
  const dispatch = useDispatch<AppDispatch>();
  const location = useLocation();
  const [isRefused, setIsRefused] = useState(false);
  const { data: signedIn, isError, refetch } = useSessionQuery();

  const askAgain = useEffectEvent(async () => {
    const before = signedIn?.id;
    const { data: now } = await refetch();
    // Another account must not see the cached data. A user who signs in again keeps their open work.
    if (before !== undefined && now && now.id !== before) dispatch(api.util.resetApiState());
  });

  useEffect(
    () =>
      onUnauthorized(() => {
        forgetSession();
        setIsRefused(true);
      }),
    [],
  );
  useEffect(() => onOtherTab(() => void askAgain()), []);

  if (isRefused)
    return {
      state: 'closed',
      loginAddress: loginAddress(location),
      reason: signedIn === undefined ? 'signed_out' : 'ended',
    };
  // The sign-in page asks for what the account must do first.
  if (signedIn && signedIn.needs !== null) {
    return { state: 'closed', loginAddress: loginAddress(location), reason: 'unfinished' };
  }
  if (signedIn) return { state: 'open', signedIn };
  if (isError) return { state: 'failed', retry: () => void refetch() };
  return { state: 'pending' };
}
