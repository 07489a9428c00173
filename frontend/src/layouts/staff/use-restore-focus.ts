import { type RefObject, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** The ids of what had the focus when pages were left, by their places in the history. */
const leftAt = new Map<string, string>();

/**
 * A page that follows another starts at its top, and its heading takes the focus; one that is gone back to, what had it
 * when the page was left.
 * @param heading - can take the focus by script
 */
export function useRestoreFocus(heading: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  // The page's first render only: going on to a part of the same page is none.
  const arrival = useRef({
    isFirst: key === 'default' && !leftAt.has(key),
    isReturn: navigationType === NavigationType.Pop,
    before: leftAt.get(key),
  });

  useLayoutEffect(() => {
    const { isFirst, isReturn, before = '' } = arrival.current;
    if (isFirst) return;
    if (!isReturn) window.scrollTo(0, 0);
    (document.getElementById(before) ?? heading.current)?.focus({ preventScroll: true });
  }, [heading]);

  // A layout effect ends while the page is still there.
  useLayoutEffect(() => () => void leftAt.set(key, document.activeElement?.id ?? ''), [key]);
}
