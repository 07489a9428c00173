import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/**
 * A page that a link leads to starts at its top, for the eye and for the keyboard, also when the visitor is on it
 * already; one that the visitor goes back to stands where it was left.
 * @param main - what takes the focus
 */
export function useScrollOfPages(main: RefObject<HTMLElement | null>): void {
  const { pathname, key } = useLocation();
  const navigationType = useNavigationType();
  const positions = useRef(new Map<string, number>());
  const shown = useRef({ pathname, key });

  useEffect(() => {
    const note = () => positions.current.set(shown.current.key, window.scrollY);
    // The browser would move the old page before the new one is there. Reloads stay its business.
    const letBrowserRestore = () => {
      history.scrollRestoration = 'auto';
    };
    history.scrollRestoration = 'manual';
    note();
    window.addEventListener('scroll', note, { passive: true });
    window.addEventListener('pagehide', letBrowserRestore);
    return () => {
      window.removeEventListener('scroll', note);
      window.removeEventListener('pagehide', letBrowserRestore);
      letBrowserRestore();
    };
  }, []);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { pathname, key };
    const isBack = navigationType === NavigationType.Pop;
    // Within a page the browser itself goes back and to anchors.
    if (before.pathname === pathname && (before.key === key || isBack)) return;
    window.scrollTo(0, isBack ? (positions.current.get(key) ?? 0) : 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname, key, navigationType, main]);
}
