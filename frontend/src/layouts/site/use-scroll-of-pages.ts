import { type RefObject, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** Where the public pages of this document were left, by their places in the history; the staff area lies between. */
const positions = new Map<string, number>();

/**
 * A page that a link leads to starts at its top, for the eye and for the keyboard, also when the visitor is on it
 * already; one that the visitor goes back to stands where it was left.
 * @param main - what takes the focus
 * @param firstKey - of the place in the history that the document was opened at
 */
export function useScrollOfPages(main: RefObject<HTMLElement | null>, firstKey: string): void {
  const { pathname, key } = useLocation();
  const navigationType = useNavigationType();
  const shown = useRef<{ readonly pathname: string; readonly key: string }>(undefined);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { pathname, key };
    const isBack = navigationType === NavigationType.Pop;
    // Within a page the browser itself goes back and to anchors, and it has placed the page that the document came with.
    const isSame = before?.pathname === pathname && (before.key === key || isBack);
    const isFirst = !before && key === firstKey && !positions.has(key);
    if (isSame || isFirst) return;
    window.scrollTo(0, isBack ? (positions.get(key) ?? 0) : 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname, key, navigationType, main, firstKey]);

  // A layout effect, too: it must end before the page of the staff area that comes instead moves the window.
  useLayoutEffect(() => {
    const note = () => {
      if (shown.current) positions.set(shown.current.key, window.scrollY);
    };
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
}
