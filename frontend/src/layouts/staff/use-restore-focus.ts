import { type RefObject, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** Ids of the elements that had the focus when pages were left, by history key. */
const leftAt = new Map<string, string>();

/**
 * Scrolls a new page to its top and focuses its heading. Back and Forward focus the element that had the focus when the
 * page was left.
 * @param heading - must be focusable by script
 */
export function useRestoreFocus(heading: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  // Set at the first render only, because navigation within the page does not count.
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

  // The cleanup of a layout effect runs while the page is still in the document.
  useLayoutEffect(() => () => void leftAt.set(key, document.activeElement?.id ?? ''), [key]);
}
