import { useCallback, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { scrollToSection } from './scroll.ts';

/** A section item on another page first goes to the home page and scrolls after this time, in milliseconds. */
const scrollDelayAfterNavigation = 100;

/** The anchors of the home page. */
export type HomeSection = 'home' | 'services' | 'portfolio' | 'contact';

/** Where the visitor wants to go on the home page, which is still to come. */
let wanted: HomeSection | undefined;

/**
 * How a navigation item goes to a section of the home page: it scrolls there, or from another page first navigates
 * home, which scrolls once it is there (docs/PRODUCT.md, "Navigation bar").
 */
export function useGoToSection(): (section: HomeSection) => void {
  const navigate = useNavigate();
  const isHome = useLocation().pathname === '/';
  return useCallback(
    (section) => {
      if (isHome) {
        // The address would go on naming the section that the visitor came for.
        if (window.location.hash !== '') window.history.replaceState(window.history.state, '', '/');
        scrollToSection(section);
        return;
      }
      wanted = section;
      // While the home page is on its way the address is its own already: one entry in the history is enough.
      if (window.location.pathname !== '/') void navigate('/');
    },
    [isHome, navigate],
  );
}

/** For the home page: scrolls to the section that the visitor came for, a moment after the page is there. */
export function useWantedSection(): void {
  useEffect(() => {
    const section = wanted;
    wanted = undefined;
    if (section !== undefined) setTimeout(() => scrollToSection(section), scrollDelayAfterNavigation);
  }, []);
}
