import { useSyncExternalStore } from 'react';

function onScroll(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/** Returns whether the page is scrolled further than a number of pixels. */
export function useIsScrolled(beyond: number): boolean {
  return useSyncExternalStore(
    onScroll,
    () => window.scrollY > beyond,
    () => false,
  );
}
