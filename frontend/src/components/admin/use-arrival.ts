import { type RefObject, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/**
 * A page that follows another starts at its top, and its heading takes the focus.
 * @param heading - can take the focus by script
 */
export function useArrival(heading: RefObject<HTMLElement | null>): void {
  const { key } = useLocation();
  const navigationType = useNavigationType();
  // The page's first render only: going on to a part of the same page is none.
  const arrival = useRef({ isFirst: key === 'default', isReturn: navigationType === NavigationType.Pop });

  useLayoutEffect(() => {
    const { isFirst, isReturn } = arrival.current;
    if (isFirst) return;
    if (!isReturn) window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [heading]);
}
