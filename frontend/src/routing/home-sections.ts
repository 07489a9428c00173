import { useCallback, useLayoutEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { scrollToSection } from './scroll.ts';

/** Delay between the navigation to the home page and the scroll to a section, in milliseconds. */
const scrollDelayAfterNavigation = 100;

export type HomeSection = 'home' | 'services' | 'about' | 'portfolio' | 'contact';

/** The section to scroll to once the home page has rendered. */
let wanted: HomeSection | undefined;

/**
 * Returns a function that scrolls to a section of the home page. On another page it first navigates to the home page,
 * which then scrolls (docs/PRODUCT.md, "Navigation bar").
 */
export function useGoToSection(): (section: HomeSection) => void {
  const navigate = useNavigate();
  const isHome = useLocation().pathname === '/';
  return useCallback(
    (section) => {
      if (isHome) {
        // Otherwise the URL would keep the section from the previous navigation.
        if (window.location.hash !== '') window.history.replaceState(window.history.state, '', '/');
        scrollToSection(section);
        return;
      }
      wanted = section;
      // While the home page loads, the URL is already "/": another history entry is not needed.
      if (window.location.pathname !== '/') void navigate('/');
    },
    [isHome, navigate],
  );
}

/** Scrolls to the requested section after the home page has rendered. */
export function useWantedSection(): void {
  // A layout effect, because other effects can run as late as at the end of the animation between the pages.
  useLayoutEffect(() => {
    const section = wanted;
    wanted = undefined;
    if (section !== undefined) setTimeout(() => scrollToSection(section), scrollDelayAfterNavigation);
  }, []);
}
