import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../../store/store.ts';
import { toasts } from '../../toasts/toasts.ts';
import { authApi, type SignedIn } from './auth-api.ts';
import { tellOtherTabs } from './other-tabs.ts';

/** Returns the two steps after a sign-in: one that stores the account, and one that greets the member. */
export function useCompleteSignIn() {
  const dispatch = useDispatch<AppDispatch>();
  return {
    store: async (signedIn: SignedIn): Promise<void> => {
      await dispatch(authApi.util.upsertQueryData('session', undefined, signedIn));
      tellOtherTabs();
    },
    greet: ({ needs }: SignedIn): void => {
      if (needs === null) toasts.success('Welcome to the admin dashboard!', 'Login Successful');
    },
  };
}
