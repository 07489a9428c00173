import { type RefObject, useEffect, useState } from 'react';

/** The part of the window below its top edge in which an element counts as being at the top. */
const topStrip = '0px 0px -80% 0px';

/** Returns whether an element covers the top of the window. */
export function useIsAtTop(element: RefObject<Element | null>): boolean {
  const [isAtTop, setIsAtTop] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => setIsAtTop(entry?.isIntersecting ?? false), {
      rootMargin: topStrip,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isAtTop;
}
