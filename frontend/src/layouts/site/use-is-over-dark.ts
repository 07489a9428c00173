import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { darkBands } from '../../styles/layout-constants.ts';

/**
 * Returns whether a bar covers a dark band of the page, so that its own colours are dark too. A band beside which a
 * lighter one is visible does not count.
 * @param line - the distance of the bar's middle from the top of the window, in pixels
 * @returns undefined until the page's bands are known
 */
export function useIsOverDark(line: number): boolean | undefined {
  const { pathname } = useLocation();
  const [found, setFound] = useState<{ readonly pathname: string; readonly isDark: boolean }>();

  useEffect(() => {
    const covered = new Set<Element>();
    const observe = (entries: readonly IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        if (isIntersecting && boundingClientRect.width >= document.documentElement.clientWidth) covered.add(target);
        else covered.delete(target);
      }
      setFound({ pathname, isDark: covered.size > 0 });
    };
    let observer: IntersectionObserver | undefined;
    const watch = () => {
      observer?.disconnect();
      covered.clear();
      // A strip of one pixel, which depends on the window's height.
      observer = new IntersectionObserver(observe, {
        rootMargin: `${-line}px 0px ${line + 1 - window.innerHeight}px`,
      });
      for (const band of document.querySelectorAll(`main :is(${darkBands})`)) observer.observe(band);
    };
    // Reports the first size too, and the bands of a page whose code loads later.
    const ofPage = new ResizeObserver(watch);
    const page = document.querySelector('main');
    if (page) ofPage.observe(page);
    window.addEventListener('resize', watch);
    return () => {
      observer?.disconnect();
      ofPage.disconnect();
      window.removeEventListener('resize', watch);
    };
  }, [pathname, line]);

  return found?.pathname === pathname ? found.isDark : undefined;
}
