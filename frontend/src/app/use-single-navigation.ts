import { useEffect } from 'react';
import { opensElsewhere } from '../routing/link-modifiers.ts';

/**
 * Ignores further clicks on a link while its page loads. React Router would add a second history entry, and Back would
 * then stay on the same page.
 * @param shownPath - path of the page that is shown
 */
export function useSingleNavigation(shownPath: string): void {
  useEffect(() => {
    const ignoreAgain = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const isOnItsWay = link?.href === window.location.href && window.location.pathname !== shownPath;
      if (isOnItsWay && !opensElsewhere(event)) event.preventDefault();
    };
    // Capturing, because React Router ignores events that are already prevented.
    document.addEventListener('click', ignoreAgain, { capture: true });
    return () => document.removeEventListener('click', ignoreAgain, { capture: true });
  }, [shownPath]);
}
