import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { onUnauthorized } from '../../lib/unauthorized.ts';
import { type SignedIn, useSessionQuery } from './auth-api.ts';
import { loginAddress } from './return-path.ts';

/** Whether the staff's pages may be shown. */
export type Guard =
  | { readonly state: 'pending' }
  | { readonly state: 'open'; readonly signedIn: SignedIn }
  | { readonly state: 'failed'; readonly retry: () => void }
  | { readonly state: 'closed'; readonly loginAddress: string };

/**
 * The one guard of the staff area in the browser: it asks who is signed in, and closes on any call's 401, whoever made
 * it (decisions, "Guard").
 */
export function useGuard(): Guard {
  const location = useLocation();
  const [isRefused, setIsRefused] = useState(false);
  const { data: signedIn, isError, refetch } = useSessionQuery();

  useEffect(() => onUnauthorized(() => setIsRefused(true)), []);

  if (isRefused) return { state: 'closed', loginAddress: loginAddress(location) };
  if (signedIn) return { state: 'open', signedIn };
  if (isError) return { state: 'failed', retry: () => void refetch() };
  return { state: 'pending' };
}
