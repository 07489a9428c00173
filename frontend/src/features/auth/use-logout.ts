import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { forgetDrafts } from '../../form/draft-storage.ts';
import { signedOut } from '../../routing/location-state.ts';
import { staffArea, staffPath } from '../../routing/staff-paths.ts';
import { toasts } from '../../toasts/toasts.ts';
import { endSession } from './end-session.ts';
import { tellOtherTabs } from './other-tabs.ts';

/**
 * How staff sign out: the login page is there at once with its toast, and the session is ended on the server besides,
 * without waiting (docs/PRODUCT.md, "Logout"). What was being written is forgotten: it is not for who comes next.
 */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    void navigate(staffPath.login, { state: signedOut });
    forgetDrafts(staffArea);
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
