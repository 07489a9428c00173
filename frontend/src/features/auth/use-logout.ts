import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { forgetDrafts } from '../../form/draft-storage.ts';
import { signedOut } from '../../routing/location-state.ts';
import { staffArea, staffPath } from '../../routing/staff-paths.ts';
import { toasts } from '../../toasts/toasts.ts';
import { endSession } from './end-session.ts';
import { forgetSession } from './known-session.ts';
import { tellOtherTabs } from './other-tabs.ts';

/**
 * Returns the logout function. It navigates to the sign-in page immediately with a toast and ends the session on the
 * server without waiting for the response (docs/PRODUCT.md, "Logout"). Drafts are deleted, because the next user must
 * not see them.
 */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    void navigate(staffPath.login, { state: signedOut });
    forgetDrafts(staffArea);
    forgetSession();
    toasts.success('You have been signed out.', 'Logged Out');
    void endSession().then((hasEnded) => {
      tellOtherTabs();
      if (!hasEnded)
        toasts.error(
          'The server did not confirm the logout, so you may still be signed in. Please sign in and log out again.',
        );
    });
  }, [navigate]);
}
