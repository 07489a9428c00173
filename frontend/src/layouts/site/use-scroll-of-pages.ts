import { type RefObject, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { sectionOf } from '../../routing/scroll.ts';

/**
 * Scroll positions of the public pages by history key. They are kept when the staff area opens and the layout unmounts.
 */
const positions = new Map<string, number>();

/**
 * Scrolls to the top and focuses the page when a link is followed, even a link to the current page. Back and Forward
 * restore the scroll position.
 * @param main - gets the focus
 * @param firstKey - the key of the first history entry of this document
 */
export function useScrollOfPages(main: RefObject<HTMLElement | null>, firstKey: string): void {
  const { pathname, key, hash } = useLocation();
  const navigationType = useNavigationType();
  const shown = useRef<{ readonly pathname: string; readonly key: string }>(undefined);

  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { pathname, key };
    const isBack = navigationType === NavigationType.Pop;
    // The browser itself restores positions within a page, follows anchors and positions the first page.
    const isSame = before?.pathname === pathname && (before.key === key || isBack);
    const isFirst = !before && key === firstKey && !positions.has(key);
    if (isSame || isFirst) return;
    const anchor = isBack ? null : sectionOf(hash);
    if (anchor) anchor.scrollIntoView();
    else window.scrollTo(0, isBack ? (positions.get(key) ?? 0) : 0);
    (anchor ?? main.current)?.focus({ preventScroll: true });
  }, [pathname, key, hash, navigationType, main, firstKey]);

  // A layout effect, because its cleanup must run before the staff page scrolls the window.
  useLayoutEffect(() => {
    const note = () => {
      if (shown.current) positions.set(shown.current.key, window.scrollY);
    };
    // The browser would scroll the old page before the new one renders. It still restores the position after a reload.
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
