import { useEffect } from 'react';
import { opensElsewhere } from '../routing/link-modifiers.ts';

/**
 * Has a link do nothing that is pressed again while its page is on its way: React Router would add a second entry to the
 * history, and whoever goes back would stay where they are.
 * @param shownPath - of the page that is shown
 */
export function useSingleNavigation(shownPath: string): void {
  useEffect(() => {
    const ignoreAgain = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const isOnItsWay = link?.href === window.location.href && window.location.pathname !== shownPath;
      if (isOnItsWay && !opensElsewhere(event)) event.preventDefault();
    };
    // Captured: React Router leaves alone what was prevented before it.
    document.addEventListener('click', ignoreAgain, { capture: true });
    return () => document.removeEventListener('click', ignoreAgain, { capture: true });
  }, [shownPath]);
}
